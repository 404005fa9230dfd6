import Testing

@Suite("The start-up measurement")
struct StartupTests {
  @Test("finds the records of all its libraries, however often it collects", arguments: [true, false])
  func runs(noted: Bool) throws {
    let workshop = try Workshop()
    let startup = try RuntimeProgram.build("startup", in: workshop)
    let library = try workshop.library("lib.so", marks: ["a", "b"], noted: noted)
    let copies = (0..<5).map { workshop.path("copy\($0)") }
    for copy in copies { try shell("cp '\(library)' '\(copy)'") }
    let run = try Run("timeout 60 \(Machine.start(startup)) \(copies.joined(separator: " "))")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.split(separator: "\n").count == 2, "\(run.output)")
  }
}
