internal import AnnotationRecords
internal import CAnnotRecords

/// Checks for records that contradict each other, and for annotations that are there twice.
enum RepeatsCheck {
  static func findings(_ inventory: Inventory) -> [Finding] {
    let records = inventory.unique
    return repeats(records).compactMap { pair in
      let (first, second) = (records[pair.first], records[pair.second])
      return pair.contradicts ? conflict(second, with: first) : duplicate(second, of: first, inventory)
    }
  }

  private static func repeats(_ records: [AnnotationRecord]) -> [annot_repeat] {
    records.withUnsafeBufferPointer { records in
      var found: UnsafeMutablePointer<annot_repeat>?
      var count = 0
      var context = records
      let at: @convention(c) (UnsafeRawPointer?, Int) -> annot_record_view = { context, index in
        let record = context!.assumingMemoryBound(to: UnsafeBufferPointer<AnnotationRecord>.self).pointee[
          index]
        // The bytes stay where they are while the record is held, and the caller holds all.
        return record.withJSON {
          annot_record_view(
            bytes: $0.baseAddress, length: $0.count, kind: record.fields.kind, is_static: record.isStatic)
        }
      }
      guard annot_find_repeats(at, &context, records.count, &found, &count) else { return [] }
      defer { annot_repeats_free(found) }
      return Array(UnsafeBufferPointer(start: found, count: count))
    }
  }

  private static func conflict(_ record: AnnotationRecord, with first: AnnotationRecord) -> Finding {
    Finding(
      rule: .conflict,
      message: "this '\(record.kind)' of '\(name(of: record))' says something else than another one does",
      mend: "keep one of them", record: record, related: first)
  }

  private static func duplicate(
    _ record: AnnotationRecord, of first: AnnotationRecord, _ inventory: Inventory
  ) -> Finding? {
    // Overloads may share a name, and so do functions that are local to files.
    if record.kind == "joinpoint" { return nil }
    let points = record.cls.flatMap { inventory.joinPoints[$0] } ?? []
    if BuiltInKind.named(record.kind)?.needsJoinPoint == true
      && points.count(where: { record.isAbout($0) }) > 1
    {
      return nil
    }
    return Finding(
      rule: .duplicate, level: .warning,
      message: "'\(name(of: record))' is annotated with this '\(record.kind)' twice",
      mend: "keep one of them",
      record: record, related: first)
  }

  /// What a record is about.
  private static func name(of record: AnnotationRecord) -> String {
    var result = record.targetName
    let key = ["service": "protocol", "tweak": "name"][record.kind]
    record.forEachMember { member in
      if member.name == key { result = member.plain }
      return true
    }
    return result
  }
}
