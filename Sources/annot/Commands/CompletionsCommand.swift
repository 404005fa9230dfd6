/// `annot completions`: prints a script that completes command lines in a shell.
enum CompletionsCommand: Command {
  private static let shells = ["bash", "zsh", "fish"]

  static let name: StaticString = "completions"

  static var description: CommandDescription {
    CommandDescription(
      name: name, summary: "print completions for a shell", operandsText: "bash|zsh|fish",
      operands: .words(shells),
      details: [
        "Have bash source the script; put it as _annot where zsh looks for functions, as annot.fish into "
          + "~/.config/fish/completions."
      ],
      options: [],
      statuses: ("the script was printed", nil, "there is none for that shell, or it could not be written"),
      examples: [.init(line: "source <(annot completions bash)", purpose: "have them in this shell")],
      isMinor: true)
  }

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count == 1 else {
      throw UsageError(message: "one shell is needed: \(listed(shells)) are known")
    }
    switch String(cString: arguments.operands[0]) {
    case "bash": return CommandTable.show(BashCompletion.script())
    case "zsh": return CommandTable.show(ZshCompletion.script())
    case "fish": return CommandTable.show(FishCompletion.script())
    case let shell:
      throw UsageError(message: "unknown shell '\(escaped(shell))': \(listed(shells)) are known")
    }
  }
}
