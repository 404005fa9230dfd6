internal import AnnotationRecords

/// The records of a file as a table.
struct RecordTable {
  private let table: TextTable

  /// Makes the rows.
  ///
  /// - Parameter withSource: Whether there is a column for the source file and line.
  init(_ records: [AnnotationRecord], withSource: Bool) {
    let isArchive = records.contains { $0.source.member != nil }
    let columns: [TextTable.Column?] = [
      isArchive ? .init(title: "ARCHIVE MEMBER", keepsEnd: true) : nil, .init(title: "OFFSET"),
      .init(title: "KIND", style: .cyan), .init(title: "CLASS", style: .bold),
      .init(title: "SELECTOR", style: .bold),
      .init(title: "MODULE"), withSource ? .init(title: "PLACE", style: .faint, keepsEnd: true) : nil,
      .init(title: "MEMBERS"),
    ]
    table = TextTable(
      columns: columns.compactMap { $0 },
      rows: records.map { record in
        (isArchive ? [escaped(record.source.member ?? "")] : [])
          + Self.row(of: record, withSource: withSource)
      })
  }

  private static func row(of record: AnnotationRecord, withSource: Bool) -> [String] {
    let line = record.line.map { ":\($0)" } ?? ""
    let place = record.file.map { escaped($0) + line } ?? "-"
    return [
      String(record.offset), escaped(record.kind), record.cls.map(escaped) ?? "-",
      record.signedSelector.map(escaped) ?? "-", record.module.map(escaped) ?? "-",
    ] + (withSource ? [place] : []) + [otherMembers(of: record)]
  }

  /// The members that have no column, as `name=value`.
  private static func otherMembers(of record: AnnotationRecord) -> String {
    var others: [String] = []
    record.forEachMember { member in
      if membersInColumns.contains(member.name) { return true }
      let name = String(decoding: member.spelledName, as: UTF8.self)
      others.append("\(escaped(name))=\(escapedValue(member.value))")
      return true
    }
    return others.joined(separator: " ")
  }

  /// Writes the table; see ``TextTable``.
  func write(limit: Int?, isColored: Bool, to output: inout Output) {
    table.write(limit: limit, isColored: isColored) { output.write($0) }
  }
}

extension AnnotationRecord {
  /// The selector, with `+` before a static method's.
  var signedSelector: String? { sel.map { isStatic && !$0.hasPrefix("+") ? "+" + $0 : $0 } }
}

/// A JSON value as it is, but for what steers a terminal.
///
/// Its backslashes are JSON's own and stay.
func escapedValue(_ json: UnsafeRawBufferPointer) -> String {
  var result = ""
  for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
    if steersTerminal(scalar) {
      result += "\\u" + hexadecimal(scalar.value, width: 4)
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}
