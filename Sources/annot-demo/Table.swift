/// Lines of cells, printed with their columns aligned.
struct Table: CustomStringConvertible {
  private var rows: [[String]]

  /// Begins a table with its title row.
  init(_ titles: [String]) {
    rows = [titles]
  }

  /// Adds a row of as many cells as there are titles.
  mutating func add(_ row: [String]) {
    rows.append(row)
  }

  var description: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      return "  " + cells.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
