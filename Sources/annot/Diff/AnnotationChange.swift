internal import AnnotationRecords

/// A difference between two files' annotations.
struct AnnotationChange {
  enum Kind: String, CaseIterable {
    case removed, added, changed, moved
  }

  /// A member whose value is another; nil where there is none.
  struct Member {
    let name: String
    let old, new: [UInt8]?
  }

  let kind: Kind
  let old, new: AnnotationRecord?
  /// The members that differ, by name; of a changed annotation only.
  var members: [Member] = []

  /// The record that shows it: the new one, unless it is gone.
  var record: AnnotationRecord { new ?? old! }

  /// The differences between two lists of records.
  ///
  /// Records that are about the same thing are paired: first those that say the same, then the others in their order.
  ///
  /// - Parameter withMoves: Whether another place in the sources is a difference.
  static func between(
    _ old: [AnnotationRecord], _ new: [AnnotationRecord], withMoves: Bool
  ) -> [AnnotationChange] {
    var left: [RecordIdentity: [AnnotationRecord]] = [:]
    for record in old { left[RecordIdentity(record), default: []].append(record) }
    var changes: [AnnotationChange] = []
    var right: [RecordIdentity: [AnnotationRecord]] = [:]
    for record in new { right[RecordIdentity(record), default: []].append(record) }
    for (identity, records) in right {
      changes += compare(left.removeValue(forKey: identity) ?? [], records, withMoves: withMoves)
    }
    for records in left.values { changes += compare(records, [], withMoves: withMoves) }
    return sorted(changes)
  }

  private static func compare(
    _ old: [AnnotationRecord], _ new: [AnnotationRecord], withMoves: Bool
  ) -> [AnnotationChange] {
    let (before, after) = withoutPairs(old, new, by: { $0 })
    var (old, rest, changes) = pairMoved(before, after)
    if !withMoves { changes = [] }
    let paired = min(old.count, rest.count)
    for (before, after) in zip(old, rest) {
      changes.append(
        AnnotationChange(kind: .changed, old: before, new: after, members: differences(before, after)))
    }
    changes += old[paired...].map { AnnotationChange(kind: .removed, old: $0, new: nil) }
    return changes + rest[paired...].map { AnnotationChange(kind: .added, old: nil, new: $0) }
  }

  /// Takes the records that say the same at another place out of both lists.
  private static func pairMoved(
    _ old: [AnnotationRecord], _ new: [AnnotationRecord]
  ) -> (old: [AnnotationRecord], new: [AnnotationRecord], moves: [AnnotationChange]) {
    var moves: [AnnotationChange] = []
    let (left, rest) = withoutPairs(old, new, by: recordContent) { before, after in
      moves.append(AnnotationChange(kind: .moved, old: before, new: after))
    }
    return (left, rest, moves)
  }

  /// What is left of two lists when records with the same key are taken out in pairs.
  private static func withoutPairs<Key: Hashable>(
    _ old: [AnnotationRecord], _ new: [AnnotationRecord], by key: (AnnotationRecord) -> Key,
    pair: (AnnotationRecord, AnnotationRecord) -> Void = { _, _ in }
  ) -> (old: [AnnotationRecord], new: [AnnotationRecord]) {
    // The indexes of the old ones by key, the last ones first.
    var waiting: [Key: [Int]] = [:]
    for index in old.indices.reversed() { waiting[key(old[index]), default: []].append(index) }
    var isPaired = [Bool](repeating: false, count: old.count)
    let rest = new.filter { record in
      guard let index = waiting[key(record)]?.popLast() else { return true }
      isPaired[index] = true
      pair(old[index], record)
      return false
    }
    return (old.indices.filter { !isPaired[$0] }.map { old[$0] }, rest)
  }

  private static func differences(_ old: AnnotationRecord, _ new: AnnotationRecord) -> [Member] {
    let (before, after) = (recordContent(old), recordContent(new))
    return Set(before.keys).union(after.keys).sorted().compactMap { name in
      before[name] == after[name] ? nil : Member(name: name, old: before[name], new: after[name])
    }
  }

  /// In the order of kind, target and place; what is gone stands before what is new.
  private static func sorted(_ changes: [AnnotationChange]) -> [AnnotationChange] {
    let keyed = changes.map { change -> (key: [String], line: Int, rank: Int, change: AnnotationChange) in
      let record = change.record
      let key = [record.kind, record.module ?? "", record.cls ?? "", record.sel ?? "", record.file ?? ""]
      return (key, record.line ?? 0, Kind.allCases.firstIndex(of: change.kind)!, change)
    }
    return keyed.sorted { a, b in
      if a.key != b.key { return a.key.lexicographicallyPrecedes(b.key) }
      if (a.line, a.rank) != (b.line, b.rank) { return (a.line, a.rank) < (b.line, b.rank) }
      return a.change.record.json < b.change.record.json
    }
    .map(\.change)
  }
}
