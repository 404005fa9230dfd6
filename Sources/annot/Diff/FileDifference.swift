internal import AnnotationRecords

/// The differences between two versions of a file.
struct FileDifference {
  /// The path below the directories that are compared; nil when two files are.
  let path: String?
  let changes: [AnnotationChange]
}

/// What two builds differ in.
struct BuildDifference {
  let oldName, newName: String
  /// The files that differ, in the order of their paths.
  let files: [FileDifference]
  let diagnostics: Diagnostics

  /// How many changes there are of a kind.
  func count(_ kind: AnnotationChange.Kind) -> Int {
    files.reduce(0) { $0 + $1.changes.count { $0.kind == kind } }
  }

  var isEmpty: Bool { files.isEmpty }

  /// `1 removed, 2 added`; empty when nothing differs.
  var summary: String {
    AnnotationChange.Kind.allCases.compactMap { count($0) > 0 ? "\(count($0)) \($0.rawValue)" : nil }
      .joined(separator: ", ")
  }
}

extension AnnotationChange {
  /// The place in the sources, escaped: `a.c:3`, or `a.c:3 → a.c:4` where it changed.
  var places: String {
    let (before, after) = (old.map(Self.place), new.map(Self.place))
    if let before, let after, before != after { return "\(before) → \(after)" }
    return after ?? before ?? ""
  }

  private static func place(_ record: AnnotationRecord) -> String {
    record.file.map { escaped($0) + (record.line.map { ":\($0)" } ?? "") } ?? ""
  }

  /// The target or name of what changed, escaped.
  var subject: String {
    let record = record
    var name = record.cls == nil ? "" : record.targetName
    if name.isEmpty {
      record.forEachMember { member in
        if ["name", "protocol"].contains(member.name) { name = member.plain }
        return true
      }
    }
    return escaped((record.module.map { $0 + "/" } ?? "") + name)
  }

  /// What is different, escaped: `event="a" → "b"`; all other members of what is new or gone.
  var memberTexts: [String] {
    func text(_ value: [UInt8]?) -> String { value.map { $0.withUnsafeBytes(escapedValue) } ?? "–" }
    if kind == .changed { return members.map { "\(escaped($0.name))=\(text($0.old)) → \(text($0.new))" } }
    if kind == .moved { return [] }
    var others: [String] = []
    record.forEachMember { member in
      if !membersInColumns.contains(member.name) {
        others.append("\(escaped(member.name))=\(escapedValue(member.value))")
      }
      return true
    }
    return others
  }
}
