/// `annot manual`: prints manual pages, for those who install or package the tool.
enum ManualCommand: Command {
  static let name: StaticString = "manual"

  static var description: CommandDescription {
    CommandDescription(
      name: name, summary: "print a manual page", operandsText: "[COMMAND]", operands: .commands,
      details: [
        "The page is in the language of man(7). Without COMMAND it is annot(1), with one annot-COMMAND(1). The same "
          + "pages are in docs/man of the sources, and installed by scripts/install."
      ],
      options: [],
      statuses: ("the page was printed", nil, "there is no such command, or the page could not be written"),
      examples: [.init(line: "annot manual dump | man -l -", purpose: "read a page that is not installed")],
      isMinor: true)
  }

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    guard let topic = arguments.operands.first.map({ String(cString: $0) }) else {
      return CommandTable.show(ManualPage.overview())
    }
    return CommandTable.show(ManualPage.page(of: try CommandTable.command(named: topic).description))
  }
}
