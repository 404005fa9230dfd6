/// A kind of annotation that has a meaning of its own; docs/record-format.md is normative.
struct BuiltInKind {
  /// What a member's value must be.
  enum ValueType: Equatable {
    /// A string that is not empty.
    case string
    case strings, integer, number, boolean
    case oneOf([String])
    /// A value of the type that another member names: a tweak's default.
    case typed(by: String)
  }

  /// A member of the kind's records.
  struct Member {
    let name: String
    let isRequired: Bool
    let type: ValueType
    /// What it says, as a phrase.
    let meaning: String
  }

  let name: String
  /// What an annotation says, as a phrase.
  let meaning: String
  let members: [Member]
  /// Whether records may have members of the application's own, of which nothing is known.
  var isOpen = false
  /// Whether annotations of this kind act at a join point.
  var needsJoinPoint = false

  /// The members that records of every kind may have.
  static let common = ["kind", "cls", "sel", "module", "static", "file", "line"]
}

extension BuiltInKind {
  private static let method = [
    Member(
      name: "cls", isRequired: false, type: .string,
      meaning: "the class; absent for a function at file scope"),
    Member(name: "sel", isRequired: true, type: .string, meaning: "the method's selector"),
    Member(name: "module", isRequired: true, type: .string, meaning: "the Swift module, or C"),
    Member(
      name: "static", isRequired: false, type: .boolean, meaning: "true for a method of the class itself"),
  ]
  private static let type = [
    Member(name: "cls", isRequired: true, type: .string, meaning: "the class"),
    Member(name: "module", isRequired: true, type: .string, meaning: "the Swift module, or C"),
  ]

  /// All of them, in the order of docs/record-format.md.
  static let all = [
    BuiltInKind(
      name: "needlogin", meaning: "a method may only run for a user who is logged in", members: method,
      isOpen: true, needsJoinPoint: true),
    BuiltInKind(
      name: "track", meaning: "calls of a method are an event",
      members: method + [
        Member(name: "event", isRequired: true, type: .string, meaning: "the event's identifier"),
        Member(
          name: "parameters", isRequired: false, type: .strings,
          meaning: "the parameters whose values go with the event"),
      ], needsJoinPoint: true),
    BuiltInKind(
      name: "joinpoint", meaning: "a function's calls can be advised",
      members: method + [
        Member(
          name: "parameters", isRequired: false, type: .strings,
          meaning: "the parameters whose values advice can have"),
        Member(name: "async", isRequired: false, type: .boolean, meaning: "true for one that may suspend"),
      ]),
    BuiltInKind(
      name: "class", meaning: "a class and its base",
      members: type + [
        Member(name: "base", isRequired: false, type: .string, meaning: "the class it derives from")
      ]),
    BuiltInKind(
      name: "module", meaning: "a class is a module of the application",
      members: type + [
        Member(name: "level", isRequired: false, type: .integer, meaning: "modules are set up by level"),
        Member(name: "priority", isRequired: false, type: .integer, meaning: "and then by priority"),
      ]),
    BuiltInKind(
      name: "service", meaning: "a class implements a service",
      members: [
        Member(name: "protocol", isRequired: true, type: .string, meaning: "the service's name"),
        Member(name: "implementation", isRequired: true, type: .string, meaning: "the class"),
        Member(name: "module", isRequired: false, type: .string, meaning: "where both are"),
      ]),
    BuiltInKind(
      name: "tweak", meaning: "a named value that can be changed while the program runs",
      members: [
        Member(name: "name", isRequired: true, type: .string, meaning: "the value's name"),
        Member(
          name: "type", isRequired: true, type: .oneOf(["bool", "int", "float", "text"]),
          meaning: "the value's type"),
        Member(
          name: "default", isRequired: true, type: .typed(by: "type"), meaning: "the value to begin with"),
        Member(name: "min", isRequired: false, type: .number, meaning: "the least value of an int or float"),
        Member(
          name: "max", isRequired: false, type: .number, meaning: "the greatest value of an int or float"),
      ]),
  ]

  /// The kind of a name.
  static func named(_ name: String) -> BuiltInKind? { all.first { $0.name == name } }
}

extension BuiltInKind.ValueType {
  /// What a value must be, in words: "a string that is not empty".
  var words: String {
    switch self {
    case .string: "a string that is not empty"
    case .strings: "an array of strings"
    case .integer: "an integer"
    case .number: "a number"
    case .boolean: "true or false"
    case .oneOf(let words): "one of " + words.joined(separator: ", ")
    case .typed(let member): "a value of the type that \(member) names"
    }
  }
}
