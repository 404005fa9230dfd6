internal import AnnotationRecords
@preconcurrency import Glibc

/// The commands, and what to do with the first argument.
enum CommandTable {
  /// The version of the tool.
  static let version = "0.1.0"

  /// All commands, in the order in which help shows them.
  static var all: [any Command.Type] {
    [
      DumpCommand.self, ScanCommand.self, CheckCommand.self, DiffCommand.self, ReportCommand.self,
      PsCommand.self,
      KindsCommand.self,
      HelpCommand.self, ManualCommand.self, CompletionsCommand.self,
    ]
  }

  /// The command of a name.
  static func command(named name: String) throws(UsageError) -> any Command.Type {
    if let found = all.first(where: { $0.name.description == name }) { return found }
    let near = nearest(to: name, among: all.map { $0.name.description }, limit: 1)
    let hint = near.first.map { "; did you mean '\($0)'?" } ?? ""
    throw UsageError(message: "unknown command '\(escaped(name))'\(hint)")
  }

  /// Runs the command that the program's arguments name.
  ///
  /// - Returns: The exit status.
  static func run() -> Int32 {
    let all = UnsafeMutableBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    let arguments = ArgumentVector(rebasing: all.dropFirst())
    var status = ExitStatus.trouble
    var topic = ""
    do {
      status = try dispatch(arguments, &topic)
    } catch {
      complain(error.message)
      complain("try 'annot \(topic)--help'")
    }
    return status.rawValue
  }

  /// - Parameter topic: Set to the command's name and a space as soon as it is known.
  private static func dispatch(
    _ arguments: ArgumentVector, _ topic: inout String
  ) throws(UsageError) -> ExitStatus {
    guard let first = arguments.first.flatMap({ $0 }) else {
      throw UsageError(message: "no command is given")
    }
    switch String(cString: first) {
    case "--help", "-h": return show(HelpText.overview())
    case "--version", "-V": return show("annot \(version)\n")
    case let name where name.hasPrefix("-"): throw UsageError(message: "unknown option '\(escaped(name))'")
    case let name:
      let command = try command(named: name)
      topic = name + " "
      let parsed = try parse(arguments, command.description.allOptions)
      if parsed.has("help") { return show(HelpText.text(of: command.description)) }
      return try command.run(parsed)
    }
  }

  /// Writes text to standard output.
  static func show(_ text: String) -> ExitStatus {
    var output = Output()
    output.write(text)
    output.flush()
    return .success
  }
}
