/// The names that come nearest to a misspelt one, the nearest first.
///
/// A name counts as near when its edit distance, letters' case aside, is at most a third of the longer one's length, or
/// when one begins with the other.
///
/// - Parameters:
///   - name: The misspelt name.
///   - candidates: The names there are, in any order.
///   - limit: The most to return.
package func nearest(to name: String, among candidates: some Sequence<String>, limit: Int = 3) -> [String] {
  let wanted = Array(name.lowercased().unicodeScalars)
  var found: [(distance: Int, name: String)] = []
  for candidate in Set(candidates) {
    let other = Array(candidate.lowercased().unicodeScalars)
    let longest = max(wanted.count, other.count)
    let begins =
      min(wanted.count, other.count) >= 3 && (wanted.starts(with: other) || other.starts(with: wanted))
    // Names of other lengths are far without a look at their letters.
    if !begins && abs(wanted.count - other.count) * 3 > longest { continue }
    let distance = editDistance(wanted, other)
    if begins || distance * 3 <= max(longest, 3) { found.append((distance, candidate)) }
  }
  found.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
  return found.prefix(limit).map(\.name)
}

/// How many insertions, removals, replacements and swaps of neighbours make one of the other (the "optimal string
/// alignment" distance).
package func editDistance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
