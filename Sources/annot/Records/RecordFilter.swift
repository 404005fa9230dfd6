internal import AnnotationRecords

/// Which records are wanted.
///
/// What is asked of different members must all hold; of one member, any.
struct RecordFilter {
  private let kinds, classes, modules: [Glob]
  private let conditions: [Condition]

  /// `KEY=VALUE`, or `KEY` for a member of any value.
  fileprivate struct Condition {
    let key: String
    let value: Glob?
  }

  /// The options that a filter is made of.
  static var options: [OptionDescription] {
    [
      OptionDescription(
        "kind", "k", "KIND", .text,
        help:
          "only annotations of this kind; as in the following, * stands for any text and ? for one character, "
          + "and when it is given again either will do"),
      OptionDescription("cls", "c", "CLASS", .text, help: "only annotations of this class"),
      OptionDescription(
        "module", "m", "MODULE", .text, help: "only annotations of this module; OC is read as C"),
      OptionDescription(
        "where", "w", "KEY=VALUE", .text,
        help:
          "only annotations with this member; KEY alone asks for any value, and values other than strings are "
          + "compared as they are spelled; when it is given again all must hold"),
    ]
  }

  init(_ arguments: ParsedArguments) throws(UsageError) {
    kinds = arguments.values("kind").map { Glob($0) }
    classes = arguments.values("cls").map { Glob($0) }
    modules = arguments.values("module").map { Glob(moduleName($0)) }
    var conditions: [Condition] = []
    for text in arguments.values("where") {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if parts[0].isEmpty {
        throw UsageError(message: "option '--where' needs KEY=VALUE, not '\(escaped(text))'")
      }
      conditions.append(Condition(key: parts[0], value: parts.count > 1 ? Glob(parts[1]) : nil))
    }
    self.conditions = conditions
  }

  /// Whether all records are wanted.
  var isEmpty: Bool { kinds.isEmpty && classes.isEmpty && modules.isEmpty && conditions.isEmpty }

  /// Those of the records that are wanted, in their order.
  func callAsFunction(_ records: [AnnotationRecord]) -> [AnnotationRecord] {
    isEmpty ? records : records.filter(wants)
  }

  private func wants(_ record: AnnotationRecord) -> Bool {
    Self.any(kinds, match: record.kind) && Self.any(classes, match: record.cls)
      && Self.any(modules, match: record.module.map(moduleName))
      && conditions.allSatisfy { $0.holds(for: record) }
  }

  private static func any(_ globs: [Glob], match text: String?) -> Bool {
    if globs.isEmpty { return true }
    guard let text else { return false }
    return globs.contains { $0.matches(text) }
  }
}

extension RecordFilter.Condition {
  fileprivate func holds(for record: AnnotationRecord) -> Bool {
    var result = false
    record.forEachMember { member in
      guard member.name == key else { return true }
      result = value?.matches(member.plain) ?? true
      return false
    }
    return result
  }
}

/// A module's name, with the old name of C read as the new one.
func moduleName(_ name: String) -> String { name == "OC" ? "C" : name }
