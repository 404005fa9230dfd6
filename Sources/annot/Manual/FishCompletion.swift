/// A script that completes command lines in fish.
enum FishCompletion {
  static func script() -> String {
    let commands = CommandTable.all.map { $0.description }
    var lines = [
      "# Completions of annot(1) for fish; made by `annot completions fish`.", "complete -c annot -f",
    ]
    lines.append("complete -c annot -n __fish_use_subcommand -s h -l help -d 'print help'")
    lines.append("complete -c annot -n __fish_use_subcommand -s V -l version -d 'print the version'")
    for command in commands {
      lines.append(
        "complete -c annot -n __fish_use_subcommand -a \(command.name) -d \(quotedWord(command.summary))")
    }
    for command in commands {
      let condition = "complete -c annot -n '__fish_seen_subcommand_from \(command.name)'"
      switch command.operands {
      case .none: break
      case .files: lines.append("\(condition) -F")
      case .directories: lines.append("\(condition) -a '(__fish_complete_directories)'")
      case .processes: lines.append("\(condition) -a '(__fish_complete_pids)'")
      case .commands:
        lines.append("\(condition) -a '\(commands.map { $0.name.description }.joined(separator: " "))'")
      case .words(let words): lines.append("\(condition) -a '\(words.joined(separator: " "))'")
      }
      lines += command.allOptions.map { "\(condition)\(option($0))" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func option(_ option: OptionDescription) -> String {
    let letter = option.letter.map { " -s \($0)" } ?? ""
    let value =
      switch (option.takesValue, option.value) {
      case (false, _): ""
      case (true, .choice(let words)): " -x -a '\(words.joined(separator: " "))'"
      case (true, .file): " -r -F"
      case (true, .text), (true, .number): " -x"
      }
    return "\(letter) -l \(option.name)\(value) -d \(quotedWord(option.help))"
  }

  /// A word of the shell's between single quotes.
  private static func quotedWord(_ text: String) -> String {
    "'" + text.replacingAll("\\", with: "\\\\").replacingAll("'", with: "\\'") + "'"
  }
}
