import TestSupport
import Testing

/// The rules of docs/cli.md, "Rules for every command", for each of them.
@Suite("Every command of annot")
struct CommonRulesTests {
  private let annot: CommandRunner
  private let file: String
  private let other: String

  init() throws {
    annot = try CommandRunner()
    file = try annot.file("a.so", [needLogin, track])
    other = try annot.file("b.so", [track])
  }

  private static let formats = [
    ["dump", "-f", "text"], ["dump", "-f", "json"], ["dump", "-f", "jsonl"], ["dump", "-f", "raw"],
    ["dump", "-f", "csv"], ["scan"], ["check"], ["check", "-f", "json"], ["check", "-f", "sarif"], ["diff"],
    ["diff", "-f", "json"], ["diff", "-f", "markdown"], ["report"], ["kinds"], ["kinds", "-f", "json"],
    ["help"],
    ["manual"], ["completions", "bash"], ["dump", "--help"],
  ]

  /// The command line with the operands that the command needs.
  private func arguments(_ command: [String]) -> [String] {
    switch command[0] {
    case "dump", "check", "report": command + [file]
    case "scan": command + [annot.directory.path]
    case "diff": command + [other, file]
    default: command
    }
  }

  @Test("ends with status 2 and a message when its output cannot be written", arguments: formats)
  func fullDisk(command: [String]) throws {
    let full = try run(annot.annot, arguments(command), output: .file("/dev/full"))
    #expect(full.errors.contains("annot: standard output: No space left on device\n") && full.status == 2)
    let closed = try run(annot.annot, arguments(command), output: .closed)
    #expect(closed.errors.contains("annot: standard output: Bad file descriptor\n") && closed.status == 2)
  }

  @Test("gives the same output on every run, and needs no standard input or error", arguments: formats)
  func steady(command: [String]) throws {
    let first = try run(annot.annot, arguments(command))
    #expect(!first.output.isEmpty)
    let closed = try run(
      "/bin/sh", ["-c", "exec \"$@\" <&- 2>&-", "sh", annot.annot] + arguments(command))
    #expect(closed.output == first.output && closed.status == first.status)
  }

  @Test("writes JSON that is one document, or one object a line", arguments: formats.filter { $0.count == 3 })
  func json(command: [String]) throws {
    guard ["json", "jsonl", "sarif"].contains(command[2]), let jq = Toolchain.find("jq") else { return }
    let hostile = try annot.file(
      "a.so",
      [
        #"{"kind":"k","cls":"\ud800\u0000","sel":"\u001b\"\\","x":[1e5,{"y":null}]}"#, needLogin, "{",
        "\u{1B}",
      ])
    let result = try run(annot.annot, arguments(command))
    let checked = try run(jq, ["-es", "length > 0"], input: Array(result.output.utf8))
    #expect(checked.status == 0, "\(hostile): \(checked.errors)")
    #expect(result.output.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x7F) })
  }

  @Test("ends quietly, as by SIGPIPE, when nobody reads its output")
  func closedPipe() throws {
    let records = (0..<20000).map { #"{"kind":"k","cls":"C","module":"M","line":\#($0)}"# }
    try annot.directory.write(ELFFixture(records: records).bytes, to: "large.so")
    for command in [
      "dump -f csv large.so", "dump -f json large.so", "scan large.so", "report large.so",
      "diff b.so large.so",
    ] {
      let script = #"cd "$2"; { "$1" $4 >&3; echo $? >"$3"; } 3>&1 | head -c 1 >/dev/null"#
      let status = annot.directory.path(of: "status")
      let result = try run(
        "/bin/sh", ["-c", script, "sh", annot.annot, annot.directory.path, status, command])
      #expect(result.errors == "", "\(command)")
      #expect(try text(ofFile: status) == "141\n", "\(command)")
    }
  }

  @Test("reads files that claim to be huge in bounded time and memory", .timeLimit(.minutes(1)))
  func bombs() throws {
    let bomb = ELFFixture([
      .init(
        "annot",
        [UInt8](ELFFixture(records: []).number(1, 4)) + [0, 0, 0, 0]
          + ELFFixture(records: []).number(1 << 40, 8) + ELFFixture(records: []).number(1, 8)
          + zlibStored([0]),
        flags: 0x800)
    ])
    let path = try annot.directory.write(bomb.bytes, to: "bomb.so")
    for command in [["dump"], ["check"], ["report"], ["scan"]] {
      let result = try run(
        "/bin/sh", ["-c", "ulimit -v 4000000; exec \"$@\"", "sh", annot.annot] + command + [path])
      #expect(
        result.status == 2 && result.errors.contains("over the limit of"), "\(command) \(result.errors)")
    }
  }
}
