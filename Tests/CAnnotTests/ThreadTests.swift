import Testing

@Suite("Threads, forks and allocators")
struct ThreadTests {
  private let workshop: Workshop
  private let libraries: String

  init() throws {
    let workshop = try Workshop()
    self.workshop = workshop
    libraries = try (0..<20).map { index in
      let name = "lib\(index)"
      return try "'" + workshop.library(name, marks: [name], noted: index % 2 == 0) + "'"
    }.joined(separator: " ")
  }

  @Test("Nothing is lost or stale while threads open and close libraries, read, and fork")
  func stress() throws {
    let stress = try RuntimeProgram.build("stress", in: workshop)
    let run = try Run("timeout 120 \(Machine.start(stress)) 300 \(libraries)")
    #expect(run.output.contains("lost 0 stale 0 unordered 0 stuck 0"), "\(run.output)")
    #expect(run.status == 0)
  }

  @Test("A child forked while threads walk the images can walk them itself")
  func forks() throws {
    let forks = try RuntimeProgram.build("forks", in: workshop)
    let run = try Run("timeout 120 \(Machine.start(forks)) 200")
    #expect(run.output == "stuck 0\n")
  }

  @Test("An allocator that walks the images under a lock of its own does no harm")
  func walkingAllocator() throws {
    let stress = try RuntimeProgram.build("stress", in: workshop)
    let malloc = workshop.path("malloc.so")
    try shell(
      "\(Machine.compiler) -shared -fPIC -O1 -o '\(malloc)' '\(Workshop.root)/Tests/RuntimePrograms/walking_malloc.c'"
    )
    let run = try Run(
      "STRESS_NO_FORK=1 timeout 60 env \(Machine.start(stress, preloading: malloc)) 10 \(libraries)")
    #expect(run.output.contains("lost 0 stale 0 unordered 0 stuck 0"), "\(run.output)")
  }
}
