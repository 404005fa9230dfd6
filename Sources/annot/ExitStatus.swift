/// What a command's exit status tells scripts; greater is worse.
enum ExitStatus: Int32, Comparable {
  /// Nothing is amiss.
  case success = 0
  /// There are findings or differences: among them malformed records.
  case findings = 1
  /// Bad usage, or input that could not be read, or output that could not be written.
  case trouble = 2

  static func < (a: ExitStatus, b: ExitStatus) -> Bool { a.rawValue < b.rawValue }

  /// Remembers the worse one.
  mutating func raise(to other: ExitStatus) { self = max(self, other) }
}
