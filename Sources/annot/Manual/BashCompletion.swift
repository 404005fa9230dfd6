/// A script that completes command lines in bash.
enum BashCompletion {
  static func script() -> String {
    let commands = CommandTable.all.map { $0.description }
    return """
      # Completions of annot(1) for bash; made by `annot completions bash`.
      _annot() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= word
        local options= values= operands=
        # bash splits --option=value at the sign.
        if [ "$current" = = ]; then current=
        elif [ "$previous" = = ]; then previous=${COMP_WORDS[COMP_CWORD-2]}
        fi
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case $word in -*) ;; *) command=$word; break ;; esac
        done
        COMPREPLY=()
        case $command in
          '')
            operands='\(names(commands))'
            options='--help --version' ;;
      \(commands.map(entry).joined(separator: "\n"))
        esac
        case $values in
          FILES) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
          NONE) return ;;
          ?*) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current"); return ;;
        esac
        case $current in
          -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current"); return ;;
        esac
        case $operands in
          FILES) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
          DIRECTORIES) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
          PROCESSES) mapfile -t COMPREPLY < <(cd /proc && compgen -G "$current*" | grep -x '[0-9]*') ;;
          *) mapfile -t COMPREPLY < <(compgen -W "$operands" -- "$current") ;;
        esac
      }
      complete -o filenames -F _annot annot

      """
  }

  private static func names(_ commands: [CommandDescription]) -> String {
    commands.map { $0.name.description }.joined(separator: " ")
  }

  private static func entry(_ command: CommandDescription) -> String {
    let options = command.allOptions.map { "--\($0.name)" }.joined(separator: " ")
    let values = command.allOptions.filter(\.takesValue).map(value).joined(separator: "\n")
    let operands =
      switch command.operands {
      case .none: ""
      case .files: "FILES"
      case .directories: "DIRECTORIES"
      case .processes: "PROCESSES"
      case .commands: names(CommandTable.all.map { $0.description })
      case .words(let words): words.joined(separator: " ")
      }
    let choices = values.isEmpty ? "" : "\n      case $previous in\n\(values)\n      esac"
    return "    \(command.name))\n      options='\(options)'\n      operands='\(operands)'\(choices) ;;"
  }

  private static func value(_ option: OptionDescription) -> String {
    let names = (option.letter.map { "-\($0)|" } ?? "") + "--\(option.name)"
    let values =
      switch option.value {
      case .choice(let words): "'" + words.joined(separator: " ") + "'"
      case .file: "FILES"
      case .text, .number: "NONE"
      }
    return "        \(names)) values=\(values) ;;"
  }
}
