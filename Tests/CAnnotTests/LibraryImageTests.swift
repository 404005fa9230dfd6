import Glibc
import Testing

@Suite("The records of libraries, in every state of their files")
struct LibraryImageTests {
  private let workshop: Workshop
  private let shell: String

  init() throws {
    workshop = try Workshop()
    shell = try RuntimeProgram.build("shell", in: workshop)
  }

  /// Lets the program do and print; it must end well.
  private func run(_ commands: String) throws -> Run {
    let run = try Run("timeout 60 \(Machine.start(shell)) \(commands)")
    #expect(run.status == 0, "\(run.output)")
    return run
  }

  @Test("are the same by note and by file")
  func routesAgree() throws {
    let noted = try workshop.library("noted.so", marks: ["a", "b", "c"], noted: true)
    // The same library with the note's owner changed, so that it is nobody's.
    let bare = workshop.path("bare.so")
    let patch = #"s/annot\x00\x00\x00/annoy\x00\x00\x00/g"#
    _ = try Run("LC_ALL=C sed '\(patch)' '\(noted)' > '\(bare)'")
    let run = try run("open '\(noted)' open '\(bare)' print")
    #expect(run.routes(of: noted) == ["note"])
    #expect(run.routes(of: bare) == ["file"])
    #expect(run.marks(in: noted) == ["a", "b", "c"])
    #expect(run.marks(in: bare) == ["a", "b", "c"])
  }

  @Test("come with dlopen and go with dlclose, and stay in snapshots taken before")
  func comeAndGo() throws {
    let library = try workshop.library("lib.so")
    let run = try run("print open '\(library)' print take close print free")
    #expect(run.marks(in: library) == ["a", "a"])
    #expect(run.routes(of: library) == ["file", "file"])
  }

  @Test("are found in a child after fork")
  func afterFork() throws {
    let library = try workshop.library("lib.so")
    let run = try run("open '\(library)' fork print close print")
    #expect(run.marks(in: library) == ["a"])
  }

  @Test("deleted files leave a diagnostic, or are not needed")
  func deleted() throws {
    let bare = try workshop.library("bare.so")
    let noted = try workshop.library("noted.so", noted: true)
    let run = try run("open '\(bare)' open '\(noted)' unlink '\(bare)' unlink '\(noted)' print")
    #expect(run.marks(in: bare) == [])
    #expect(run.troubles(of: bare).map { $0.contains("No such file") } == [true])
    #expect(run.marks(in: noted) == ["a"])
    #expect(run.troubles(of: noted) == [])
  }

  @Test("a file renamed over another is noticed by its build-id", arguments: [true, false])
  func renamedOver(hasBuildID: Bool) throws {
    let flags = "-Wl,--build-id=\(hasBuildID ? "sha1" : "none")"
    let library = try workshop.library("lib.so", marks: ["old"], flags: flags)
    let other = try workshop.library(
      "other.so", marks: ["other", "longer"], flags: flags, code: "int more[999];")
    let run = try run("open '\(library)' rename '\(other)' '\(library)' print")
    #expect(run.marks(in: library) == [])
    let what = hasBuildID ? "another build-id" : "other program headers"
    #expect(run.troubles(of: library).map { $0.contains(what) } == [true], "\(run.output)")
  }

  @Test("a file replaced by one of the same layout without build-ids is noticed by its bytes")
  func renamedOverAlike() throws {
    let flags = "-Wl,--build-id=none"
    let library = try workshop.library("lib.so", marks: ["old"], flags: flags)
    let other = try workshop.library("oth.so", marks: ["new"], flags: flags)
    let run = try run("open '\(library)' rename '\(other)' '\(library)' print")
    #expect(run.marks(in: library) == [])
    #expect(run.troubles(of: library).map { $0.contains("changed since it was loaded") } == [true])
  }

  @Test(
    "another file at the same path and place is noticed", arguments: [true, false], ["", Workshop.padding])
  func reloaded(noted: Bool, padding: String) throws {
    for buildID in ["sha1", "none"] { try reloaded(noted, padding, flags: "-Wl,--build-id=\(buildID)") }
  }

  private func reloaded(_ noted: Bool, _ padding: String, flags: String) throws {
    let library = try workshop.library("lib.so", marks: ["one"], noted: noted, flags: flags, code: padding)
    let other = try workshop.library("oth.so", marks: ["two"], noted: noted, flags: flags, code: padding)
    let run = try run(
      "open '\(library)' print close rename '\(other)' '\(library)' open '\(library)' print")
    #expect(run.marks(in: library) == ["one", "two"])
  }

  @Test("what was read stays known when the file is replaced and other libraries go")
  func keptWhileOthersGo() throws {
    let flags = "-Wl,--build-id=none"
    let library = try workshop.library("lib.so", marks: ["old"], flags: flags)
    let other = try workshop.library("oth.so", marks: ["new"], flags: flags)
    let passing = try workshop.library("passing.so", flags: flags)
    let run = try run(
      "open '\(library)' open '\(passing)' print rename '\(other)' '\(library)' close print")
    #expect(run.marks(in: library) == ["old", "old"])
    #expect(run.troubles(of: library) == [])
  }

  @Test(
    "a file made shorter while it is loaded does no harm, also where a sandbox forbids to read memory by a call",
    arguments: [true, false], ["", "forbidden"])
  func shortened(noted: Bool, sandbox: String) throws {
    // Records on pages of their own, which only the runtime touches.
    let marks = (0..<400).map { "a\($0)_" + String(repeating: "x", count: 60) }
    let library = try workshop.library(
      "lib.so", marks: marks, noted: noted, code: sandbox.isEmpty ? Workshop.padding : "")
    let run = try run("open '\(library)' cut '\(library)' 4096 \(sandbox) print quit")
    #expect(run.marks(in: library) == [])
    #expect(run.troubles(of: library).count == 1, "\(run.output.suffix(300))")
  }

  @Test("a file overwritten in place does no harm and gives its records or says why not")
  func overwritten() throws {
    let library = try workshop.library("lib.so", marks: ["old"])
    let other = try workshop.library("oth.so", marks: ["new"])
    let run = try run("open '\(library)' copy '\(other)' '\(library)' print")
    #expect(run.marks(in: library).count + run.troubles(of: library).count > 0, "\(run.output)")
    #expect(run.marks(in: library) != ["old"])
  }

  @Test("a relative path and another working directory leave a diagnostic that says so")
  func relativePath() throws {
    try workshop.library("bare.so")
    try workshop.library("noted.so", noted: true)
    let run = try Run(
      "cd '\(workshop.folder)' && \(Machine.start(shell)) open ./bare.so open ./noted.so chdir / print")
    #expect(run.marks(in: "./bare.so") == [])
    #expect(run.troubles(of: "./bare.so").map { $0.contains("folder it was opened from") } == [true])
    #expect(run.marks(in: "./noted.so") == ["a"])
  }

  @Test("a library in memory only has its records by note, else a diagnostic")
  func inMemory() throws {
    let bare = try workshop.library("bare.so")
    let noted = try workshop.library("noted.so", noted: true)
    let run = try run("memory '\(noted)' print close memory '\(bare)' print")
    #expect(run.lines("record").filter { $0.hasPrefix("/proc/self/fd/") }.count == 1, "\(run.output)")
    #expect(run.lines("diagnostic").filter { $0.hasPrefix("/proc/self/fd/") }.count == 1)
  }

  @Test("more libraries than expected are all found, in load order", arguments: [true, false])
  func many(noted: Bool) throws {
    let library = try workshop.library("lib.so", noted: noted)
    let copies = (0..<200).map { workshop.path("copy\($0)") }
    for copy in copies { try CAnnotTests.shell("cp '\(library)' '\(copy)'") }
    let opens = copies.map { "open '\($0)'" }.joined(separator: " ")
    let run = try run("\(opens) print close close print")
    let found = run.lines("record").compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(found.filter { $0 != shell } == copies + copies.dropLast(2))
  }

  @Test("more bytes of records than expected are all found", arguments: [true, false], ["", "forbidden"])
  func large(noted: Bool, sandbox: String) throws {
    let marks = (0..<5000).map { "m\($0)_" + String(repeating: "x", count: 100) }
    let library = try workshop.library("lib.so", marks: marks, noted: noted)
    let run = try run("open '\(library)' \(sandbox) print")
    #expect(Set(run.marks(in: library)) == Set(marks))
    #expect(run.troubles(of: library) == [])
  }

  @Test("section headers may be stripped where there is a note")
  func strippedHeaders() throws {
    let library = try workshop.library("lib.so", noted: true)
    try clearSectionHeaders(of: library)
    let run = try run("open '\(library)' print")
    #expect(run.marks(in: library) == ["a"])
    #expect(run.routes(of: library) == ["note"])
  }

  @Test(
    "are found by note in a file whose section headers a tool took away",
    .enabled(if: system("test -n \"\(Workshop.headerStripper)\"") == 0, "needs llvm-objcopy or eu-strip"))
  func strippedByTool() throws {
    let library = try workshop.library("lib.so", noted: true)
    let bare = try workshop.library("bare.so")
    for path in [library, bare] {
      try CAnnotTests.shell("\(Workshop.headerStripper) --strip-sections '\(path)'")
    }
    let run = try run("open '\(library)' open '\(bare)' print")
    #expect(run.marks(in: library) == ["a"])
    #expect(run.routes(of: library) == ["note"])
    #expect(run.marks(in: bare) == [])
  }

  @Test(
    "of another mount namespace leave a diagnostic, or are found by note",
    .enabled(if: system("unshare -m true 2>/dev/null") == 0, "needs to unshare mounts"))
  func otherMountNamespace() throws {
    // The program leaves the namespace in which the folder is something else once it has opened the libraries.
    let bare = try workshop.library("bare.so", marks: ["inner"])
    let noted = try workshop.library("noted.so", marks: ["inner"], noted: true)
    let outside = try Workshop()
    try outside.library("bare.so", marks: ["outer", "other"], code: "int more[999];")
    try outside.library("noted.so", marks: ["outer", "other"], noted: true)
    let run = try run(
      "mounts '\(outside.folder)' '\(workshop.folder)' open '\(bare)' open '\(noted)' home print")
    #expect(run.marks(in: bare) == [])
    #expect(run.troubles(of: bare).count == 1, "\(run.output)")
    #expect(run.marks(in: noted).sorted() == ["other", "outer"])
  }

  @Test("a file at the path of the vdso is not taken for it")
  func vdso() throws {
    try workshop.library("linux-vdso.so.1", marks: ["false"])
    let run = try Run("cd '\(workshop.folder)' && \(Machine.start(shell)) print")
    #expect(run.marks(in: "linux-vdso.so.1") == [])
    #expect(run.lines("diagnostic") == [])
  }

  @Test("a bounds note that leads elsewhere is reported and not followed")
  func strayNote() throws {
    let note = #"""
      __asm__(".pushsection .note.annot,\"aR\",%note\n.balign 4\n.long 6, 8, 1\n.asciz \"annot\"\n.balign 4\n"
              ".long 0x70000000, 0x70000100\n.popsection\n");
      """#
    let library = try workshop.library("lib.so", code: note)
    let run = try run("open '\(library)' print")
    #expect(run.marks(in: library) == [])
    #expect(run.troubles(of: library).map { $0.contains("leads outside it") } == [true])
  }

  @Test("notes that are cut off or absurd are passed over")
  func absurdNotes() throws {
    for words in ["6, 0xfffffff0, 1", "0xffffffff, 8, 1", "0xfffffffd, 0xfffffffd, 1", "6, 4, 1"] {
      let note = #"""
        __asm__(".pushsection .note.annot,\"aR\",%note\n.balign 4\n.long \#(words)\n"
                ".asciz \"annot\"\n.balign 4\n.long 16, 16\n.popsection\n");
        """#
      let library = try workshop.library("lib.so", code: note)
      let run = try run("open '\(library)' print")
      #expect(run.marks(in: library) == ["a"], "\(words): \(run.output)")
    }
  }

  @Test("observers are told of libraries that come and go, once each")
  func observers() throws {
    let library = try workshop.library("lib.so")
    let run = try run(
      "observe open '\(library)' print print close refresh refresh open '\(library)' fork print")
    #expect(run.lines("added") == [library, library])
    #expect(run.lines("removed") == [library])
  }

  /// Clears e_shoff, e_shnum and e_shstrndx of a 64-bit ELF file's header, as stripping section headers does.
  private func clearSectionHeaders(of path: String) throws {
    for (offset, size) in [(40, 8), (60, 2), (62, 2)] {
      try #require(
        try Run("dd if=/dev/zero of='\(path)' bs=1 seek=\(offset) count=\(size) conv=notrunc").status == 0)
    }
  }
}
