internal import AnnotationRecords

/// Checks the members of built-in kinds, and the names of kinds.
enum MembersCheck {
  static func findings(_ records: [AnnotationRecord]) -> [Finding] {
    records.flatMap { record in
      BuiltInKind.named(record.kind).map { check(record, $0) } ?? misspelt(record)
    }
  }

  /// A kind whose name is near a built-in one's.
  ///
  /// Kinds with a dot are never built in.
  private static func misspelt(_ record: AnnotationRecord) -> [Finding] {
    if record.kind.contains(".") { return [] }
    let names = BuiltInKind.all.map(\.name)
    let near = nearest(to: record.kind, among: names, limit: 1).filter { name in
      editDistance(Array(record.kind.lowercased()), Array(name)) <= 2
    }
    if near.isEmpty { return [] }
    return [
      Finding(
        rule: .unknownKind, level: .warning, message: "there is no built-in kind '\(record.kind)'",
        mend: "write the kind as it is built in, or give a kind of your own a name with a dot, such as "
          + "'shop.\(record.kind)'", near: near, record: record)
    ]
  }

  private static func check(_ record: AnnotationRecord, _ kind: BuiltInKind) -> [Finding] {
    guard
      case .object(let members)? = try? JSONParser.parse(record.withJSON { $0.map(UInt8.init(bitPattern:)) })
    else { return [] }
    let known = kind.members.map(\.name) + BuiltInKind.common
    var findings: [Finding] = []
    for member in kind.members where member.isRequired {
      if members.contains(where: { $0.name == member.name }) { continue }
      findings.append(
        Finding(
          rule: .missingMember, message: "a record of kind '\(kind.name)' lacks the member '\(member.name)'",
          mend: "add '\(member.name)': \(member.meaning)", record: record))
    }
    for member in members {
      if let rule = kind.members.first(where: { $0.name == member.name }) {
        if !fits(member.value, rule.type, among: members) {
          findings.append(
            Finding(
              rule: .memberType,
              message: "the member '\(member.name)' of kind '\(kind.name)' is \(member.value), and must be "
                + rule.type.words, record: record))
        }
      } else if !known.contains(member.name) {
        findings += unknown(member.name, kind, known, record)
      }
    }
    return findings + limits(kind, members, record)
  }

  private static func unknown(
    _ name: String, _ kind: BuiltInKind, _ known: [String], _ record: AnnotationRecord
  ) -> [Finding] {
    let near = nearest(to: name, among: known, limit: 1)
    if kind.isOpen && near.isEmpty { return [] }
    // A name that is like no other may be meant for a later version, or for the application alone.
    return [
      Finding(
        rule: .unknownMember, level: near.isEmpty ? .note : .warning,
        message: "kind '\(kind.name)' knows no member '\(name)'", near: near, record: record)
    ]
  }

  /// What a tweak's limits must be.
  private static func limits(
    _ kind: BuiltInKind, _ members: [JSONValue.Member], _ record: AnnotationRecord
  ) -> [Finding] {
    guard kind.name == "tweak" else { return [] }
    let object = JSONValue.object(members)
    let (least, most) = (object["min"], object["max"])
    var reasons: [String] = []
    if (least == nil) != (most == nil) {
      reasons.append("has only one of 'min' and 'max', which go together")
    }
    if least ?? most != nil, let type = object["type"]?.string, ["bool", "text"].contains(type) {
      reasons.append("is of type \(type), which has no 'min' and 'max'")
    }
    if let least = least?.number, let most = most?.number {
      if least > most { reasons.append("has a 'min' that is more than its 'max'") }
      if let value = object["default"]?.number, value < least || value > most {
        reasons.append("has a default outside of its limits")
      }
    }
    let name = object["name"]?.string ?? ""
    return reasons.map { Finding(rule: .memberType, message: "the tweak '\(name)' \($0)", record: record) }
  }

  private static func fits(
    _ value: JSONValue, _ type: BuiltInKind.ValueType, among members: [JSONValue.Member]
  ) -> Bool {
    switch (type, value) {
    case (.string, .string(let text)): return !text.isEmpty
    case (.strings, .array(let values)): return values.allSatisfy { $0.string != nil }
    case (.integer, .number): return value.isInteger
    case (.number, .number), (.boolean, .bool): return true
    case (.oneOf(let words), .string(let text)): return words.contains(text)
    case (.typed(let name), _):
      switch JSONValue.object(members)[name]?.string {
      case "bool": return value.typeName == "boolean"
      case "int": return value.isInteger
      case "float": return value.typeName == "number"
      case "text": return value.string != nil
      default: return true
      }
    default: return false
    }
  }
}
