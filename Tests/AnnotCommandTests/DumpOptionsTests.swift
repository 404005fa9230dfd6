import TestSupport
import Testing

private let swift =
  #"{"kind":"track","cls":"Cart.Item","sel":"pay(a:)","module":"App","static":true,"event":"cart, \"paid\"","n":5,"file":"/src/App/Cart.swift","line":2}"#

@Suite("annot dump's options")
struct DumpOptionsTests {
  private let annot: CommandRunner
  private let path: String

  init() throws {
    annot = try CommandRunner()
    path = try annot.file("a.so", [track, needLogin, swift])
  }

  private func selectors(_ arguments: String...) throws -> String {
    let result = try run(annot.annot, ["dump", "-f", "csv"] + arguments + [path])
    #expect(result.status == 0 && result.errors == "")
    return result.output.split(separator: "\n").dropFirst().map { line in
      line.contains("open:") ? "o" : line.contains("jump") ? "j" : "p"
    }.joined()
  }

  @Test("choose annotations by kind, class, module and members")
  func choose() throws {
    #expect(try selectors() == "pjo")
    #expect(try selectors("--kind", "track") == "po")
    #expect(try selectors("-k", "nosuch") == "")
    #expect(try selectors("-k", "need*", "-k", "track") == "pjo")
    #expect(try selectors("--cls", "Rout?r") == "jo")
    #expect(try selectors("--cls", "Router", "--kind", "track") == "o")
    #expect(try selectors("--module", "OC") == "jo")
    #expect(try selectors("-m", "App") == "p")
    #expect(try selectors("--where", "event") == "po")
    #expect(try selectors("-w", "event=open") == "o")
    #expect(try selectors("-w", #"event=cart, "paid""#) == "p")
    #expect(try selectors("-w", "n=5", "-w", "static=true") == "p")
    #expect(try selectors("-w", "n=5", "-w", "line=3") == "")
  }

  @Test("sort, and leave the place out")
  func sort() throws {
    #expect(try selectors("--sort", "place") == "pjo")
    #expect(try selectors("--sort", "offset") == "ojp")
    #expect(try selectors("--sort", "kind") == "jpo")
    #expect(try selectors("--sort", "target") == "pjo")
    #expect(try selectors("--sort", "module") == "pjo")
    let without = try annot("dump", "--no-source", "-k", "needlogin", path)
    #expect(
      without.output == """
        OFFSET  KIND       CLASS   SELECTOR  MODULE  MEMBERS
        96      needlogin  Router  jump      C

        """)
    let lines = try annot("dump", "--no-source", "-k", "needlogin", "-f", "jsonl", path)
    #expect(
      lines.output
        == #"{"version":1,"file":"DIR/a.so","section":"annot","offset":96,"record":{"kind":"needlogin","cls":"Router","sel":"jump","module":"C"}}"#
        + "\n")
  }

  @Test("read sections of another name")
  func section() throws {
    let other = try annot.file("b.so", section: "notes", [needLogin])
    #expect(try annot("dump", other).errors == "annot: DIR/b.so: no annotations\n")
    let result = try annot("dump", "--section", "notes", "-f", "jsonl", other)
    #expect(result.output.contains(#""section":"notes","offset":0,"record":{"kind":"needlogin""#))
  }

  @Test("print one JSON document, diagnostics in it")
  func json() throws {
    let result = try annot("dump", "-f", "json", path)
    #expect(
      result.output == """
        {"version":1,"annotations":[
        {"file":"DIR/a.so","section":"annot","offset":180,"record":\(swift)},
        {"file":"DIR/a.so","section":"annot","offset":96,"record":\(needLogin)},
        {"file":"DIR/a.so","section":"annot","offset":0,"record":\(track)}
        ],"diagnostics":[]}

        """)
    let bad = try annot.directory.write(
      archive([("x.o", ELFFixture(records: ["\"", "{"]).bytes)]), to: "bad.a")
    let mixed = try annot("dump", "-f", "json", bad, annot.directory.path(of: "missing"))
    #expect(
      mixed.output == """
        {"version":1,"annotations":[],"diagnostics":[
        {"severity":"malformed","file":"DIR/bad.a","member":"x.o","section":"annot","offset":0,"reason":"malformed record: not valid JSON, at byte 1 of it"},
        {"severity":"malformed","file":"DIR/bad.a","member":"x.o","section":"annot","offset":2,"reason":"malformed record: not valid JSON, at byte 1 of it"},
        {"severity":"unreadable","file":"DIR/missing","reason":"cannot be opened: No such file or directory"}
        ]}

        """)
    #expect(mixed.errors.split(separator: "\n").count == 3 && mixed.status == 2)
  }

  @Test("print CSV, quoted where needed")
  func csv() throws {
    let result = try annot("dump", "-f", "csv", path)
    #expect(
      result.output == #"""
        file,member,section,offset,kind,cls,sel,static,module,source,line,members
        DIR/a.so,,annot,180,track,Cart.Item,pay(a:),true,App,/src/App/Cart.swift,2,"{""event"":""cart, \""paid\"""",""n"":5}"
        DIR/a.so,,annot,96,needlogin,Router,jump,,C,r.c,3,
        DIR/a.so,,annot,0,track,Router,open:,,C,r.c,7,"{""event"":""open""}"

        """#)
  }

  @Test("print the records' bytes, but not to a terminal")
  func raw() throws {
    let result = try annot("dump", "-f", "raw", "--sort", "offset", path)
    #expect(result.output == [track, needLogin, swift].map { $0 + "\0" }.joined())
    let terminal = try annot.onTerminal("dump", "-f", "raw", path)
    #expect(terminal.output.hasPrefix("annot: raw records may hold anything") && terminal.status == 2)
  }

  @Test("fit a table into the terminal and color it")
  func terminal() throws {
    let narrow = try annot.onTerminal(
      "dump", "-k", "track", path, columns: 60, environment: ["NO_COLOR": "1"])
    #expect(
      narrow.output == """
        OFFSET  KIND   CLASS     SELECTOR  MODULE  PLACE     MEMBERS
        180     track  Cart.It…  +pay(a:)  App     …swift:2  event=…
        0       track  Router    open:     C       r.c:7     event=…

        """)
    #expect(narrow.output.split(separator: "\n").allSatisfy { $0.count <= 60 })
    let colored = try annot.onTerminal("dump", "-k", "needlogin", path)
    #expect(colored.output.contains("\u{1B}[36mneedlogin\u{1B}[0m"))
    for plain in [
      try annot.onTerminal("dump", path, environment: ["TERM": "dumb"]),
      try annot.onTerminal("dump", path, environment: ["NO_COLOR": "1"]),
      try annot.onTerminal("dump", "--color", "never", path), try annot("dump", path),
    ] {
      #expect(!plain.output.contains("\u{1B}") && plain.output.contains("needlogin"))
    }
    let forced = try annot("dump", "--color", "always", path)
    #expect(forced.output.contains("\u{1B}[36mneedlogin\u{1B}[0m"))
    #expect(try annot("dump", "--color", "often", path).status == 2)
  }
}

@Suite("annot dump --needed")
struct DumpNeededTests {
  private let annot: CommandRunner
  private let compiler: String

  init() throws {
    annot = try CommandRunner()
    compiler = try #require(Toolchain.find("gcc"))
  }

  /// Compiles a library or program whose one record has a class of that name.
  private func link(_ name: String, _ output: String, _ arguments: [String]) throws {
    let source = try annot.directory.write(
      """
      static const char record[] __attribute__((used, retain, aligned(1), section("annot"))) =
        "{\\"kind\\":\\"k\\",\\"cls\\":\\"\(name)\\"}";
      int main_\(name)(void) { return 0; }
      int main(void) { return 0; }
      """, to: "\(name).c")
    try Toolchain.call(
      compiler, [source, "-o", annot.directory.path(of: output), "-Wl,--no-as-needed"] + arguments)
  }

  private func classes(_ result: ProcessResult) -> [String] {
    result.output.split(separator: "\n").dropFirst()
      .map { String($0.split(separator: ",", omittingEmptySubsequences: false)[5]) }
  }

  @Test("follows the loader's rules: runpath, inherited rpath, origin, environment")
  func follows() throws {
    let directory = annot.directory.path
    _ = try run("/bin/mkdir", ["\(directory)/lib", "\(directory)/deep", "\(directory)/env"])
    try link("deep", "deep/libdeep.so", ["-shared", "-fPIC"])
    try link("env", "env/libenv.so", ["-shared", "-fPIC"])
    // libone has no path of its own: a program's rpath holds for it, a runpath would not.
    try link("one", "lib/libone.so", ["-shared", "-fPIC", "-L\(directory)/deep", "-ldeep"])
    let libraries = ["-L\(directory)/lib", "-lone", "-Wl,--allow-shlib-undefined"]
    let paths = "-Wl,-rpath,$ORIGIN/lib:${ORIGIN}/deep"
    try link("rpath", "rpath", libraries + ["-Wl,--disable-new-dtags", paths])
    try link("runpath", "runpath", libraries + ["-Wl,--enable-new-dtags", paths])
    let all = try annot("dump", "-f", "csv", "--needed", annot.directory.path(of: "rpath"))
    #expect(classes(all) == ["rpath", "one", "deep"] && all.status == 0 && all.errors == "")

    let partly = try annot("dump", "-f", "csv", "--needed", annot.directory.path(of: "runpath"))
    #expect(classes(partly) == ["runpath", "one"] && partly.status == 2)
    #expect(
      partly.errors
        == "annot: DIR/lib/libone.so: needs 'libdeep.so', which was not found where the loader looks for it\n"
    )
    let helped = try run(
      annot.annot, ["dump", "-f", "csv", "--needed", annot.directory.path(of: "runpath")],
      environment: ["LD_LIBRARY_PATH": "/nowhere:\(directory)/deep"])
    #expect(classes(helped) == ["runpath", "one", "deep"] && helped.status == 0)

    // The loader itself agrees.
    let ldd = try run(try #require(Toolchain.find("ldd")), [annot.directory.path(of: "rpath")])
    #expect(ldd.output.contains("\(directory)/deep/libdeep.so"))
  }

  @Test("passes over libraries of another architecture, and leaves other files alone")
  func passesOver() throws {
    let directory = annot.directory.path
    _ = try run("/bin/mkdir", ["\(directory)/foreign", "\(directory)/own"])
    var foreign = ELFFixture(records: [])
    foreign.is64 = false
    try annot.directory.write(foreign.bytes, to: "foreign/libx.so")
    try link("x", "own/libx.so", ["-shared", "-fPIC"])
    try link(
      "p", "p",
      ["-L\(directory)/own", "-lx", "-Wl,-rpath,\(directory)/foreign", "-Wl,-rpath,\(directory)/own"])
    let result = try annot("dump", "-f", "csv", "--needed", annot.directory.path(of: "p"))
    #expect(classes(result) == ["p", "x"] && result.status == 0)
    let library = try annot.directory.write(
      archive([("a.o", ELFFixture(records: [needLogin]).bytes)]), to: "l.a")
    let single = try annot("dump", "-f", "csv", "--needed", library)
    #expect(classes(single) == ["Router"] && single.status == 0)
  }
}
