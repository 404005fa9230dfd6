@preconcurrency import Glibc

/// Prints comparisons as a Markdown table.
func printTable(_ comparisons: [Comparison], unit: String) {
  print("| what | \(unit) | against | \(unit) | ratio | budget |\n|---|--:|---|--:|--:|--:|")
  for comparison in comparisons {
    let budget = comparison.budget.map { decimal($0, 3) } ?? ""
    let isOver = comparison.budget.map { comparison.ratio > $0 } ?? false
    let cells = [
      comparison.work, decimal(comparison.time, 3), comparison.reference,
      decimal(comparison.referenceTime, 3), decimal(comparison.ratio, 3), budget + (isOver ? " (over)" : ""),
    ]
    print("| " + cells.joined(separator: " | ") + " |")
  }
  fflush(stdout)
}

/// A number with so many places behind the point.
private func decimal(_ value: Double, _ places: Int) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
    _ = withVaList([Int32(places), value]) { vsnprintf(buffer.baseAddress, buffer.count, "%.*f", $0) }
    return String(cString: buffer.baseAddress!)
  }
}
