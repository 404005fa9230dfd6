/// Patterns of what is left out of a tree.
struct Exclusions {
  private struct Pattern {
    let glob: Glob
    /// Compared with the path below the root and not with the name alone.
    let isPath: Bool
    let isForDirectories: Bool
  }

  private let patterns: [Pattern]

  static var option: OptionDescription {
    OptionDescription(
      "exclude", "x", "PATTERN", .text,
      help:
        "leave out files and directories of this name, in which * and ? are wildcards; a pattern with a slash is "
        + "compared with the path below the directory given, and one with a slash at its end with directories only"
    )
  }

  init(_ texts: [String]) {
    patterns = texts.map { text in
      var rest = text[...]
      let isForDirectories = rest.count > 1 && rest.hasSuffix("/")
      if isForDirectories { rest = rest.dropLast() }
      let isPath = rest.contains("/")
      if rest.hasPrefix("/") { rest = rest.dropFirst() }
      return Pattern(glob: Glob(String(rest)), isPath: isPath, isForDirectories: isForDirectories)
    }
  }

  /// Whether an entry is left out.
  func exclude(_ file: TreeFile, isDirectory: Bool) -> Bool {
    if patterns.isEmpty { return false }
    let text = String(decoding: file.below, as: UTF8.self)
    let name = text.split(separator: "/").last.map(String.init) ?? text
    return patterns.contains { pattern in
      (isDirectory || !pattern.isForDirectories) && pattern.glob.matches(pattern.isPath ? text : name)
    }
  }
}
