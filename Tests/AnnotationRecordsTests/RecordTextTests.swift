import CAnnotRecords
import Testing

/// Calls a closure with a text of the C API.
func withText<R>(_ string: String?, _ body: (annot_text) -> R) -> R {
  guard var string else { return body(annot_text(bytes: nil, length: 0)) }
  return string.withUTF8 { utf8 in
    utf8.withMemoryRebound(to: CChar.self) { body(annot_text(bytes: $0.baseAddress, length: $0.count)) }
  }
}

@Suite("The splitter")
struct SplitterTests {
  private func split(_ text: String) -> [(text: String, offset: Int, terminated: Bool)] {
    withText(text) { whole in
      var position = 0
      var span = annot_span()
      var result: [(String, Int, Bool)] = []
      while annot_split(whole.bytes, whole.length, &position, &span) {
        let bytes = UnsafeRawBufferPointer(start: whole.bytes + span.offset, count: span.length)
        result.append((String(decoding: bytes, as: UTF8.self), span.offset, span.terminated))
      }
      return result
    }
  }

  @Test("finds nothing in no bytes and in padding", arguments: ["", "\0", "\0\0\0\0"])
  func findsNothing(text: String) { #expect(split(text).isEmpty) }

  @Test("skips any run of NULs between records")
  func skipsPadding() {
    let found = split("\0\0a\0bc\0\0\0d\0")
    #expect(found.map(\.text) == ["a", "bc", "d"])
    #expect(found.map(\.offset) == [2, 4, 9])
    #expect(found.map(\.terminated) == [true, true, true])
  }

  @Test("tells that the last run has no NUL behind it")
  func tellsCutOff() {
    let found = split("a\0bcd")
    #expect(found.map(\.text) == ["a", "bcd"])
    #expect(found.map(\.terminated) == [true, false])
  }
}

@Suite("A record's fields")
struct FieldTests {
  private func fields(_ json: String, _ check: (annot_record_fields) -> Void) {
    withText(json) {
      var fields = annot_record_fields()
      #expect(annot_validate($0.bytes, $0.length, &fields, nil) == ANNOT_FAULT_NONE)
      check(fields)
    }
  }

  private func string(_ text: annot_text) -> String? {
    text.bytes.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: text.length), as: UTF8.self) }
  }

  @Test("are found in any order, escapes as they are")
  func areFound() {
    fields(
      #"{"line":12,"file":"a\/b.c","module":"C","sel":"x:","cls":"R","static":true,"kind":"k","other":{"cls":"no"}}"#
    ) {
      #expect(string($0.kind) == "k")
      #expect(string($0.cls) == "R")
      #expect(string($0.sel) == "x:")
      #expect(string($0.module) == "C")
      #expect(string($0.file) == #"a\/b.c"#)
      #expect($0.line == 12)
      #expect($0.is_static)
      #expect(!$0.canonical)
    }
  }

  @Test("are absent when their members are or have another type")
  func areAbsent() {
    fields(#"{"kind":"k","cls":1,"sel":null,"module":["C"],"line":"12","static":"true"}"#) {
      #expect($0.cls.bytes == nil && $0.sel.bytes == nil && $0.module.bytes == nil && $0.file.bytes == nil)
      #expect($0.line == 0)
      #expect(!$0.is_static)
      #expect($0.canonical)
    }
  }

  @Test(
    "take only whole line numbers that fit",
    arguments: [
      ("18446744073709551615", UInt64.max), ("18446744073709551616", 0), ("1.0", 0), ("1e3", 0), ("-1", 0),
      ("0", 0),
    ])
  func lines(text: String, line: UInt64) {
    fields(#"{"kind":"k","line":\#(text)}"#) { #expect($0.line == line) }
  }

  @Test("are zeroed for a malformed record")
  func areZeroed() {
    withText(#"{"kind":"k","cls":"R""#) {
      var fields = annot_record_fields()
      fields.line = 7
      #expect(annot_validate($0.bytes, $0.length, &fields, nil) == ANNOT_FAULT_NOT_JSON)
      #expect(fields.line == 0 && fields.kind.bytes == nil)
    }
  }
}

@Suite("Text of a record")
struct UnescapeTests {
  private func unescaped(_ string: String) -> String {
    withText(string) { text in
      let length = annot_text_unescape(text, nil, 0)
      #expect(length <= text.length)
      var bytes = [CChar](repeating: 0, count: length)
      #expect(annot_text_unescape(text, &bytes, length) == length)
      return String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }

  @Test(
    "is decoded from its escapes",
    arguments: [
      ("", ""), ("plain é", "plain é"), (#"a\"b\\c\/d"#, "a\"b\\c/d"), (#"\b\f\n\r\t"#, "\u{8}\u{C}\n\r\t"),
      (#"\u0041\u00e9\u2211"#, "Aé∑"), (#"\uD83D\uDE00"#, "😀"), (#"\ud83dx"#, "\u{FFFD}x"),
      (#"\ude00\ud83d"#, "\u{FFFD}\u{FFFD}"), (#"\ud83d\u0041"#, "\u{FFFD}A"), (#"\u0000"#, "\0"),
    ])
  func isDecoded(text: String, expected: String) { #expect(unescaped(text) == expected) }

  @Test("is cut to the room there is, and its whole length told")
  func isCut() {
    withText(#"ab\u00e9cd"#) { text in
      var bytes: [CChar] = [1, 1, 1, 1]
      #expect(annot_text_unescape(text, &bytes, 3) == 6)
      #expect(bytes[0] == 97 && bytes[1] == 98 && bytes[3] == 1)
    }
  }
}

@Suite("The members of a record")
struct MemberTests {
  private func members(_ json: String) -> [String] {
    withText(json) { text in
      var position = 0
      var member = annot_member()
      var result: [String] = []
      func string(_ text: annot_text) -> String {
        String(decoding: UnsafeRawBufferPointer(start: text.bytes, count: text.length), as: UTF8.self)
      }
      while annot_next_member(text.bytes, text.length, &position, &member) {
        result.append("\(string(member.name))=\(string(member.value))")
      }
      return result
    }
  }

  @Test("come one by one, values as they are written")
  func comeOneByOne() {
    #expect(members("{}") == [])
    #expect(members(" { } ") == [])
    #expect(members(#"{"kind":"k"}"#) == [#"kind="k""#])
    #expect(
      members(#" { "a" : [1, {"b":"]}"}] , "c\"d":"x,\"y" ,"e":-1.5e3,"f":{"g":{}} , "h":null }"#) == [
        #"a=[1, {"b":"]}"}]"#, #"c\"d="x,\"y""#, "e=-1.5e3", #"f={"g":{}}"#, "h=null",
      ])
  }
}
