extension BuildDifference {
  /// The changes one a line, as for people at a terminal.
  func text(isColored: Bool) -> String {
    var result = ""
    for file in files {
      if let path = file.path { result += Style.bold(escaped(path), isColored) + ":\n" }
      for change in file.changes { result += Self.line(change, isColored) }
    }
    return isEmpty ? "no differences\n" : result + summary + "\n"
  }

  private static func line(_ change: AnnotationChange, _ isColored: Bool) -> String {
    let (sign, style): (String, Style) =
      switch change.kind {
      case .removed: ("-", .red)
      case .added: ("+", .green)
      case .changed: ("~", .yellow)
      case .moved: (">", .cyan)
      }
    let parts = [escaped(change.record.kind), change.subject] + change.memberTexts + [change.places]
    let text = parts.filter { !$0.isEmpty }.joined(separator: "  ")
    return style("\(sign) \(text)", isColored) + "\n"
  }

  /// A table in Markdown as GitHub and others read it, fit for a comment on a pull request.
  func markdown() -> String {
    if isEmpty { return "**Annotations:** no differences\n" }
    // What is lost matters most; and a comment has at most 65,536 characters.
    var rows = files.flatMap { file in file.changes.map { (file.path, $0) } }
    let ranks = AnnotationChange.Kind.allCases
    rows = ranks.flatMap { kind in rows.filter { $0.1.kind == kind } }
    let withFiles = files.contains { $0.path != nil }
    var result = "**Annotations:** \(summary)\n\n"
    result += "| | Kind | Target |\(withFiles ? " File |" : "") Place | Members |\n"
    result += "|---|---|---|\(withFiles ? "---|" : "")---|---|\n"
    let limit = 60_000
    for (index, (path, change)) in rows.enumerated() {
      let cells =
        [change.kind.rawValue, Self.code(escaped(change.record.kind)), Self.code(change.subject)]
        + (withFiles ? [Self.code(escaped(path ?? ""))] : []) + [Self.code(change.places)]
        + [change.memberTexts.map(Self.code).joined(separator: "<br>")]
      let row = "| " + cells.joined(separator: " | ") + " |\n"
      if result.utf8.count + row.utf8.count > limit {
        return result + "\n… and \(rows.count - index) more\n"
      }
      result += row
    }
    return result
  }

  /// Text as code, in which nothing has a meaning to Markdown: no mention, link or HTML.
  private static func code(_ text: String) -> String {
    if text.isEmpty { return "" }
    // A pipe ends a table's cell even in code.
    let cell = text.replacingAll("|", with: "\\|")
    var longest = 0
    var run = 0
    for character in cell.utf8 {
      run = character == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let pad = cell.hasPrefix("`") || cell.hasSuffix("`") ? " " : ""
    return fence + pad + cell + pad + fence
  }

  /// One JSON document; the schema is in docs/cli.md.
  func json() -> String {
    let changes = files.flatMap { file in
      file.changes.map { "\n" + Self.object($0, path: file.path) }
    }
    let counts = AnnotationChange.Kind.allCases.map { "\"\($0.rawValue)\":\(count($0))" }.joined(
      separator: ",")
    return "{\"version\":1,\"old\":\(quoted(oldName)),\"new\":\(quoted(newName)),"
      + "\"changes\":[\(changes.joined(separator: ","))\(changes.isEmpty ? "" : "\n")],"
      + "\"counts\":{\(counts)}\(diagnostics.json)}\n"
  }

  private static func object(_ change: AnnotationChange, path: String?) -> String {
    var text = "{\"change\":\"\(change.kind.rawValue)\""
    if let path { text += ",\"path\":\(quoted(path))" }
    for case (let name, let record?) in [("old", change.old), ("new", change.new)] {
      let json = String(decoding: recordJSON(record, withSource: true), as: UTF8.self)
      text += ",\"\(name)\":{\(placeJSON(of: record)),\"record\":\(json)}"
    }
    if change.kind == .changed {
      text += ",\"members\":[\(change.members.map { quoted($0.name) }.joined(separator: ","))]"
    }
    return text + "}"
  }
}
