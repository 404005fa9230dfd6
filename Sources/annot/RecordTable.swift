internal import AnnotationRecords
internal import CAnnotRecords

/// The records of a file as a table whose columns are aligned.
struct RecordTable {
  private static let titles = ["OFFSET", "KIND", "CLASS", "SELECTOR", "MODULE", "PLACE", "MEMBERS"]
  private let memberTitle = "ARCHIVE MEMBER"
  private let rows: [[String]]

  /// Makes the rows.
  init(_ records: [AnnotationRecord]) {
    let isArchive = records.contains { $0.source.member != nil }
    let titles = (isArchive ? [memberTitle] : []) + Self.titles
    rows =
      [titles]
      + records.map { record in
        (isArchive ? [escaped(record.source.member ?? "")] : []) + Self.row(of: record)
      }
  }

  private static func row(of record: AnnotationRecord) -> [String] {
    let selector = record.sel.map { record.isStatic && !$0.hasPrefix("+") ? "+" + $0 : $0 }
    let line = record.line.map { ":\($0)" } ?? ""
    let place = record.file.map { escaped($0) + line }
    return [
      String(record.offset), escaped(record.kind), record.cls.map(escaped) ?? "-",
      selector.map(escaped) ?? "-", record.module.map(escaped) ?? "-", place ?? "-", otherMembers(of: record),
    ]
  }

  /// The members that have no column, as `name=value`.
  private static func otherMembers(of record: AnnotationRecord) -> String {
    let inColumns: Set = ["kind", "cls", "sel", "module", "file", "line", "static"]
    return record.withJSON { json in
      var others: [String] = []
      var position = 0
      var member = annot_member()
      while annot_next_member(json.baseAddress!, json.count, &position, &member) {
        let name = String(decoding: member.name.bytesView, as: UTF8.self)
        if inColumns.contains(name) { continue }
        others.append("\(escaped(name))=\(escapedValue(member.value.bytesView))")
      }
      return others.joined(separator: " ")
    }
  }

  /// A JSON value as it is, but for what steers a terminal.
  ///
  /// Its backslashes are JSON's own and stay.
  private static func escapedValue(_ json: UnsafeRawBufferPointer) -> String {
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

  /// Writes the table, each column as wide as its widest cell.
  func write(to output: inout Output) {
    var widths = [Int](repeating: 0, count: rows[0].count)
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], columns(of: cell)) }
    }
    for row in rows { output.write(Self.line(row, widths)) }
  }

  private static func line(_ row: [String], _ widths: [Int]) -> String {
    let last = row.lastIndex { !$0.isEmpty } ?? 0
    var line = ""
    for (column, cell) in row[...last].enumerated() {
      line += cell
      if column < last { line += String(repeating: " ", count: widths[column] - columns(of: cell) + 2) }
    }
    return line + "\n"
  }
}

extension annot_text {
  fileprivate var bytesView: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: length) }
}
