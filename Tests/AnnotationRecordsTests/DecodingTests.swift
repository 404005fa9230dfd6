import AnnotationRecords
import TestSupport
import Testing

private struct Track: Annotation, Equatable {
  static let kind = "track"
  var cls: String
  var event: String
  var values: [Int]?
}

@Suite("Decoding records")
struct DecodingTests {
  private func record(_ json: String) throws -> AnnotationRecord {
    try #require(try read(ELFFixture(records: [json]).bytes).records.first)
  }

  @Test("gives the built-in kind for login")
  func needsLogin() throws {
    let record = try record(needLogin)
    #expect(try record.decode(as: NeedLogin.self) == NeedLogin(cls: "Router", sel: "jump", module: "C"))
    #expect(record.file == "r.c" && record.line == 3)
  }

  @Test("gives a user's own kind, and ignores members it does not know")
  func userKind() throws {
    let json = #"{"kind":"track","cls":"\u0043art","event":"a\nb","values":[1,2],"later":{"x":1}}"#
    #expect(try record(json).decode(as: Track.self) == Track(cls: "Cart", event: "a\nb", values: [1, 2]))
    #expect(try record(json).cls == "Cart")
  }

  @Test("fails for another kind, a missing member and a member of another type")
  func fails() throws {
    for json in [needLogin, #"{"kind":"track","cls":"C"}"#, #"{"kind":"track","cls":"C","event":1}"#] {
      let record = try record(json)
      #expect(throws: DecodingError.self) { try record.decode(as: Track.self) }
    }
  }

  @Test("works when only the record is held and the file is gone")
  func outlivesFile() throws {
    let record: AnnotationRecord
    do {
      let file = try read(ELFFixture(records: [track]).bytes)
      record = file.records[0]
    }
    #expect(try record.decode(as: Track.self).event == "open")
    #expect(record.json == track)
  }

  @Test("records are equal by their text")
  func equality() throws {
    let (a, b, c) = (try record(needLogin), try record(needLogin), try record(track))
    #expect(a == b && a != c && Set([a, b, c]).count == 2)
  }
}
