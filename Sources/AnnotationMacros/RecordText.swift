#if Macros
  /// The JSON text of a record, built member by member in canonical form (docs/record-format.md).
  struct RecordText {
    private(set) var json: String

    /// Begins a record of a kind.
    init(kind: String) {
      json = "{\"kind\":" + Self.quoted(kind)
    }

    /// Adds a member whose value is text.
    mutating func add(_ name: String, text: String) {
      add(name, raw: Self.quoted(text))
    }

    /// Adds a member whose value is JSON already.
    mutating func add(_ name: String, raw: String) {
      json += "," + Self.quoted(name) + ":" + raw
    }

    /// Ends the record; its bytes, with the NUL.
    func bytes() -> [UInt8] { Array((json + "}").utf8) + [0] }

    /// A JSON string (RFC 8259, section 7): quotes, backslashes and control characters are escaped.
    static func quoted(_ text: String) -> String {
      var result = "\""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": result += "\\\(scalar)"
        case "\u{0}"..<"\u{20}":
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: result.unicodeScalars.append(scalar)
        }
      }
      return result + "\""
    }
  }
#endif
