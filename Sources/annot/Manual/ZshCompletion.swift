/// A script that completes command lines in zsh.
enum ZshCompletion {
  static func script() -> String {
    let commands = CommandTable.all.map { $0.description }
    let names = commands.map { "    \(quotedWord("\($0.name):\($0.summary)"))" }.joined(separator: "\n")
    return """
      #compdef annot
      # Completions of annot(1) for zsh; made by `annot completions zsh`.
      local -a commands
      local curcontext=$curcontext state line
      typeset -A opt_args
      commands=(
      \(names)
      )
      _arguments -C '(- : *)'{-h,--help}'[print help]' '(- : *)'{-V,--version}'[print the version]' \\
        '1: :->command' '*:: :->arguments'
      case $state in
        command) _describe -t commands command commands ;;
        arguments)
          case $words[1] in
      \(commands.map(entry).joined(separator: "\n"))
          esac ;;
      esac

      """
  }

  private static func entry(_ command: CommandDescription) -> String {
    let operands =
      switch command.operands {
      case .none: ""
      case .files: "'*:file:_files'"
      case .directories: "'*:directory:_files -/'"
      case .processes: "'*:process:_pids'"
      case .commands:
        "'1:command:(\(CommandTable.all.map { $0.description.name.description }.joined(separator: " ")))'"
      case .words(let words): "'1:word:(\(words.joined(separator: " ")))'"
      }
    let lines = (command.allOptions.map(option) + [operands]).filter { !$0.isEmpty }.map {
      "            \($0)"
    }
    return "      \(command.name))\n        _arguments \\\n\(lines.joined(separator: " \\\n")) ;;"
  }

  private static func option(_ option: OptionDescription) -> String {
    let description = option.help.replacingAll("[", with: "\\[").replacingAll("]", with: "\\]")
    var value = ""
    if let placeholder = option.placeholder {
      let action =
        switch option.value {
        case .choice(let words): "(\(words.joined(separator: " ")))"
        case .file: "_files"
        case .text, .number: " "
        }
      value = ":\(placeholder.replacingAll(":", with: "\\:")):\(action)"
    }
    let text = quotedWord("[\(description)]\(value)")
    // The star lets an option be given again.
    guard let letter = option.letter else { return "'*--\(option.name)\(value.isEmpty ? "" : "=")'\(text)" }
    return "'*'{-\(letter)\(value.isEmpty ? "" : "+"),--\(option.name)\(value.isEmpty ? "" : "=")}\(text)"
  }

  /// A word of the shell's between single quotes.
  private static func quotedWord(_ text: String) -> String {
    "'" + text.replacingAll("'", with: "'\\''") + "'"
  }
}
