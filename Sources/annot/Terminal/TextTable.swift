/// A table whose columns are aligned, and which fits the terminal when it is to.
struct TextTable {
  /// A column: its title, and how its cells look and are cut.
  struct Column {
    let title: String
    var style = Style.plain
    /// Whether the end of a cell matters more than its beginning, as of a path.
    var keepsEnd = false
  }

  let columns: [Column]
  /// The cells, escaped; as many in each row as there are columns.
  let rows: [[String]]

  /// The least that a column shrinks to.
  private static let leastWidth = 6

  /// The lines of the table with its titles.
  ///
  /// - Parameters:
  ///   - limit: The columns of the terminal, or nil for as many as the table needs.
  ///   - isColored: Whether to use colors.
  ///   - line: Gets each line with its newline.
  func write(limit: Int?, isColored: Bool, to line: (String) -> Void) {
    var widths = self.columns.map { annot.columns(of: $0.title) }
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], annot.columns(of: cell)) }
    }
    if let limit { widths = Self.fit(widths, into: limit - 2 * (widths.count - 1)) }
    let titles = self.columns.map(\.title)
    line(text(of: titles, widths, isColored) { _ in .bold })
    for row in rows { line(text(of: row, widths, isColored) { self.columns[$0].style }) }
  }

  /// Makes the widest columns narrower, all to one width, until they fit together.
  static func fit(_ widths: [Int], into room: Int) -> [Int] {
    guard widths.reduce(0, +) > room else { return widths }
    var level = widths.max() ?? 0
    while level > leastWidth && widths.reduce(0, { $0 + min($1, level) }) > room { level -= 1 }
    var result = widths.map { min($0, level) }
    // What rounding left goes to the columns that were cut, the first ones first.
    var left = room - result.reduce(0, +)
    for column in result.indices where left > 0 && result[column] < widths[column] {
      result[column] += 1
      left -= 1
    }
    return result
  }

  private func text(of row: [String], _ widths: [Int], _ isColored: Bool, style: (Int) -> Style) -> String {
    let last = row.lastIndex { !$0.isEmpty } ?? 0
    var line = ""
    for (column, cell) in row[...last].enumerated() {
      let shown = cut(cell, to: widths[column], keepsEnd: columns[column].keepsEnd)
      line += (cell == "-" ? Style.faint : style(column))(shown, isColored)
      if column < last {
        line += String(repeating: " ", count: max(widths[column] - annot.columns(of: shown), 0) + 2)
      }
    }
    return line + "\n"
  }
}

/// Text cut to a number of a terminal's columns, with an ellipsis for what is missing.
func cut(_ text: String, to width: Int, keepsEnd: Bool) -> String {
  if columns(of: text) <= width { return text }
  var kept = Array(text.unicodeScalars)
  var wide = columns(of: text)
  while !kept.isEmpty && wide > max(width - 1, 0) {
    let scalar = keepsEnd ? kept.removeFirst() : kept.removeLast()
    wide -= columns(of: String(scalar))
  }
  var result = String.UnicodeScalarView()
  result.append(contentsOf: kept)
  return keepsEnd ? "…" + String(result) : String(result) + "…"
}
