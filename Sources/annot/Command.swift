@preconcurrency import Glibc

/// The commands, and what to do with the first argument.
enum Command {
  /// The version of the tool.
  static let version = "0.1.0"

  typealias Arguments = UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>

  /// Runs the command that the program's arguments name.
  ///
  /// - Returns: The exit status.
  static func run() -> Int32 {
    let all = UnsafeMutableBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    let arguments = Arguments(rebasing: all.dropFirst())
    let status: ExitStatus
    do {
      status = try dispatch(arguments)
    } catch {
      complain(error.message)
      complain("try 'annot --help'")
      status = .trouble
    }
    return status.rawValue
  }

  private static func dispatch(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
    guard let first = arguments.first.flatMap({ $0 }) else {
      throw UsageError(message: "no command is given")
    }
    switch String(cString: first) {
    case "dump": return try DumpCommand.run(arguments)
    case "help": return try help(arguments)
    case "--help", "-h": return show(Help.overview)
    case "--version", "-V": return show("annot \(version)\n")
    case let name where name.hasPrefix("-"): throw UsageError(message: "unknown option '\(escaped(name))'")
    case let name: throw UsageError(message: "unknown command '\(escaped(name))'")
    }
  }

  private static func help(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
    guard arguments.count > 1, let topic = arguments[1].map({ String(cString: $0) }) else {
      return show(Help.overview)
    }
    switch topic {
    case "dump": return show(Help.dump)
    case "help": return show(Help.overview)
    default: throw UsageError(message: "there is no command '\(escaped(topic))'")
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
