/// A rule that annotations can break; its raw value is its stable identifier in every format.
enum CheckRule: String, CaseIterable {
  case malformedRecord = "malformed-record"
  case unreadable
  case missingMember = "missing-member"
  case memberType = "member-type"
  case unknownMember = "unknown-member"
  case unknownKind = "unknown-kind"
  case conflict
  case duplicate
  case noJoinPoint = "no-join-point"
  case elsewhere
  case noSymbol = "no-symbol"
  case count
  case required
  case schema

  /// What the rule asks for, as a sentence.
  var summary: String {
    switch self {
    case .malformedRecord: "Every run of bytes of the section is a record."
    case .unreadable: "Every part of a file that may have annotations can be read."
    case .missingMember: "A record of a built-in kind has the members that the kind requires."
    case .memberType: "The members of a built-in kind have values of the kind's types."
    case .unknownMember: "A record of a built-in kind has only members that the kind knows."
    case .unknownKind: "A kind's name is not a misspelt built-in one."
    case .conflict: "Two records of a built-in kind do not say different things of one target."
    case .duplicate: "A target is not annotated twice with the same."
    case .noJoinPoint: "The method that an annotation acts on has a join point."
    case .elsewhere: "The target is in a file that was not given."
    case .noSymbol: "An annotated C function exists."
    case .count: "There are as many annotations as were expected."
    case .required: "What must be annotated is annotated."
    case .schema: "A record is what the schema of its kind asks for."
    }
  }
}
