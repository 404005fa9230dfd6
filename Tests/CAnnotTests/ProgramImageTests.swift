import Testing

@Suite("The records of the program itself")
struct ProgramImageTests {
  /// A way to link a program.
  struct Linking: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let flags: String
    var isStatic: Bool { flags.contains("-static") }
    /// Static programs also need what libelf needs.
    var libraries: String { isStatic ? "-lelf -lz" : "-lelf" }
  }

  static let linkings = [
    Linking(testDescription: "position-independent", flags: "-pie -rdynamic"),
    Linking(testDescription: "at a fixed address", flags: "-no-pie"),
    Linking(testDescription: "static", flags: "-static -no-pie"),
    Linking(testDescription: "static and position-independent", flags: "-static-pie"),
    Linking(testDescription: "without a build-id", flags: "-pie -Wl,--build-id=none"),
  ].filter { !$0.isStatic || RuntimeProgram.hasArchive("libelf.a") }

  @Test("are found by note and by file, however it is linked", arguments: linkings)
  func everyLinking(_ linking: Linking) throws {
    let workshop = try Workshop()
    for (bare, route) in [("", "note"), ("-DBARE", "file")] {
      let path = try RuntimeProgram.build(
        "shell", in: workshop, as: "prog-\(route)", flags: "\(bare) \(linking.flags)",
        libraries: linking.libraries)
      let run = try Run("timeout 60 \(Machine.start(path)) print")
      #expect(run.status == 0, "\(run.output)")
      #expect(run.marks(in: path) == ["program"])
      #expect(run.routes(of: path) == ["\(route) main"])
      #expect(run.lines("diagnostic") == [])
    }
  }

  @Test("are found when the loader was started with the program as its argument")
  func startedByLoader() throws {
    let workshop = try Workshop()
    let path = try RuntimeProgram.build("shell", in: workshop, flags: "-DBARE -pie")
    let loader = #""$ANNOT_TEST_SYSROOT$(readelf -lW '\#(path)' | sed -n 's/.*interpreter: \(.*\)\]$/\1/p')""#
    let run = try Run("\(Machine.emulator ?? "") \(loader) '\(path)' print")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.marks(in: path) == ["program"])
  }

  @Test("are found when it was started by a relative path and has another working directory")
  func relativePath() throws {
    let workshop = try Workshop()
    _ = try RuntimeProgram.build("shell", in: workshop, flags: "-DBARE -pie")
    let run = try Run("cd '\(workshop.folder)' && \(Machine.start("./shell")) chdir / print")
    #expect(run.marks(in: "./shell") == ["program"])
  }

  @Test("are found when it was deleted, or another was renamed over it, before they were read")
  func replaced() throws {
    let workshop = try Workshop()
    let path = try RuntimeProgram.build("shell", in: workshop, flags: "-DBARE -pie")
    let other = try RuntimeProgram.build("shell", in: workshop, as: "other", flags: "-DNO_RECORDS -pie")
    // A link to the program, by which it is started and which then names another file or none.
    for (name, change) in [("gone", "rm"), ("moved", "ln -sf '\(other)'")] {
      let link = workshop.path(name)
      try shell("cp '\(path)' '\(link)'")
      try workshop.write(
        """
        #include <stdlib.h>
        __attribute__((constructor)) static void change(void) {
          unsetenv("LD_PRELOAD");
          if (system("\(change) '\(link)'")) abort();
        }
        """, to: "change.c")
      try shell(
        "\(Machine.compiler) -shared -fPIC -o '\(workshop.path("change.so"))' '\(workshop.path("change.c"))'")
      let run = try Run("\(Machine.start(link, preloading: workshop.path("change.so"))) print")
      // An emulator's /proc/self/exe is the file at the path that it was given.
      #expect(run.marks(in: link) == (Machine.isForeign ? [] : ["program"]), "\(name): \(run.output)")
      #expect(run.troubles(of: link).count == (Machine.isForeign ? 1 : 0), "\(name): \(run.output)")
    }
  }

  @Test("are not collected with ANNOT_DISABLE=1")
  func disabled() throws {
    let workshop = try Workshop()
    let path = try RuntimeProgram.build("shell", in: workshop)
    let run = try Run("ANNOT_DISABLE=1 \(Machine.start(path)) print refresh print")
    #expect(run.status == 0)
    #expect(run.output == "end\nend\n")
  }

  @Test("ANNOT_LOG tells of each image, its route and its records")
  func traced() throws {
    let workshop = try Workshop()
    let path = try RuntimeProgram.build("shell", in: workshop)
    let library = try workshop.library("lib.so")
    let log = workshop.path("log")
    let run = try Run("ANNOT_LOG='\(log)' \(Machine.start(path)) open '\(library)' print; cat '\(log)'")
    #expect(run.output.contains("\(path) at "))
    #expect(run.output.contains(": 1 records, 0 faults (by note) in "))
    #expect(run.output.contains(": 1 records, 0 faults (by file) in "))
    #expect(try Run(Machine.start(path)).output == "")
    #expect(try Run("ANNOT_LOG=1 \(Machine.start(path))").output.contains("(by note)"))
  }
}
