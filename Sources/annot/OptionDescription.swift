/// An option of a command, described once: parsing, help, manual pages and completions are all made of this.
struct OptionDescription {
  /// What an option's value is.
  enum Value {
    /// One of a few words; the first is what it is without the option.
    case choice([String])
    /// Text of the user's own.
    case text
    /// A whole number, 0 or more.
    case number
    /// The path of a file.
    case file
  }

  /// The long name, without dashes.
  let name: StaticString
  /// The short name, if there is one.
  let letter: Character?
  /// What stands for the value in help, in capitals; nil when the option takes none.
  let placeholder: String?
  /// What the value is; of no meaning when there is none.
  let value: Value
  /// What it does, in a phrase or a sentence that ends without a full stop.
  let help: String

  /// Describes an option that takes no value.
  init(_ name: StaticString, _ letter: Character? = nil, help: String) {
    self.name = name
    self.letter = letter
    self.help = help
    placeholder = nil
    value = .text
  }

  /// Describes an option that takes a value.
  init(_ name: StaticString, _ letter: Character? = nil, _ placeholder: String, _ value: Value, help: String)
  {
    self.name = name
    self.letter = letter
    self.placeholder = placeholder
    self.value = value
    self.help = help
  }

  var takesValue: Bool { placeholder != nil }
}

extension OptionDescription {
  /// The option that every command has.
  static let help = OptionDescription("help", "h", help: "print this help")

  /// `--format`; the first name is the default.
  static func format(_ names: [String], help: String) -> OptionDescription {
    OptionDescription("format", "f", "FORMAT", .choice(names), help: help)
  }

  static let color = OptionDescription(
    "color", nil, "WHEN", .choice(["auto", "always", "never"]),
    help: "color the text: auto (default) does so on a terminal unless NO_COLOR is set or TERM is dumb")
}
