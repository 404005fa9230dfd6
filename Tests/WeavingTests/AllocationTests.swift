import TestSupport
import Testing

@Suite("Heap allocations of advised calls")
struct AllocationTests {
  @Test("46 · not one heap allocation per call for typed advice")
  func none() throws {
    let result = try run(builtExecutable("allocation-probe"), [])
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.first == "an array: 1000")
    #expect(lines.count == 10)
    for line in lines.dropFirst() { #expect(line.hasSuffix(": 0")) }
  }
}
