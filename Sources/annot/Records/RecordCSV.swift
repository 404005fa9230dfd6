internal import AnnotationRecords

/// The lines of `--format csv`: RFC 4180, but that lines end with a newline alone.
enum RecordCSV {
  /// The titles.
  static func header(withSource: Bool) -> String {
    let places = withSource ? ["source", "line"] : []
    return line(
      ["file", "member", "section", "offset", "kind", "cls", "sel", "static", "module"] + places + ["members"]
    )
  }

  /// A record's line.
  static func line(of record: AnnotationRecord, withSource: Bool) -> String {
    let places = withSource ? [record.file ?? "", record.line.map { String($0) } ?? ""] : []
    let fields =
      [
        record.source.image, record.source.member ?? "", record.source.section, String(record.offset),
        record.kind, record.cls ?? "", record.sel ?? "", record.isStatic ? "true" : "", record.module ?? "",
      ] + places
    return line(fields.map(escaped) + [otherMembers(of: record)])
  }

  /// The members that have no column, as a JSON object; empty when there are none.
  private static func otherMembers(of record: AnnotationRecord) -> String {
    var members: [String] = []
    record.forEachMember { member in
      if membersInColumns.contains(member.name) { return true }
      members.append("\"\(respelled(member.spelledName))\":\(respelled(member.value))")
      return true
    }
    return members.isEmpty ? "" : "{\(members.joined(separator: ","))}"
  }

  private static func line(_ fields: [String]) -> String {
    fields.map { field in
      let isPlain = field.utf8.allSatisfy { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ",") }
      return isPlain
        ? field
        : "\""
          + field.split(separator: "\"", omittingEmptySubsequences: false)
          .joined(separator: "\"\"") + "\""
    }
    .joined(separator: ",") + "\n"
  }
}

/// The members that tables have columns for.
let membersInColumns: Set = ["kind", "cls", "sel", "module", "file", "line", "static"]
