/// What a command is, as data.
struct CommandDescription {
  /// An example for help and manual pages.
  struct Example {
    /// The command line.
    let line: String
    /// What it is for, as a phrase that ends without a full stop.
    let purpose: String
  }

  /// What a command's operands are; completions offer such.
  enum Operands {
    case none, files, directories, processes, commands
    /// One of a few words.
    case words([String])
  }

  /// The name by which it is called.
  let name: StaticString
  /// What it does, in a phrase that begins with a small letter and ends without a full stop.
  let summary: String
  /// What stands for the operands in help: `FILE...`.
  let operandsText: String
  let operands: Operands
  /// What it does in full: paragraphs, each on one line.
  let details: [String]
  let options: [OptionDescription]
  /// When it gives the exit statuses 0, 1 and 2, in phrases; nil for one that is not given.
  let statuses: (success: String, findings: String?, trouble: String)
  let examples: [Example]
  /// Whether it is left out of the overview, being of use to packagers only.
  var isMinor = false

  /// The options with the one that every command has.
  var allOptions: [OptionDescription] { options + [.help] }
}

/// A command of the tool; one file each.
protocol Command {
  /// The name by which it is called; apart from the description, which costs more to make.
  static var name: StaticString { get }

  static var description: CommandDescription { get }

  /// Does the work.
  ///
  /// - Returns: The exit status; more of it goes to standard error as it comes up.
  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus
}
