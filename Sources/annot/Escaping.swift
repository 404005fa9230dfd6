/// Text from files, made fit to be shown: what could steer a terminal or hide text is spelt out.
///
/// Control characters, the backslash, bidirectional controls and invisible characters become escapes such as
/// `\n`, `\u{1B}`; bytes that are not UTF-8 become `\xFF`. So the result is on one line and is unambiguous.
func escaped(_ bytes: some Collection<UInt8>) -> String {
  if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x5C }) {
    return String(decoding: bytes, as: UTF8.self)
  }
  var result = ""
  var decoder = UTF8Scanner(bytes)
  while let piece = decoder.next() {
    switch piece {
    case .scalar(let scalar): result += escaped(scalar)
    case .invalid(let byte): result += "\\x" + hexadecimal(UInt32(byte), width: 2)
    }
  }
  return result
}

/// Text made fit to be shown; see `escaped(_:)` for bytes.
func escaped(_ text: String) -> String { escaped(text.utf8) }

private func escaped(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\n": "\\n"
  case "\t": "\\t"
  case "\r": "\\r"
  case "\\": "\\\\"
  case _ where steersTerminal(scalar): "\\u{" + hexadecimal(scalar.value, width: 2) + "}"
  default: String(scalar)
  }
}

/// Whether a character does something other than to show itself.
func steersTerminal(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
    return true
  default: return false
  }
}

/// Upper-case hexadecimal digits, at least `width` of them.
func hexadecimal(_ value: UInt32, width: Int) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Takes bytes apart into characters and bytes that are none.
struct UTF8Scanner<Bytes: Collection<UInt8>> {
  enum Piece {
    case scalar(Unicode.Scalar)
    case invalid(UInt8)
  }

  private var rest: Bytes.SubSequence

  init(_ bytes: Bytes) { rest = bytes[...] }

  mutating func next() -> Piece? {
    guard let first = rest.first else { return nil }
    var iterator = rest.makeIterator()
    var codec = UTF8()
    guard case .scalarValue(let scalar) = codec.decode(&iterator) else {
      rest = rest.dropFirst()
      return .invalid(first)
    }
    rest = rest.dropFirst(UTF8.width(scalar))
    return .scalar(scalar)
  }
}
