import Testing

@Suite("Copies of the runtime in one process")
struct SecondRuntimeTests {
  private let workshop: Workshop
  private let plugin: String

  init() throws {
    workshop = try Workshop()
    plugin = try RuntimeProgram.buildLibrary("runtime_plugin", in: workshop)
  }

  /// A library with a join point and nothing of the runtime.
  private func lateLibrary() throws -> String {
    try workshop.library(
      "late.so",
      code: """
        #include <annot/joinpoint.h>
        ANNOT_METHOD(int, Library, run, (int, value)) { return value; }
        int library_run(int value) { return Library_run(value); }
        """)
  }

  private func run(_ program: String, _ commands: String) throws -> Run {
    let run = try Run("timeout 60 \(Machine.start(program)) \(commands)")
    #expect(run.status == 0, "\(run.output)")
    return run
  }

  @Test("A second copy is reported when it is loaded, and in snapshots")
  func reported() throws {
    let shell = try RuntimeProgram.build("shell", in: workshop, flags: "-pie")
    let run = try run(shell, "open '\(plugin)' print")
    #expect(run.lines("annot:").count == 1)
    #expect(
      run.output.contains("annot: \(plugin) brings a second copy of Annot's runtime: the one in the program"))
    #expect(run.troubles(of: plugin).map { $0.contains("second copy") } == [true])
  }

  @Test("The first stays in charge: the second takes no advice and writes no slot")
  func firstInCharge() throws {
    let host = try RuntimeProgram.build("host", in: workshop, flags: "-pie -DRUNTIME")
    let run = try run(host, "advise run 1 open '\(plugin)' run 2 call 3 close fork run 4")
    #expect(run.lines("run") == ["101", "102", "104"])
    #expect(run.lines("call") == ["103"])
    #expect(run.lines("refused").count == 2)
    #expect(run.lines("refused").allSatisfy { $0.contains("another copy of the runtime") })
  }

  @Test("With two libraries that bring one, the first loaded is in charge")
  func twoPlugins() throws {
    let host = try RuntimeProgram.buildAlone("host", in: workshop)
    let second = workshop.path("second.so")
    try shell("cp '\(plugin)' '\(second)'")
    let run = try run(host, "run 1 open '\(plugin)' open '\(second)' run 2 call 3 close run 4")
    #expect(run.lines("run") == ["1", "1002", "1004"])
    #expect(run.lines("call") == ["1003"])
    #expect(run.lines("annot:").count == 1)
    #expect(run.output.contains("annot: \(second) brings"))
  }

  @Test("A library that brings the runtime in charge is not unloaded under those who use it")
  func staysLoaded() throws {
    let host = try RuntimeProgram.buildAlone("host", in: workshop)
    let late = try lateLibrary()
    let run = try run(host, "open '\(plugin)' run 1 close run 2 open '\(late)' call 3 close run 4")
    #expect(run.lines("run") == ["1001", "1002", "1004"])
    #expect(run.lines("call") == ["1003"])
    #expect(run.lines("annot:") == [])
  }

  @Test("Observers are told of a library by the first call of its join point, and only then")
  func toldByFirstCall() throws {
    let host = try RuntimeProgram.build("host", in: workshop, flags: "-pie -DRUNTIME")
    let late = try lateLibrary()
    let run = try run(host, "observe open '\(late)' call 1 call 2")
    #expect(run.output == "added \(late)\ncall 1\ncall 2\n")
  }
}
