/// A schema: the part of JSON Schema (draft 2020-12) that annotations have a use for.
///
/// Keywords outside of that part are refused, since passing over them would accept what the schema's author did not
/// mean to.
struct Schema {
  /// Where a value is not what the schema asks for.
  struct Violation {
    /// The way from the record to the value: `names[2]`; empty for the record itself.
    let path: String
    let reason: String
  }

  private let isFalse: Bool
  private var types: [String] = []
  private var required: [String] = []
  private var properties: [(name: String, schema: Schema)] = []
  private var additional: [Schema] = []
  private var items: [Schema] = []
  private var choices: [JSONValue]?
  private var minimum, maximum: Double?
  private var minimumLength, maximumLength, minimumItems, maximumItems: Int?

  private static let ignored: Set = [
    "$schema", "$id", "$comment", "title", "description", "default", "examples",
  ]
  private static let typeNames: Set = ["null", "boolean", "number", "integer", "string", "array", "object"]

  /// Why a value is no schema of the known part.
  struct Problem: Error {
    let path, reason: String
  }

  /// - Parameter path: The way to the value, for the message.
  init(_ value: JSONValue, at path: String) throws(Problem) {
    if case .bool(let accepts) = value {
      isFalse = !accepts
      return
    }
    isFalse = false
    guard case .object(let members) = value else {
      throw Problem(path: path, reason: "a schema is an object, true or false")
    }
    for member in members where !Self.ignored.contains(member.name) {
      try take(member.name, member.value, at: "\(path)/\(member.name)")
    }
  }

  private mutating func take(_ keyword: String, _ value: JSONValue, at path: String) throws(Problem) {
    switch keyword {
    case "type": types = try Self.types(value, at: path)
    case "required": required = try Self.strings(value, at: path)
    case "properties":
      guard case .object(let members) = value else {
        throw Problem(path: path, reason: "an object is expected")
      }
      for member in members {
        properties.append((member.name, try Schema(member.value, at: "\(path)/\(member.name)")))
      }
    case "additionalProperties": additional = [try Schema(value, at: path)]
    case "items": items = [try Schema(value, at: path)]
    case "enum":
      guard case .array(let values) = value else { throw Problem(path: path, reason: "an array is expected") }
      choices = values
    case "const": choices = [value]
    case "minimum": minimum = try Self.number(value, at: path)
    case "maximum": maximum = try Self.number(value, at: path)
    case "minLength": minimumLength = try Self.count(value, at: path)
    case "maxLength": maximumLength = try Self.count(value, at: path)
    case "minItems": minimumItems = try Self.count(value, at: path)
    case "maxItems": maximumItems = try Self.count(value, at: path)
    default: throw Problem(path: path, reason: "the keyword '\(keyword)' is not known here")
    }
  }

  private static func types(_ value: JSONValue, at path: String) throws(Problem) -> [String] {
    let names: [String]
    if let name = value.string { names = [name] } else { names = try strings(value, at: path) }
    for name in names where !typeNames.contains(name) {
      throw Problem(path: path, reason: "there is no type '\(name)': \(listed(typeNames.sorted())) are known")
    }
    return names
  }

  private static func strings(_ value: JSONValue, at path: String) throws(Problem) -> [String] {
    guard case .array(let values) = value, values.allSatisfy({ $0.string != nil }) else {
      throw Problem(path: path, reason: "an array of strings is expected")
    }
    return values.compactMap(\.string)
  }

  private static func number(_ value: JSONValue, at path: String) throws(Problem) -> Double {
    guard let number = value.number else { throw Problem(path: path, reason: "a number is expected") }
    return number
  }

  private static func count(_ value: JSONValue, at path: String) throws(Problem) -> Int {
    guard value.isInteger, let number = value.number, let count = Int(exactly: number), count >= 0 else {
      throw Problem(path: path, reason: "a whole number, 0 or more, is expected")
    }
    return count
  }
}

extension Schema {
  /// All ways in which a value is not what the schema asks for.
  func violations(of value: JSONValue, at path: String = "") -> [Violation] {
    if isFalse { return [Violation(path: path, reason: "is not allowed")] }
    if !types.isEmpty && !types.contains(where: { Self.isOf($0, value) }) {
      return [
        Violation(path: path, reason: "is of type \(value.typeName), and \(Self.either(types)) is asked for")
      ]
    }
    var reasons: [String] = []
    if let choices, !choices.contains(value) {
      reasons.append("is \(value), and \(Self.either(choices.map(\.description))) is asked for")
    }
    if let number = value.number {
      if let minimum, number < minimum { reasons.append("is \(value), less than \(Self.text(minimum))") }
      if let maximum, number > maximum { reasons.append("is \(value), more than \(Self.text(maximum))") }
    }
    if let length = value.string?.unicodeScalars.count {
      reasons += Self.count(length, minimumLength, maximumLength, "characters")
    }
    if case .array(let values) = value {
      reasons += Self.count(values.count, minimumItems, maximumItems, "items")
    }
    return reasons.map { Violation(path: path, reason: $0) } + partsViolations(of: value, at: path)
  }

  private func partsViolations(of value: JSONValue, at path: String) -> [Violation] {
    switch value {
    case .array(let values):
      guard let items = items.first else { return [] }
      return values.enumerated().flatMap { items.violations(of: $1, at: "\(path)[\($0)]") }
    case .object(let members):
      func inner(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
      let missing = required.filter { value[$0] == nil }.map {
        Violation(path: inner($0), reason: "is missing")
      }
      return missing
        + members.flatMap { member in
          let known = properties.first { $0.name == member.name }?.schema ?? additional.first
          return known?.violations(of: member.value, at: inner(member.name)) ?? []
        }
    default: return []
    }
  }

  private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
    type == "integer" ? value.isInteger : type == value.typeName
  }

  private static func count(_ count: Int, _ least: Int?, _ most: Int?, _ what: String) -> [String] {
    if let least, count < least { return ["has \(count) \(what), less than \(least)"] }
    if let most, count > most { return ["has \(count) \(what), more than \(most)"] }
    return []
  }

  private static func either(_ words: [String]) -> String {
    words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + words.last!
  }

  private static func text(_ number: Double) -> String {
    Int(exactly: number).map { String($0) } ?? String(number)
  }
}
