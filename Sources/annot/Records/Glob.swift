/// A pattern in which `*` stands for any text and `?` for one character.
struct Glob {
  private let pattern: [Unicode.Scalar]
  /// Whether it has no wildcard, and so matches one text alone.
  let isPlain: Bool

  init(_ pattern: String) {
    self.pattern = Array(pattern.unicodeScalars)
    isPlain = !self.pattern.contains("*") && !self.pattern.contains("?")
  }

  /// Whether all of the text matches.
  func matches(_ text: String) -> Bool {
    let text = Array(text.unicodeScalars)
    var (t, p) = (0, 0)
    // Where to go on when what follows the last star does not match: with one more character for the star.
    var retry: (text: Int, pattern: Int)?
    while t < text.count {
      if p < pattern.count && pattern[p] == "*" {
        p += 1
        retry = (t, p)
      } else if p < pattern.count && (pattern[p] == "?" || pattern[p] == text[t]) {
        (t, p) = (t + 1, p + 1)
      } else if let last = retry {
        retry = (last.text + 1, last.pattern)
        (t, p) = (last.text + 1, last.pattern)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }
}
