@preconcurrency import Glibc

/// A line on a terminal that tells how far a long work is; it appears when the work takes over a second.
struct Progress {
  private let isShown: Bool
  private var next: Double
  private var isOnScreen = false

  init() {
    isShown = isatty(STDERR_FILENO) == 1
    next = Self.now() + 1
  }

  /// Shows a text, if it is time to.
  mutating func update(_ text: @autoclosure () -> String) {
    guard isShown, Self.now() >= next else { return }
    next = Self.now() + 0.2
    write("\r\u{1B}[K" + text())
    isOnScreen = true
  }

  /// Takes the line away, before anything else goes to the terminal.
  mutating func clear() {
    if isOnScreen { write("\r\u{1B}[K") }
    isOnScreen = false
  }

  private func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Seconds of a clock that nobody sets.
  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
