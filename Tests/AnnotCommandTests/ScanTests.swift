import TestSupport
import Testing

@Suite("annot scan")
struct ScanTests {
  private let annot: CommandRunner
  private let root: String

  init() throws {
    annot = try CommandRunner()
    root = annot.directory.path(of: "tree")
    _ = try run("/bin/mkdir", ["-p", "\(root)/a/deep", "\(root)/b"])
    try annot.directory.write(ELFFixture(records: [needLogin]).bytes, to: "tree/a/notes.txt")
    try annot.directory.write(ELFFixture(records: [track]).bytes, to: "tree/a/deep/x")
    try annot.directory.write(archive([("m.o", ELFFixture(records: [needLogin]).bytes)]), to: "tree/b/lib.a")
    try annot.directory.write(ELFFixture(records: []).bytes, to: "tree/b/none.so")
    try annot.directory.write("text", to: "tree/b/text.so")
  }

  private func shell(_ script: String) throws {
    let result = try run("/bin/sh", ["-ec", script, "sh", root, annot.directory.path])
    if result.status != 0 { throw SupportError(result.errors) }
  }

  /// The files that are printed, each once.
  private func files(_ arguments: String...) throws -> [String] {
    let result = annot.placed(try run(annot.annot, ["scan", "-f", "csv"] + arguments))
    return result.output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != "," }) }
  }

  @Test("prints the annotations of all ELF files and archives, whatever their names, and a summary")
  func prints() throws {
    let result = try annot("scan", root)
    #expect(
      result.output == """
        DIR/tree/a/deep/x:
        OFFSET  KIND   CLASS   SELECTOR  MODULE  PLACE  MEMBERS
        0       track  Router  open:     C       r.c:7  event="open"

        DIR/tree/a/notes.txt:
        OFFSET  KIND       CLASS   SELECTOR  MODULE  PLACE  MEMBERS
        0       needlogin  Router  jump      C       r.c:3

        DIR/tree/b/lib.a:
        ARCHIVE MEMBER  OFFSET  KIND       CLASS   SELECTOR  MODULE  PLACE  MEMBERS
        m.o             0       needlogin  Router  jump      C       r.c:3

        """)
    #expect(
      result.errors == "annot: 5 files seen, 4 ELF; 3 with annotations, 3 in all: needlogin 2, track 1\n")
    #expect(result.status == 0)
    #expect(try annot("scan", "--quiet", root).errors == "")
  }

  @Test("has every format, and chooses as dump does")
  func formats() throws {
    let json = try annot("scan", "-f", "json", "-k", "track", root)
    #expect(
      json.output == """
        {"version":1,"annotations":[
        {"file":"DIR/tree/a/deep/x","section":"annot","offset":0,"record":\(track)}
        ],"diagnostics":[],"summary":{"files":5,"elf":4,"annotated":1,"unreadable":0,"kinds":{"track":1}}}

        """)
    let lines = try annot("scan", "-f", "jsonl", root)
    #expect(lines.output.split(separator: "\n").count == 3)
    #expect(try annot("scan", "-f", "raw", "-k", "track", root).output == track + "\0")
  }

  @Test("leaves out what is excluded")
  func excludes() throws {
    #expect(try files(root) == ["DIR/tree/a/deep/x", "DIR/tree/a/notes.txt", "DIR/tree/b/lib.a"])
    #expect(try files("-x", "*.txt", "-x", "b", root) == ["DIR/tree/a/deep/x"])
    #expect(try files("-x", "a/deep", root) == ["DIR/tree/a/notes.txt", "DIR/tree/b/lib.a"])
    #expect(try files("-x", "x/", "-x", "/b/*.a", root) == ["DIR/tree/a/deep/x", "DIR/tree/a/notes.txt"])
    #expect(try files("--one-file-system", root).count == 3)
    // Only what is below the directory is excluded, not the directory itself.
    #expect(try files("-x", "tree", root).count == 3)
  }

  @Test("follows no link but the one it is given, and opens nothing that is no file", .timeLimit(.minutes(1)))
  func links() throws {
    try shell(
      #"ln -s . "$1/a/loop"; ln -s ../a "$1/b/up"; ln -s ../a/notes.txt "$1/b/link"; mkfifo "$1/b/fifo""#)
    try shell(#"ln -s tree "$2/root""#)
    #expect(try files(root).count == 3)
    #expect(
      try files(annot.directory.path(of: "root")) == [
        "DIR/root/a/deep/x", "DIR/root/a/notes.txt", "DIR/root/b/lib.a",
      ])
    #expect(try files("\(root)/a/notes.txt") == ["DIR/tree/a/notes.txt"])
    let fifo = try annot("scan", "\(root)/b/fifo")
    #expect(fifo.errors.hasPrefix("annot: DIR/tree/b/fifo: Not a directory\n") && fifo.status == 2)
  }

  @Test("says when there is no ELF file, with status 2")
  func noFiles() throws {
    try shell(#"mkdir "$2/empty"; echo >"$2/empty/text""#)
    let result = try annot("scan", annot.directory.path(of: "empty"))
    #expect(
      result.errors == """
        annot: 1 file seen, 0 ELF; 0 with annotations, 0 in all
        annot: 0 ELF files were seen: is this where the build puts its files?

        """)
    #expect(result.output == "" && result.status == 2)
    #expect(try annot("scan").errors.hasPrefix("annot: no directory is given\n"))
  }

  @Test("names and counts what cannot be read, and reads the rest")
  func unreadable() throws {
    let good = try bytes(ofFile: "\(root)/a/notes.txt")
    try annot.directory.write(Array(good.prefix(300)), to: "tree/a/cut")
    try annot.directory.write(ELFFixture(records: ["{"]).bytes, to: "tree/b/malformed")
    var core = ELFFixture(records: [])
    core.type = 4
    try annot.directory.write(core.bytes, to: "tree/b/core")
    let result = try annot("scan", "-f", "csv", root, annot.directory.path(of: "missing"))
    let errors = result.errors.split(separator: "\n").map(String.init)
    #expect(errors.count == 5)
    #expect(
      errors[0].hasPrefix("annot: DIR/tree/a/cut: offset ") && errors[0].contains("the file is cut off"))
    #expect(
      errors[1] == "annot: DIR/tree/b/core: passed over: this is a core file: read the program that dumped it"
    )
    #expect(errors[2].hasPrefix("annot: DIR/tree/b/malformed: offset 0: malformed record"))
    #expect(errors[3] == "annot: DIR/missing: No such file or directory")
    #expect(errors[4].hasSuffix("; 2 could not be read"))
    #expect(result.output.split(separator: "\n").count == 4 && result.status == 2)
  }

  @Test("copes with names of any bytes, deep trees and large directories", .timeLimit(.minutes(2)))
  func extremes() throws {
    try shell(
      #"""
      cp "$1/a/deep/x" "$1/$(printf 'n\n\033\377')"
      mkdir "$2/deep" "$2/flat"; cd "$2"; cp "$1/a/deep/x" deep/x
      for i in $(seq 400); do mkdir above; mv deep above/directory$i; mv above deep; done
      cd "$2/flat"; seq -w 40000 | xargs touch; cp "$1/a/deep/x" 39999; cp "$1/a/deep/x" 00001
      """#)
    let named = try annot("scan", root)
    #expect(named.output.contains("DIR/tree/n\\n\\u{1B}\\xFF:\n"))
    #expect(try annot("scan", "-f", "jsonl", root).output.contains(#""file":"DIR/tree/n\u000A\u001B"#))
    let deep = try annot("scan", "-f", "csv", annot.directory.path(of: "deep"))
    #expect(deep.status == 0 && deep.output.split(separator: "\n").count == 2)
    let flat = try annot("scan", "-f", "csv", annot.directory.path(of: "flat"))
    #expect(flat.errors.hasPrefix("annot: 40000 files seen, 2 ELF; 2 with annotations"))
    #expect(
      try files(annot.directory.path(of: "flat")) == ["DIR/flat/00001", "DIR/flat/39999"])
    // Deeper than what rm takes in one go everywhere; the temporary directory's own removal need not cope.
    try shell(#"cd "$2"; rm -rf deep"#)
  }

  @Test("reads huge files with holes without reading the holes", .timeLimit(.minutes(1)))
  func sparse() throws {
    var fixture = ELFFixture(records: [needLogin])
    fixture.shift = 4 << 30
    let bytes = fixture.bytes
    let header = fixture.headerSize
    try writeSparse(
      [(0, Array(bytes[..<header])), (UInt64(header) + fixture.shift, Array(bytes[header...]))],
      to: "\(root)/b/sparse")
    #expect(try files(root).contains("DIR/tree/b/sparse"))
  }
}
