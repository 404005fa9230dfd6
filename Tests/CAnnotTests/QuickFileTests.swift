import Glibc
import Testing

@Suite("The quick look into an image's file")
struct QuickFileTests {
  @Test("reads nothing outside of what it read, whatever the headers say")
  func mutated() throws {
    let workshop = try Workshop()
    let program = workshop.path("mutated")
    let sanitizers = Machine.isForeign ? "" : "-fsanitize=address,undefined"
    let sources = ["CAnnot", "CAnnotRecords"].map { "'\(Workshop.root)'/Sources/\($0)/*.c" }
      .joined(separator: " ")
    try shell(
      """
      \(Machine.compiler) -std=c11 -O1 -g \(sanitizers) \(Workshop.headers) -o '\(program)' \
      '\(Workshop.root)/Tests/RuntimePrograms/mutated.c' \(sources) -lelf -pthread
      """)
    let library = try workshop.library("lib.so")
    try shell("cp '\(library)' '\(workshop.path("copy"))'")
    let run = try Run("timeout -k 5 60 \(Machine.start(program)) '\(library)' '\(workshop.path("copy"))'")
    #expect(run.status == 0, "\(run.output)")
    #expect(!run.output.contains("Sanitizer") && !run.output.contains("runtime error"), "\(run.output)")
    #expect(!run.lines("none").isEmpty)
  }

  private static let usable = ["bfd", "gold", "lld"].filter {
    system("echo | \(Machine.compiler) -shared -fuse-ld=\($0) -x c - -o /dev/null 2>/dev/null") == 0
  }

  @Test("suffices for what every linker leaves", arguments: usable)
  func linkers(_ linker: String) throws {
    let workshop = try Workshop()
    try workshop.library("lib.so", flags: "-g -fuse-ld=\(linker)")
    let program = try RuntimeProgram.build("shell", in: workshop)
    let library = workshop.path("lib.so")
    // Its records are found though the file reader is out of order; with it they would be gone.
    let run = try Run("\(Machine.start(program)) open '\(library)' unread print")
    #expect(run.marks(in: library) == ["a"], "\(run.output)")
  }
}
