import TestSupport
import Testing

@Suite("annot's arguments")
struct ArgumentTests {
  private let annot: CommandRunner

  init() throws { annot = try CommandRunner() }

  @Test(
    "that are not understood are told, with status 2",
    arguments: [
      ([], "no command is given"), (["dmup"], "unknown command 'dmup'; did you mean 'dump'?"),
      (["--bogus"], "unknown option '--bogus'"),
      (["dump"], "no file is given"), (["dump", "--bogus", "x"], "unknown or ambiguous option '--bogus'"),
      (["dump", "-z"], "unknown or ambiguous option '-z'"),
      (["dump", "--format"], "option '--format' needs a value"),
      (["dump", "-f", "xml", "x"], "unknown format 'xml': text, json, jsonl, raw and csv are known"),
      (["dump", "--help=x"], "option '--help=x' takes no value"),
      (["help", "xyzzy"], "unknown command 'xyzzy'"),
      (["dump", "--\u{1B}[31m", "x"], #"unknown or ambiguous option '--\u{1B}[31m'"#),
    ])
  func notUnderstood(arguments: [String], message: String) throws {
    let result = try run(annot.annot, arguments)
    #expect(result.output == "")
    let topic = ["dump", "help"].contains(arguments.first) ? arguments[0] + " " : ""
    #expect(result.errors == "annot: \(message)\nannot: try 'annot \(topic)--help'\n")
    #expect(result.status == 2)
  }

  @Test("ask for help and the version")
  func help() throws {
    for arguments in [["--help"], ["-h"], ["help"]] {
      let result = try run(annot.annot, arguments)
      #expect(result.output.hasPrefix("Usage: annot COMMAND") && result.errors == "" && result.status == 0)
    }
    for arguments in [["dump", "--help"], ["dump", "-h"], ["help", "dump"]] {
      let result = try run(annot.annot, arguments)
      #expect(result.output.hasPrefix("Usage: annot dump") && result.errors == "" && result.status == 0)
    }
    let version = try run(annot.annot, ["--version"])
    #expect(version.output.wholeMatch(of: /annot \d+\.\d+\.\d+\n/) != nil && version.status == 0)
  }

  @Test("are told in the help of every command, with examples and exit statuses")
  func everyCommand() throws {
    let overview = try annot("--help").output
    let rows = overview.split(separator: "\n\n")[1].split(separator: "\n").dropFirst()
    let commands = rows.map { String($0.split(separator: " ")[0]) }
    #expect(commands.contains("dump") && commands.contains("help"))
    for command in commands {
      let help = try annot(command, "--help")
      #expect(help.status == 0 && help.errors == "", "\(command)")
      for part in [
        "Usage: annot \(command) ", "\nOptions:\n", "-h, --help", "\nExit status: 0 ", "\nExamples:\n",
      ] {
        #expect(help.output.contains(part), "\(command): \(part)")
      }
      #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 79 }, "\(command)")
      #expect(try annot("help", command).output == help.output)
    }
  }

  @Test("may begin with a dash behind --")
  func dashes() throws {
    let result = try annot("dump", "--", "--x")
    #expect(
      result.errors == "annot: --x: cannot be opened: No such file or directory\n" && result.status == 2)
  }
}
