/// The texts of `--help`, made of the commands' descriptions.
enum HelpText {
  /// The columns that text may take.
  private static let width = 79

  /// What the tool as a whole prints.
  static func overview() -> String {
    let commands = CommandTable.all.map { $0.description }.filter { !$0.isMinor }
    let rows = commands.map { ($0.name.description, $0.summary) }
    let options = [("-h, --help", "print this help"), ("-V, --version", "print the version")]
    let nameWidth = (rows + options).map(\.0.count).max()! + 2
    return """
      Usage: annot COMMAND [OPTION]... [FILE]...
      Show and check the annotations in ELF files. Nothing of a file is run.

      Commands:
      \(lines(rows, nameWidth: nameWidth))
      Options:
      \(lines(options, nameWidth: nameWidth))
      'annot COMMAND --help' tells more about a command.

      Exit status: 0 nothing amiss; 1 findings or differences; 2 bad usage, or something
      that could not be read or written.

      """
  }

  /// What a command prints.
  static func text(of command: CommandDescription) -> String {
    var parts = ["Usage: annot \(synopsis(of: command))\n" + wrapped(capitalized(command.summary) + ".")]
    parts += command.details.map { wrapped($0) }
    parts.append("Options:\n" + options(of: command))
    parts.append(wrapped("Exit status: " + statuses(of: command)))
    let examples = command.examples.map { "  \($0.line)\n      \($0.purpose)\n" }
    if !examples.isEmpty { parts.append("Examples:\n" + examples.joined()) }
    return parts.joined(separator: "\n")
  }

  /// What a command line is made of.
  static func synopsis(of command: CommandDescription) -> String {
    let operands = command.operandsText.isEmpty ? "" : " " + command.operandsText
    return "\(command.name) [OPTION]..." + operands
  }

  /// An option's names as help has them: `-f, --format FORMAT`.
  static func names(of option: OptionDescription) -> String {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    return letter + "--\(option.name)" + (option.placeholder.map { " " + $0 } ?? "")
  }

  /// What the exit statuses mean, as one sentence.
  static func statuses(of command: CommandDescription) -> String {
    let (success, findings, trouble) = command.statuses
    return "0 \(success); " + (findings.map { "1 \($0); " } ?? "") + "2 \(trouble)."
  }

  /// The text with a capital in front.
  static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  private static func options(of command: CommandDescription) -> String {
    let rows = command.allOptions.map { (names(of: $0), $0.help) }
    return lines(rows, nameWidth: min(rows.map(\.0.count).max()!, 26) + 2)
  }

  /// Two columns; a name that is too long for its column stands on a line of its own.
  private static func lines(_ rows: [(name: String, text: String)], nameWidth: Int) -> String {
    rows.map { name, text in
      let indent = String(repeating: " ", count: nameWidth + 2)
      let body = wrapped(text, indent: indent)
      if name.count + 2 > nameWidth { return "  \(name)\n\(body)" }
      return "  " + name + body.dropFirst(name.count + 2)
    }.joined()
  }

  /// The text in lines of bounded width, each behind the indent.
  private static func wrapped(_ text: String, indent: String = "") -> String {
    var result = ""
    var line = indent
    for word in text.split(separator: " ") {
      if line.count > indent.count && line.count + 1 + word.count > width {
        result += line + "\n"
        line = indent
      }
      line += (line.count > indent.count ? " " : "") + word
    }
    return result + line + "\n"
  }
}
