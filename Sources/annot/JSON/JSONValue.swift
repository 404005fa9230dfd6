/// A JSON value, for the few places that need more than a record's members.
indirect enum JSONValue: Equatable {
  case null
  case bool(Bool)
  /// As it is spelled.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// In the order of the text.
  case object([Member])

  struct Member: Equatable {
    let name: String
    let value: JSONValue
  }

  /// The value of an object's member.
  subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// A string's text.
  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// A number's value.
  var number: Double? {
    if case .number(let text) = self { Double(text) } else { nil }
  }

  /// Whether it is a number without a fraction: `1`, `1.0` and `1e2` are.
  var isInteger: Bool { number.map { $0.rounded() == $0 && $0.isFinite } ?? false }

  /// The name of its type as JSON Schema has it, integers being numbers.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// Whether two values are the same to JSON Schema: numbers by value, objects in any order of members.
  static func == (a: JSONValue, b: JSONValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let x), .bool(let y)): x == y
    case (.number(let x), .number(let y)): x == y || Double(x) == Double(y)
    case (.string(let x), .string(let y)): x.unicodeScalars.elementsEqual(y.unicodeScalars)
    case (.array(let x), .array(let y)): x == y
    case (.object(let x), .object(let y)): x.count == y.count && x.allSatisfy { b[$0.name] == $0.value }
    default: false
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON on one line.
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): text
    case .string(let text): quoted(text)
    case .array(let values): "[" + values.map(\.description).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { quoted($0.name) + ":" + $0.value.description }.joined(separator: ",") + "}"
    }
  }
}
