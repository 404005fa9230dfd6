/// Escapes of half a surrogate pair, which RFC 8259 lets stand and many readers, jq among them, refuse.
enum LoneSurrogates {
  /// Whether the JSON has an escape of a surrogate at all, which few records have.
  static func mayBe(in json: UnsafeRawBufferPointer) -> Bool {
    var position = 0
    while let backslash = json[position...].firstIndex(of: UInt8(ascii: "\\")) {
      let next = backslash + 2
      guard next < json.count else { return false }
      if json[next - 1] == UInt8(ascii: "u") && json[next] | 0x20 == UInt8(ascii: "d") { return true }
      position = next
    }
    return false
  }

  /// The JSON with each lone surrogate's escape replaced by that of U+FFFD.
  ///
  /// - Parameter json: valid JSON.
  static func replaced(in json: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position < json.count {
      guard json[position] == UInt8(ascii: "\\") else {
        result.append(json[position])
        position += 1
        continue
      }
      let length = lengthOfEscape(in: json, at: position)
      if length == 0 {
        result += Array("\\ufffd".utf8)
        position += 6
      } else {
        result += json[position..<position + length]
        position += length
      }
    }
    return result
  }

  /// The bytes of the escape at a backslash, a surrogate pair as one; 0 for a lone surrogate.
  private static func lengthOfEscape(in json: [UInt8], at position: Int) -> Int {
    guard let unit = unit(in: json, at: position) else { return 2 }
    switch unit {
    case 0xD800...0xDBFF:
      guard let next = self.unit(in: json, at: position + 6), 0xDC00...0xDFFF ~= next else { return 0 }
      return 12
    case 0xDC00...0xDFFF: return 0
    default: return 6
    }
  }

  /// The UTF-16 unit of a `\u` escape; nil if there is none.
  private static func unit(in json: [UInt8], at position: Int) -> UInt16? {
    guard position + 6 <= json.count, json[position] == UInt8(ascii: "\\"),
      json[position + 1] == UInt8(ascii: "u")
    else { return nil }
    return UInt16(String(decoding: json[(position + 2)..<(position + 6)], as: UTF8.self), radix: 16)
  }
}
