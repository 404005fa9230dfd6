@preconcurrency import Glibc

/// What the terminal is like that a standard descriptor leads to, if it does.
enum Terminal {
  /// The columns of the terminal that standard output is; nil when it is none.
  static func width() -> Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 { return Int(size.ws_col) }
    return variable("COLUMNS").flatMap { Int($0) } ?? 80
  }

  /// Whether text on standard output is to be colored.
  ///
  /// - Parameter when: The option `--color`: "auto", "always" or "never".
  static func wantsColor(_ when: String) -> Bool {
    if when != "auto" { return when == "always" }
    // https://no-color.org: set and not empty means no.
    return isatty(STDOUT_FILENO) == 1 && (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// The looks of text on a terminal, as the numbers of ECMA-48's SGR.
enum Style: Int {
  case plain = 0
  case bold = 1
  case faint = 2
  case red = 31
  case green = 32
  case yellow = 33
  case cyan = 36

  /// The text in this style, or as it is without color.
  func callAsFunction(_ text: String, _ isColored: Bool) -> String {
    isColored && self != .plain && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }
}
