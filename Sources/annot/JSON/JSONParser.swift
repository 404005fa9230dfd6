/// Why text is not JSON.
struct JSONError: Error {
  let line, column: Int
  let reason: String
}

/// Reads JSON (RFC 8259).
struct JSONParser {
  /// The deepest nesting of arrays and objects.
  private static let depthLimit = 128

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a text that is one JSON value.
  static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes)
    if !isUTF8(bytes) { throw parser.error("the text is not UTF-8") }
    let value = try parser.value()
    parser.skipSpace()
    if parser.position < bytes.count { throw parser.error("there is more behind the value") }
    return value
  }

  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    var scanner = UTF8Scanner(bytes)
    while let piece = scanner.next() {
      if case .invalid = piece { return false }
    }
    return true
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func error(_ reason: String) -> JSONError {
    let before = bytes[..<min(position, bytes.count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    return JSONError(line: line, column: before.count - lineStart + 1, reason: reason)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { parser throws(JSONError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw error("a value is missing at the end")
    default: return try number()
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    depth += 1
    if depth > Self.depthLimit { throw error("it is nested more than \(Self.depthLimit) levels deep") }
    position += 1
    let result = try body(&self)
    depth -= 1
    return result
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    skipSpace()
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("a member's name in quotes is expected") }
      let name = try string()
      if !names.insert(name).inserted { throw error("the object has two members '\(name)'") }
      skipSpace()
      if !take(":") { throw error("a colon is expected behind a member's name") }
      members.append(.init(name: name, value: try value()))
      skipSpace()
    } while take(",")
    if !take("}") { throw error("a comma or } is expected") }
    return .object(members)
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    var values: [JSONValue] = []
    skipSpace()
    if take("]") { return .array([]) }
    repeat {
      values.append(try value())
      skipSpace()
    } while take(",")
    if !take("]") { throw error("a comma or ] is expected") }
    return .array(values)
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw error("a value is expected") }
    position += word.utf8.count
    return value
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    _ = take("-")
    if !take("0") { try digits("a value is expected") }
    if take(".") { try digits("a digit is expected") }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      try digits("a digit is expected")
    }
    return .number(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func digits(_ reason: String) throws(JSONError) {
    let start = position
    while let byte = next, byte >= 0x30, byte <= 0x39 { position += 1 }
    if position == start { throw error(reason) }
  }

  private mutating func string() throws(JSONError) -> String {
    position += 1
    var result: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: "\"") {
      if byte < 0x20 { throw error("a control character stands in a string") }
      position += 1
      if byte != UInt8(ascii: "\\") { result.append(byte) } else { result += String(try escape()).utf8 }
    }
    if !take("\"") { throw error("a string does not end") }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    guard let byte = next else { throw error("a string does not end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw error("there is no such escape in JSON")
    }
  }

  /// The character of a `\u` escape, or of two that are a pair; half of a pair becomes U+FFFD.
  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    let before = position
    guard first < 0xDC00, take("\\"), take("u") else {
      position = before
      return "\u{FFFD}"
    }
    let second = try unit()
    guard 0xDC00...0xDFFF ~= second else {
      position = before
      return "\u{FFFD}"
    }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
  }

  private mutating func unit() throws(JSONError) -> UInt32 {
    let digits = bytes[position..<min(position + 4, bytes.count)]
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("four hexadecimal digits are expected") }
    position += 4
    return value
  }
}
