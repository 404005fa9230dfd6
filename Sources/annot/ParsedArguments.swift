@preconcurrency import Glibc

/// The arguments of a command, taken apart.
///
/// Options are asked for by their long names.
struct ParsedArguments {
  private let descriptions: [OptionDescription]
  private var options: [(name: String, value: UnsafeMutablePointer<CChar>?)] = []
  /// The operands: NUL-terminated, as the system gave them, since a file's name need not be UTF-8.
  var operands: [UnsafeMutablePointer<CChar>] = []

  init(descriptions: [OptionDescription]) { self.descriptions = descriptions }

  /// Takes an option in, after a look at its value.
  mutating func add(
    _ description: OptionDescription, _ value: UnsafeMutablePointer<CChar>?
  ) throws(UsageError) {
    let name = description.name.description
    let text = value.map { String(cString: $0) } ?? ""
    switch description.value {
    case .choice(let names) where description.takesValue && !names.contains(text):
      throw UsageError(message: "unknown \(name) '\(escaped(text))': \(listed(names)) are known")
    case .number where description.takesValue && UInt64(text) == nil:
      throw UsageError(message: "option '--\(name)' needs a whole number, not '\(escaped(text))'")
    default: options.append((name, value))
    }
  }

  /// Whether the option was given.
  func has(_ name: String) -> Bool { options.contains { $0.name == name } }

  /// The values of the option, in the order given.
  func values(_ name: String) -> [String] {
    options.filter { $0.name == name }.compactMap { $0.value.map { String(cString: $0) } }
  }

  /// The last value of the option, which is the one that counts; bytes that are not UTF-8 become U+FFFD.
  func value(_ name: String) -> String? { values(name).last }

  /// The last value of an option that is a path.
  func path(_ name: String) -> UnsafePointer<CChar>? {
    options.last { $0.name == name }?.value.map { UnsafePointer($0) }
  }

  /// The number that was given last.
  func number(_ name: String) -> UInt64? { value(name).flatMap { UInt64($0) } }

  /// The last value of an option that is one of a few words, or the first of these.
  func choice<Choice: RawRepresentable<String>>(_ name: String, as: Choice.Type = Choice.self) -> Choice {
    let description = descriptions.first { $0.name.description == name }
    guard case .choice(let names)? = description?.value,
      let choice = Choice(rawValue: value(name) ?? names[0])
    else { preconditionFailure("the option \(name) is described in another way than it is used") }
    return choice
  }

  /// The operands, of which there must be some.
  func files() throws(UsageError) -> [UnsafePointer<CChar>] {
    if operands.isEmpty { throw UsageError(message: "no file is given") }
    return operands.map { UnsafePointer($0) }
  }
}

/// Words as a sentence has them: `a, b and c`.
func listed(_ words: [String]) -> String {
  words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + words.last!
}
