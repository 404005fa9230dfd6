/// `annot help`: tells what commands do.
enum HelpCommand: Command {
  static let name: StaticString = "help"

  static var description: CommandDescription {
    CommandDescription(
      name: name, summary: "tell more about a command", operandsText: "[COMMAND]", operands: .commands,
      details: [], options: [],
      statuses: ("the help was printed", nil, "there is no such command, or the help could not be written"),
      examples: [.init(line: "annot help dump", purpose: "what 'annot dump --help' prints")])
  }

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    guard let topic = arguments.operands.first.map({ String(cString: $0) }) else {
      return CommandTable.show(HelpText.overview())
    }
    let command = try CommandTable.command(named: topic)
    return CommandTable.show(HelpText.text(of: command.description))
  }
}
