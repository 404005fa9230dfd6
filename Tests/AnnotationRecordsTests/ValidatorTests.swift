import CAnnotRecords
import Testing

/// What annot_validate says of a text.
func fault(in text: some Sequence<UInt8>) -> (fault: annot_fault, at: Int) {
  var at = 0
  let bytes = text.map { CChar(bitPattern: $0) }
  let fault = bytes.withUnsafeBufferPointer { annot_validate($0.baseAddress, $0.count, nil, &at) }
  return (fault, at)
}

func fault(_ text: String) -> annot_fault { fault(in: text.utf8).fault }

/// A record with a member `x` of this value.
func record(x value: String) -> String { #"{"kind":"k","x":\#(value)}"# }

@Suite("The validator")
struct ValidatorTests {
  @Test(
    "accepts every form of JSON value",
    arguments: [
      "0", "-0", "12", "-12", "0.5", "1e5", "1E+5", "1e-5", "1.25e10", "123456789012345678901234567890",
      "true",
      "false", "null", #""""#, #""text""#, #""\" \\ \/ \b \f \n \r \t \u0041""#, #""\uD83D\uDE00""#,
      #""\ud800""#,
      #""\u0000""#, "\"\u{7F}\"", "\"é ∑ 😀\"", "[]", "[ ]", "[1]", "[1,2,[3,[]]]", "{}", "{ }",
      #"{"a":{"b":[{}]}}"#,
      " [ 1 , 2 ] ", "\t{ \"a\" : 1 }\n", #"[{"a":1},{"a":1}]"#,
    ])
  func acceptsValues(value: String) { #expect(fault(record(x: value)) == ANNOT_FAULT_NONE) }

  @Test("finds an escape, a character outside ASCII or a fault at any place of a long string")
  func scansLongStrings() {
    for length in 0..<300 {
      let (before, after) = (
        String(repeating: "a", count: length), String(repeating: "b", count: 300 - length)
      )
      for odd in [#"\""#, "é", "\u{7F}", #"\u0041"#, ""] {
        #expect(fault(record(x: "\"\(before)\(odd)\(after)\"")) == ANNOT_FAULT_NONE, "\(odd) at \(length)")
        #expect(
          fault(record(x: "[\"\(before)\(odd)\(after)\", 1]")) == ANNOT_FAULT_NONE, "\(odd) at \(length)")
      }
      // The record up to the string has 16 bytes.
      let place = 16 + length
      for (bad, kind) in [
        ([0x01], ANNOT_FAULT_NOT_JSON), ([0xFF], ANNOT_FAULT_NOT_UTF8), ([0x5C, 0x78], ANNOT_FAULT_NOT_JSON),
      ] as [([UInt8], annot_fault)] {
        let text =
          Array(#"{"kind":"k","x":"#.utf8) + [0x22] + Array(before.utf8) + bad + Array("\(after)\"}".utf8)
        let found = fault(in: text)
        #expect(found.fault == kind && found.at == place + 1, "\(bad) at \(length)")
      }
    }
  }

  @Test(
    "rejects what is not JSON",
    arguments: [
      "", " ", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1e5.5", "0x10", "NaN", "Infinity", "tru",
      "True",
      "nul", "truee", "'a'", "a", #""a"#, #""\a""#, #""\x41""#, #""\u12""#, #""\u12G4""#, #""\"#, "\"\u{1}\"",
      "\"\n\"", "\"\t\"", "[", "[1", "[1,]", "[,1]", "[1 2]", "]", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
      #"{a:1}"#, #"{1:1}"#, #"{"a":1 "b":2}"#, "{,}", "[}", "{]", "1,", "1}", "/* */ 1", "1 // x",
      "\u{FEFF}1",
      "\u{A0}1", "\u{B}1",
    ])
  func rejectsValues(value: String) { #expect(fault(record(x: value)) == ANNOT_FAULT_NOT_JSON) }

  @Test("rejects what follows the record", arguments: ["}", ",", "x", "{}", "\u{FEFF}"])
  func rejectsTrailingText(text: String) {
    #expect(fault(#"{"kind":"k"}"# + text) == ANNOT_FAULT_NOT_JSON)
  }

  @Test("rejects every proper beginning of a record")
  func rejectsBeginnings() {
    let text = Array(#"{"kind":"k","a":[1.5e3,true,{"b":"\u00e9 é"}],"line":12}"#.utf8)
    for length in 0..<text.count {
      let found = fault(in: text.prefix(length)).fault
      #expect(found == ANNOT_FAULT_NOT_JSON || found == ANNOT_FAULT_NOT_UTF8, "length \(length)")
    }
    #expect(fault(in: text).fault == ANNOT_FAULT_NONE)
  }

  @Test(
    "tells JSON that is no object from what is no JSON", arguments: ["1", "[]", #""a""#, "null", " [{}] "])
  func rejectsOtherValues(text: String) { #expect(fault(text) == ANNOT_FAULT_NOT_OBJECT) }

  @Test(
    "wants a kind",
    arguments: [
      "{}", #"{"kind":""}"#, #"{"kind":1}"#, #"{"kind":null}"#, #"{"a":{"kind":"k"}}"#, #"{"kind":["k"]}"#,
    ])
  func wantsKind(text: String) { #expect(fault(text) == ANNOT_FAULT_NO_KIND) }

  @Test("finds a kind whose name is written with escapes")
  func findsEscapedKind() { #expect(fault(#"{"k\u0069nd":"k"}"#) == ANNOT_FAULT_NONE) }

  @Test("tells where a fault is")
  func tellsPlace() {
    #expect(fault(in: #"{"kind":"k","a":tru}"#.utf8).at == 19)
    #expect(fault(in: #"{"kind":"k","kind":1}"#.utf8).at == 12)
    #expect(fault(in: [UInt8](#"{"kind":"a"#.utf8) + [0xFF]).at == 10)
  }

  @Test("allows 32 levels and no more")
  func limitsDepth() {
    func nested(_ levels: Int) -> String {
      record(x: String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1))
    }
    #expect(fault(nested(32)) == ANNOT_FAULT_NONE)
    #expect(fault(nested(33)) == ANNOT_FAULT_TOO_DEEP)
    #expect(fault(String(repeating: "[", count: 60000)) == ANNOT_FAULT_TOO_DEEP)
    #expect(fault(String(repeating: #"{"a":"#, count: 10000)) == ANNOT_FAULT_TOO_DEEP)
  }

  @Test("allows 64 KiB and no more")
  func limitsLength() {
    func long(_ length: Int) -> String { record(x: "\"" + String(repeating: "a", count: length - 19) + "\"") }
    #expect(long(65536).utf8.count == 65536)
    #expect(fault(long(65536)) == ANNOT_FAULT_NONE)
    #expect(fault(long(65537)) == ANNOT_FAULT_TOO_LONG)
  }
}

@Suite("The validator, on UTF-8")
struct ValidatorUTF8Tests {
  private func fault(inString bytes: [UInt8]) -> annot_fault {
    AnnotationRecordsTests.fault(in: Array(#"{"kind":""#.utf8) + bytes + Array(#""}"#.utf8)).fault
  }

  @Test("accepts the first and last character of each length")
  func acceptsBoundaries() {
    for scalar in [
      "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{D7FF}", "\u{E000}", "\u{10000}", "\u{10FFFF}",
    ] {
      #expect(fault(inString: Array(scalar.utf8)) == ANNOT_FAULT_NONE)
    }
  }

  @Test(
    "rejects overlong forms, surrogates, what is too large and what is cut off",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80],
      [0xE0, 0x9F, 0xBF],
      [0xE1, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF1, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func rejects(bytes: [UInt8]) { #expect(fault(inString: bytes) == ANNOT_FAULT_NOT_UTF8) }

  @Test("agrees with the standard library on every sequence of two bytes and on many of three and four")
  func agreesWithStandardLibrary() {
    var random = SystemRandomNumberGenerator()
    func check(_ bytes: [UInt8]) {
      let isSound = String(validating: bytes, as: UTF8.self) != nil
      #expect((fault(inString: bytes) == ANNOT_FAULT_NONE) == isSound, "\(bytes)")
    }
    for first: UInt8 in 0x80...0xFF { for second: UInt8 in 0x80...0xFF { check([first, second]) } }
    for _ in 0..<20000 {
      let rest = random.next()
      check([UInt8.random(in: 0xE0...0xF5), UInt8(rest & 0xFF) | 0x80, UInt8(rest >> 8 & 0xFF) | 0x80])
      check([
        UInt8.random(in: 0xF0...0xF5), UInt8(rest & 0xFF) | 0x80, UInt8(rest >> 8 & 0x3F) | 0x80,
        UInt8(rest >> 16 & 0x3F) | 0x80,
      ])
    }
  }
}

@Suite("The validator, on duplicate members")
struct ValidatorDuplicateTests {
  @Test(
    "rejects two members of one name at every level",
    arguments: [
      #"{"kind":"k","kind":"k"}"#, #"{"kind":"k","a":{"b":1,"b":2}}"#,
      #"{"kind":"k","a":[{"b":1,"c":2,"b":3}]}"#,
      #"{"kind":"k","":1,"":2}"#, #"{"kind":"k","a":1,"b":{"c":{}},"a":2}"#,
    ])
  func rejects(text: String) { #expect(fault(text) == ANNOT_FAULT_DUPLICATE_MEMBER) }

  @Test(
    "compares names after their escapes are decoded",
    arguments: [
      #"{"kind":"k","a":1,"\u0061":2}"#, #"{"kind":"k","\u0061":1,"a":2}"#, #"{"kind":"k","/":1,"\/":2}"#,
      #"{"kind":"k","😀":1,"\uD83D\uDE00":2}"#, #"{"kind":"k","x":{"\u00E9":1,"\u00e9":2}}"#,
    ])
  func rejectsEscaped(text: String) { #expect(fault(text) == ANNOT_FAULT_DUPLICATE_MEMBER) }

  @Test(
    "lets objects have the same names, and one object similar ones",
    arguments: [
      #"{"kind":"k","a":{"a":{"a":1}}}"#, #"{"kind":"k","x":[{"a":1},{"a":2}],"a":3}"#,
      #"{"kind":"k","ab":1,"aab":2,"Ab":3,"a":4,"b":5,"axb":6,"ayb":7}"#,
      #"{"kind":"k","\u0061":1,"\u0062":2}"#,
      #"{"kind":"k","x":{"kind":1}}"#, #"{"kind":"k","a\"b":1,"a\\b":2,"a":3}"#,
    ])
  func accepts(text: String) { #expect(fault(text) == ANNOT_FAULT_NONE) }

  @Test("finds one duplicate among thousands of members", arguments: [10, 63, 64, 65, 200, 8000])
  func findsAmongMany(count: Int) {
    let members = (0..<count).map { #""\#(String($0, radix: 36))":0"# }
    func text(_ members: [String]) -> String { #"{"kind":"k",\#(members.joined(separator: ","))}"# }
    #expect(fault(text(members)) == ANNOT_FAULT_NONE)
    for position in [0, count / 2, count - 1] {
      #expect(fault(text(members + [members[position]])) == ANNOT_FAULT_DUPLICATE_MEMBER)
    }
  }

  @Test("keeps objects apart when there are many")
  func keepsManyObjectsApart() {
    let objects = [String](repeating: #"{"a":0,"b":[],"c":{"a":1}}"#, count: 2000).joined(separator: ",")
    #expect(fault(record(x: "[\(objects)]")) == ANNOT_FAULT_NONE)
    #expect(fault(record(x: #"[\#(objects),{"\u0061":0,"a":1}]"#)) == ANNOT_FAULT_DUPLICATE_MEMBER)
  }
}
