internal import AnnotationRecords

/// What the user expects there to be: numbers of annotations, and annotations of certain targets.
struct Expectations {
  /// A number that is to be met exactly or at least.
  struct Count {
    /// Nil for annotations of all kinds.
    let kind: String?
    let number: Int
    let isLeast: Bool
  }

  /// Targets that must have annotations of a kind.
  struct Requirement {
    let text, kind: String
    let pattern: TargetPattern
  }

  private var counts: [Count] = []
  private var requirements: [Requirement] = []

  static var options: [OptionDescription] {
    [
      OptionDescription(
        "expect", "e", "N", .text, help: "there must be N annotations in all; '>=N' for N or more"),
      OptionDescription(
        "expect-kind", "k", "KIND=N", .text,
        help: "there must be N annotations of this kind; 'KIND>=N' for N or more"),
      OptionDescription(
        "require", "r", "KIND: TARGET", .text,
        help:
          "every join point and other target that matches must have an annotation of this kind, and there must be "
          + "one; TARGET is [MODULE/]CLASS[.SELECTOR], in which * stands for any text and ? for one character"
      ),
    ]
  }

  init(_ arguments: ParsedArguments) throws(UsageError) {
    for text in arguments.values("expect") {
      let isLeast = text.hasPrefix(">=")
      guard let number = Int(isLeast ? text.dropFirst(2) : text[...]), number >= 0 else {
        throw UsageError(message: "option '--expect' needs N or '>=N', not '\(escaped(text))'")
      }
      counts.append(Count(kind: nil, number: number, isLeast: isLeast))
    }
    for text in arguments.values("expect-kind") { counts.append(try Self.kindCount(text)) }
    for text in arguments.values("require") {
      let parts = text.split(separator: ":", maxSplits: 1).map(trimmed)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw UsageError(message: "option '--require' needs 'KIND: TARGET', not '\(escaped(text))'")
      }
      requirements.append(Requirement(text: text, kind: parts[0], pattern: TargetPattern(parts[1])))
    }
  }

  private static func kindCount(_ text: String) throws(UsageError) -> Count {
    if let equals = text.lastIndex(of: "="), let number = Int(text[text.index(after: equals)...]), number >= 0
    {
      let isLeast = text[..<equals].hasSuffix(">")
      let kind = String(isLeast ? text[..<equals].dropLast() : text[..<equals])
      if !kind.isEmpty { return Count(kind: kind, number: number, isLeast: isLeast) }
    }
    throw UsageError(message: "option '--expect-kind' needs KIND=N or 'KIND>=N', not '\(escaped(text))'")
  }

  func findings(_ inventory: Inventory) -> [Finding] {
    let kinds = inventory.counts
    let wrong = counts.compactMap { finding($0, kinds, total: inventory.records.count) }
    return wrong + requirements.flatMap { findings($0, inventory) }
  }

  private func finding(_ count: Count, _ kinds: [String: Int], total: Int) -> Finding? {
    let found = count.kind.map { kinds[$0] ?? 0 } ?? total
    if found == count.number || count.isLeast && found > count.number { return nil }
    let what = count.kind.map { "annotations of kind '\($0)'" } ?? "annotations"
    let expected = (count.isLeast ? "at least " : "") + String(count.number)
    let near = count.kind.map { found == 0 ? nearest(to: $0, among: kinds.keys) : [] } ?? []
    return Finding(
      rule: .count, message: "there are \(found) \(what), and \(expected) are expected",
      mend: found < count.number
        ? "look for what was lost with 'annot diff'; object files of a static library that nothing refers to are not "
          + "linked (-Wl,--whole-archive links them)" : "expect \(found) if the new ones are meant",
      near: near)
  }

  private func findings(_ requirement: Requirement, _ inventory: Inventory) -> [Finding] {
    let targets = inventory.unique.filter {
      $0.sel != nil && requirement.pattern.matches($0)
    }
    if targets.isEmpty {
      let classes = nearest(to: requirement.pattern.className, among: inventory.unique.compactMap(\.cls))
      return [
        Finding(
          rule: .required, message: "nothing matches '\(requirement.pattern.text)' of '\(requirement.text)'",
          mend: "correct the pattern, or give the file that has it too", near: classes)
      ]
    }
    let present = inventory.unique.filter { $0.kind == requirement.kind }
    return targets.compactMap { target in
      if target.kind == requirement.kind || present.contains(where: { $0.isAbout(target) }) { return nil }
      return Finding(
        rule: .required,
        message: "'\(target.targetName)' has no annotation of kind '\(requirement.kind)', which "
          + "'\(requirement.text)' requires", mend: "annotate it", record: target)
    }
  }
}

/// The text without spaces at its ends.
private func trimmed(_ text: Substring) -> String {
  String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
}
