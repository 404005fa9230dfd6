import TestSupport
import Testing

@Suite("annot dump")
struct DumpTests {
  private let annot: CommandRunner

  init() throws { annot = try CommandRunner() }

  @Test("prints a table whose columns are aligned")
  func printsTable() throws {
    let file = try annot.file(
      "a.so",
      [
        track, needLogin,
        #"{"kind":"k","cls":"größe日本","sel":"a(_:)","static":true,"file":"z.swift","line":10,"n":[1, 2],"o":{"p":null}}"#,
      ])
    let result = try annot("dump", file)
    #expect(
      result.output == """
        OFFSET  KIND       CLASS      SELECTOR  MODULE  PLACE       MEMBERS
        96      needlogin  Router     jump      C       r.c:3
        0       track      Router     open:     C       r.c:7       event="open"
        180     k          größe日本  +a(_:)    -       z.swift:10  n=[1, 2] o={"p":null}

        """)
    #expect(result.errors == "" && result.status == 0)
  }

  @Test("prints one JSON object a line, of one shape")
  func printsLines() throws {
    let file = try annot.file("a.so", [track, needLogin])
    let result = try annot("dump", "--format", "jsonl", file)
    #expect(
      result.output == """
        {"version":1,"file":"DIR/a.so","section":"annot","offset":96,"record":\(needLogin)}
        {"version":1,"file":"DIR/a.so","section":"annot","offset":0,"record":\(track)}

        """)
    #expect(result.errors == "" && result.status == 0)
    #expect(try annot("dump", "--format=jsonl", file).output == result.output)
    #expect(try annot("dump", file, "-fjsonl").output == result.output)
  }

  @Test("names each file when there are several, and archive members")
  func namesFiles() throws {
    let one = try annot.file("one.so", [needLogin])
    let member = try bytes(ofFile: one)
    let library = try annot.directory.write(archive([("x.o", member), ("y.o", member)]), to: "two.a")
    let result = try annot("dump", one, library)
    #expect(
      result.output == """
        DIR/one.so:
        OFFSET  KIND       CLASS   SELECTOR  MODULE  PLACE  MEMBERS
        0       needlogin  Router  jump      C       r.c:3

        DIR/two.a:
        ARCHIVE MEMBER  OFFSET  KIND       CLASS   SELECTOR  MODULE  PLACE  MEMBERS
        x.o             0       needlogin  Router  jump      C       r.c:3

        """)
    let lines = try annot("dump", "-f", "jsonl", library)
    #expect(
      lines.output.hasPrefix(#"{"version":1,"file":"DIR/two.a","member":"x.o","section":"annot","offset":0,"#)
    )
  }

  @Test("says on standard error that a file has no annotations, and is content")
  func noAnnotations() throws {
    let file = try annot.file("none.so", [])
    for format in ["text", "jsonl"] {
      let result = try annot("dump", "-f", format, file)
      #expect(
        result.output == "" && result.errors == "annot: DIR/none.so: no annotations\n" && result.status == 0)
    }
  }

  @Test("Half a surrogate pair becomes U+FFFD in JSON lines; pairs and escaped backslashes stay")
  func loneSurrogates() throws {
    let record = #"{"kind":"a","x":"\ud83d\ude00 \ud800 \udc00 \uD83Dx \\ud800"}"#
    let file = try annot.file("surrogates.so", [record])
    let result = try annot("dump", "-f", "jsonl", file)
    #expect(result.output.contains(#""x":"\ud83d\ude00 \ufffd \ufffd \ufffdx \\ud800"}"#))
  }

  @Test("prints good records beside malformed ones, and tells of these with status 1")
  func malformedRecords() throws {
    let file = try annot.file("a.so", [needLogin, "\u{1B}[31mgarbage", #"{"kind":"k","kind":"k"}"#])
    let result = try annot("dump", "-f", "jsonl", file)
    #expect(result.output.split(separator: "\n").count == 1)
    #expect(
      result.errors == """
        annot: DIR/a.so: offset 84: malformed record: not valid JSON, at byte 0 of it
        annot: DIR/a.so: offset 97: malformed record: two members have one name, at byte 12 of it

        """)
    #expect(result.status == 1)
  }

  @Test("reads the other files when one cannot be read, with status 2")
  func unreadableFiles() throws {
    let good = try annot.file("good.so", [needLogin])
    let text = try annot.directory.write("hello\n", to: "text")
    let cut = try annot.directory.write(Array(try bytes(ofFile: good).prefix(300)), to: "cut.so")
    let empty = try annot.directory.write([], to: "empty")
    let missing = annot.directory.path(of: "missing")
    let result = try annot("dump", missing, text, good, cut, empty, annot.directory.path)
    #expect(result.output.contains("needlogin"))
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 5)
    #expect(lines[0] == "annot: DIR/missing: cannot be opened: No such file or directory")
    #expect(
      lines[1]
        == "annot: DIR/text: not an ELF file but a text file: name the program or library that was built")
    #expect(
      lines[2].hasPrefix("annot: DIR/cut.so: offset ")
        && lines[2].contains("the file is cut off: it ends at 300"))
    #expect(lines[3] == "annot: DIR/empty: the file is empty")
    #expect(lines[4] == "annot: DIR: this is a directory: name the files in it")
    #expect(result.status == 2)
  }

  @Test("is the same on every run")
  func isSteady() throws {
    let records = (0..<500).map {
      #"{"kind":"k","cls":"C\#($0 % 7)","file":"f\#($0 % 3)","line":\#($0 % 50),"n":\#($0)}"#
    }
    let first = try annot("dump", "-f", "jsonl", try annot.file("a.so", records))
    #expect(first.output.split(separator: "\n").count == 500)
    for _ in 0..<3 {
      #expect(try annot("dump", "-f", "jsonl", annot.directory.path(of: "a.so")).output == first.output)
    }
  }

  @Test("reads standard input, a pipe or a file")
  func readsStandardInput() throws {
    let bytes = ELFFixture(records: [needLogin]).bytes
    let result = try annot("dump", "-f", "jsonl", "-", input: bytes)
    #expect(result.output.hasPrefix(#"{"version":1,"file":"-","section":"annot","offset":0,"#))
    #expect(result.status == 0)
    let path = try annot.directory.write(bytes, to: "in")
    let piped = try run("/bin/sh", ["-c", #"cat "$2" | "$1" dump -f jsonl -"#, "sh", annot.annot, path])
    #expect(piped.output == result.output)
    let none = try annot("dump", "-")
    #expect(none.errors == "annot: -: the file is empty\n" && none.status == 2)
  }
}

@Suite("annot dump, on hostile text")
struct HostileTextTests {
  private let annot: CommandRunner
  private let hostile =
    "{\"kind\":\"k\",\"cls\":\"\\u001b[31mred\",\"sel\":\"\u{9B}31m\",\"module\":\"a\u{202E}b\",\"file\":\"\\n\\\\\u{7F}\",\"line\":1,\n\t\"x\":\"\u{200B}\\u009b\"}"

  init() throws { annot = try CommandRunner() }

  @Test("shows it escaped in text")
  func escapesText() throws {
    let result = try annot("dump", try annot.file("a.so", [hostile]))
    #expect(
      result.output
        == #"""
        OFFSET  KIND  CLASS        SELECTOR    MODULE      PLACE           MEMBERS
        0       k     \u{1B}[31mred  \u{9B}31m  a\u{202E}b  \n\\\u{7F}:1  x="\u200B\u009b"

        """#.replacingColumns())
  }

  @Test("keeps it JSON, on one line, with nothing that steers a terminal")
  func keepsJSON() throws {
    let result = try annot("dump", "-f", "jsonl", try annot.file("a.so", [hostile]))
    let expected =
      #"{"version":1,"file":"DIR/a.so","section":"annot","offset":0,"record":{"kind":"k","cls":"\u001b[31mred","#
      + #""sel":"\u009B31m","module":"a\u202Eb","file":"\n\\\u007F","line":1,  "x":"\u200B\u009b"}}"# + "\n"
    #expect(result.output == expected)
    guard let jq = Toolchain.find("jq") else { return }
    #expect(try run(jq, ["-r", ".record.kind"], input: Array(result.output.utf8)).output == "k\n")
  }

  @Test("shows names of files escaped, whatever bytes they have")
  func escapesNames() throws {
    let script =
      #"cp "$2" "$3/$(printf 'a\n\033[31m\377b')" && exec "$1" dump "$3/$(printf 'a\n\033[31m\377b')" "$3"/$(printf 'no\302\205\033')"#
    let file = try annot.file("good.so", [needLogin])
    let result = try run("/bin/sh", ["-c", script, "sh", annot.annot, file, annot.directory.path])
    #expect(result.output.contains(#"/a\n\u{1B}[31m\xFFb:"#))
    #expect(result.errors.contains(#"/no\u{85}\u{1B}: cannot be opened"#))
    #expect(result.status == 2)
    let line = try annot("dump", "-f", "jsonl", file)
    #expect(line.status == 0)
  }
}

extension String {
  /// Puts two spaces behind the widest cell of each column; cells have no spaces themselves.
  fileprivate func replacingColumns() -> String {
    let rows = split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max()! }
    return rows.map { row in
      zip(row, widths).enumerated().map { index, cell in
        index == row.count - 1 ? cell.0 : cell.0 + String(repeating: " ", count: cell.1 - cell.0.count + 2)
      }.joined() + "\n"
    }.joined()
  }
}

@Suite("annot's output")
struct OutputTests {
  private let annot: CommandRunner

  init() throws { annot = try CommandRunner() }

  @Test("that cannot be written is an error")
  func fullDisk() throws {
    let file = try annot.file("a.so", [needLogin])
    let full = try annot("dump", file, output: .file("/dev/full"))
    #expect(full.errors == "annot: standard output: No space left on device\n" && full.status == 2)
    let closed = try annot("dump", file, output: .closed)
    #expect(closed.errors == "annot: standard output: Bad file descriptor\n" && closed.status == 2)
  }

  @Test("into a pipe that nobody reads ends quietly, as by SIGPIPE", arguments: ["", "trap '' PIPE; "])
  func closedPipe(prelude: String) throws {
    let records = (0..<5000).map { #"{"kind":"k","cls":"C","line":\#($0)}"# }
    let file = try annot.file("a.so", records)
    let script = prelude + #"{ "$1" dump "$2" "$2" "$2" "$2"; echo $? >"$3"; } | :"#
    let status = annot.directory.path(of: "status")
    let result = try run("/bin/sh", ["-c", script, "sh", annot.annot, file, status])
    #expect(result.errors == "")
    #expect(try text(ofFile: status) == "141\n")
  }
}
