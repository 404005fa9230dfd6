/// Manual pages in the language of man(7), made of the commands' descriptions.
enum ManualPage {
  /// The page of the tool as a whole, annot(1).
  static func overview() -> String {
    let commands = CommandTable.all.map { $0.description }
    var page = header("annot", "show and check the annotations in ELF files")
    page += "annot \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n"
    page += section("DESCRIPTION")
    page += paragraph(
      "annot reads the annotations that the macros of Annot left in executables, shared objects, object files and "
        + "archives. Nothing of a file is run.")
    page += section("COMMANDS")
    for command in commands {
      page += ".TP\n.B \(text(command.name.description))\n\(line(HelpText.capitalized(command.summary))).\n"
    }
    page += section("OPTIONS")
    page += ".TP\n.BR \\-h \", \" \\-\\-help\nPrint help; behind a command, its own.\n"
    page += ".TP\n.BR \\-V \", \" \\-\\-version\nPrint the version.\n"
    page += section("EXIT STATUS")
    page += status(0, "nothing is amiss") + status(1, "there are findings or differences")
    page += status(2, "bad usage, or something that could not be read or written")
    page += section("ENVIRONMENT")
    page += ".TP\n.B NO_COLOR\nWhen set and not empty, text is not colored.\n"
    page += ".TP\n.B TMPDIR\nWhere standard input is copied to when it is a pipe.\n"
    page += ".TP\n.B LD_LIBRARY_PATH\nWhere \\-\\-needed looks for libraries, as the loader does.\n"
    page += section("SEE ALSO")
    return page + commands.map { ".BR annot\\-\(text($0.name.description)) (1)" }.joined(separator: ",\n")
      + "\n"
  }

  /// The page of a command, such as annot-dump(1).
  static func page(of command: CommandDescription) -> String {
    let name = "annot-\(command.name)"
    var page = header(name, command.summary)
    page += "annot \(text(HelpText.synopsis(of: command)))\n"
    page += section("DESCRIPTION") + paragraph(HelpText.capitalized(command.summary) + ".")
    page += command.details.map(paragraph).joined()
    page += section("OPTIONS")
    for option in command.allOptions { page += self.option(option) }
    page += section("EXIT STATUS")
    page += status(0, command.statuses.success)
    if let findings = command.statuses.findings { page += status(1, findings) }
    page += status(2, command.statuses.trouble)
    if !command.examples.isEmpty { page += section("EXAMPLES") }
    for example in command.examples {
      page +=
        ".PP\n\(line(HelpText.capitalized(example.purpose))):\n.PP\n.RS 4\n.nf\n\(line(example.line))\n.fi\n.RE\n"
    }
    return page + section("SEE ALSO") + ".BR annot (1)\n"
  }

  private static func header(_ name: String, _ summary: String) -> String {
    // Without a date: a page is the same whenever it is made.
    ".TH \"\(text(name.uppercased()))\" 1 \"\" \"annot \(CommandTable.version)\" \"User Commands\"\n.SH NAME\n"
      + "\(text(name)) \\- \(text(summary))\n.SH SYNOPSIS\n"
  }

  private static func section(_ title: String) -> String { ".SH \(title)\n" }

  private static func paragraph(_ content: String) -> String { ".PP\n\(line(content))\n" }

  private static func status(_ status: Int, _ meaning: String) -> String {
    ".TP\n.B \(status)\n\(line(HelpText.capitalized(meaning))).\n"
  }

  private static func option(_ option: OptionDescription) -> String {
    let names = (option.letter.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
    let bold = names.map { "\\fB\(text($0))\\fR" }.joined(separator: ", ")
    let value = option.placeholder.map { " \\fI\(text($0))\\fR" } ?? ""
    return ".TP\n\(bold)\(value)\n\(line(HelpText.capitalized(option.help))).\n"
  }

  /// Text that begins a line: a dot or quote there would be a request.
  private static func line(_ content: String) -> String {
    (content.hasPrefix(".") ? "\\&" : "") + text(content)
  }

  /// Text with what has a meaning to roff escaped.
  private static func text(_ content: String) -> String {
    content.replacingAll("\\", with: "\\e").replacingAll("-", with: "\\-").replacingAll("'", with: "\\(aq")
      .replacingAll("`", with: "\\(ga").replacingAll("^", with: "\\(ha").replacingAll("~", with: "\\(ti")
  }
}
