internal import AnnotationRecords

/// What a record is about: records of two files with the same identity are versions of one annotation.
struct RecordIdentity: Hashable {
  private let parts: [String]

  /// The members that name the thing besides kind and target; docs/record-format.md, "Conflicts".
  private static let keys: [String: [String]] = [
    "track": ["event"], "service": ["protocol"], "tweak": ["name"],
  ]

  init(_ record: AnnotationRecord) {
    let kind = record.kind
    var parts = [
      kind, record.module.map(moduleName) ?? "", record.cls ?? "", record.sel ?? "",
      record.isStatic ? "static" : "",
    ]
    // What names records of an application's own kinds is not known; most that have no target have a name.
    let keys = Self.keys[kind] ?? (record.cls == nil ? ["name"] : [])
    if !keys.isEmpty {
      record.forEachMember { member in
        if keys.contains(member.name) { parts.append(member.plain) }
        return true
      }
    }
    self.parts = parts
  }
}

/// All that a record says but for its place: members and their values as they are spelled, by name.
func recordContent(_ record: AnnotationRecord) -> [String: [UInt8]] {
  var result: [String: [UInt8]] = [:]
  record.forEachMember { member in
    if !["file", "line"].contains(member.name) {
      let isOldName = member.name == "module" && member.plain == "OC"
      result[member.name] = isOldName ? Array("\"C\"".utf8) : Array(member.value)
    }
    return true
  }
  return result
}
