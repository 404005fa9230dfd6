internal import AnnotationRecords

/// A picture of what is annotated: modules, their classes, and how many annotations of each kind these have.
struct ReportPicture {
  /// The annotations of a class that are of one kind.
  private struct Leaf {
    let module, cls, kind: String
    let count: Int
  }

  private let leaves: [Leaf]
  /// How many leaves were left out.
  private let hidden: Int
  private let kindNumbers: [String: Int]

  private static let rowHeight = 18
  /// The most leaves, so that the picture can be taken in.
  private static let leafLimit = 300

  /// - Parameter kinds: The kinds' names, in the order of their colors.
  init(_ records: [AnnotationRecord], kinds: [String]) {
    struct Key: Hashable {
      let module, cls, kind: String
    }
    var counts: [Key: Int] = [:]
    for record in records {
      let module = record.module.map(moduleName) ?? "–"
      counts[Key(module: module, cls: record.cls ?? "–", kind: record.kind), default: 0] += 1
    }
    let sorted = counts.sorted { a, b in
      [a.key.module, a.key.cls, a.key.kind].lexicographicallyPrecedes([b.key.module, b.key.cls, b.key.kind])
    }
    let all = sorted.map { Leaf(module: $0.key.module, cls: $0.key.cls, kind: $0.key.kind, count: $0.value) }
    leaves = Array(all.prefix(Self.leafLimit))
    hidden = all.count - leaves.count
    kindNumbers = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1, $0) })
  }

  /// The picture as SVG.
  var svg: String {
    let height = leaves.count * Self.rowHeight + 2
    var result =
      "<svg viewBox=\"0 0 760 \(height)\" role=\"img\" aria-label=\"Modules, classes and annotations\">\n"
    result += runs { $0.module }.map { box($0, x: 0, width: 180, style: nil) }.joined()
    result += runs { $0.module + "\u{0}" + $0.cls }.map { run in
      box((run.start, run.count, leaves[run.start].cls), x: 184, width: 330, style: nil)
    }.joined()
    for (index, leaf) in leaves.enumerated() {
      let style = "k\(min(kindNumbers[leaf.kind] ?? 7, 7))"
      result += box((index, 1, "\(leaf.kind) \(leaf.count)"), x: 518, width: 240, style: style)
    }
    let more = hidden > 0 ? "<p>… and \(hidden) more</p>\n" : ""
    return result + "</svg>\n" + more
  }

  /// Neighbours with the same label, as one.
  private func runs(_ label: (Leaf) -> String) -> [(start: Int, count: Int, label: String)] {
    var result: [(start: Int, count: Int, label: String)] = []
    for (index, leaf) in leaves.enumerated() {
      let text = label(leaf)
      if result.last?.label == text {
        result[result.count - 1].count += 1
      } else {
        result.append((index, 1, text))
      }
    }
    return result
  }

  private func box(
    _ run: (start: Int, count: Int, label: String), x: Int, width: Int, style: String?
  ) -> String {
    let (y, height) = (run.start * Self.rowHeight + 1, run.count * Self.rowHeight - 2)
    let name = style.map { " class=\"\($0)\"" } ?? ""
    // About 6.7 units a character of the font.
    let text = cut(escaped(run.label), to: width * 10 / 67 - 1, keepsEnd: false)
    return "<g><title>\(html(run.label))</title><rect\(name) x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" "
      + "height=\"\(height)\" rx=\"2\"/><text x=\"\(x + 6)\" y=\"\(y + 12)\">\(markup(text))</text></g>\n"
  }

  /// Markup for text that is escaped already, so that its backslashes are not doubled.
  private func markup(_ text: String) -> String { html(text).replacingAll("\\\\", with: "\\") }
}
