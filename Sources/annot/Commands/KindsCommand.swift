/// `annot kinds`: tells what kinds of annotations are built in.
enum KindsCommand: Command {
  private enum Format: String, CaseIterable {
    case text, json
  }

  static let name: StaticString = "kinds"

  static var description: CommandDescription {
    CommandDescription(
      name: name, summary: "tell what kinds of annotations are built in", operandsText: "[KIND]...",
      operands: .words(BuiltInKind.all.map(\.name)),
      details: [
        "Prints the kinds that have a meaning of their own, with the members that their records have. Records of any "
          + "kind may have 'file' and 'line' besides. Kinds of your own have a dot in their name."
      ],
      options: [
        .format(Format.allCases.map(\.rawValue), help: "text (default), or json: one JSON document"), .color,
      ],
      statuses: ("the kinds were printed", nil, "there is no such kind, or they could not be written"),
      examples: [.init(line: "annot kinds track", purpose: "what a 'track' annotation may have")])
  }

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    var kinds = BuiltInKind.all
    if !arguments.operands.isEmpty {
      kinds = []
      for name in arguments.operands { kinds.append(try kind(named: String(cString: name))) }
    }
    let format: Format = arguments.choice("format")
    let isColored = Terminal.wantsColor(arguments.value("color") ?? "auto")
    return CommandTable.show(
      format == .json ? json(kinds) : kinds.map { text($0, isColored) }.joined(separator: "\n"))
  }

  private static func kind(named name: String) throws(UsageError) -> BuiltInKind {
    if let kind = BuiltInKind.named(name) { return kind }
    let names = BuiltInKind.all.map(\.name)
    throw UsageError(message: "there is no built-in kind '\(escaped(name))': \(listed(names)) are known")
  }

  private static func text(_ kind: BuiltInKind, _ isColored: Bool) -> String {
    let rows = kind.members.map { member in
      (member.name, member.isRequired ? "required" : "optional", member.type.words, member.meaning)
    }
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: width - text.count)
    }
    let (names, types) = (rows.map(\.0.count).max() ?? 0, rows.map(\.2.count).max() ?? 0)
    let lines = rows.map { "  \(padded($0.0, names))  \($0.1)  \(padded($0.2, types))  \($0.3)\n" }
    let more = kind.isOpen ? "  Further members are the application's own.\n" : ""
    return "\(Style.bold(kind.name, isColored)): \(kind.meaning)\n" + lines.joined() + more
  }

  private static func json(_ kinds: [BuiltInKind]) -> String {
    let objects = kinds.map { kind in
      let members = kind.members.map { member in
        "{\"name\":\(quoted(member.name)),\"required\":\(member.isRequired),"
          + "\"type\":\(quoted(member.type.words)),\"meaning\":\(quoted(member.meaning))}"
      }
      return "\n{\"name\":\(quoted(kind.name)),\"meaning\":\(quoted(kind.meaning)),\"open\":\(kind.isOpen),"
        + "\"members\":[\n\(members.joined(separator: ",\n"))\n]}"
    }
    return "{\"version\":1,\"kinds\":[\(objects.joined(separator: ","))\n]}\n"
  }
}
