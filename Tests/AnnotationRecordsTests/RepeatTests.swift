import CAnnotRecords
import CAnnotRecords.Testing
import Glibc
import Testing

@Suite("Records about the same thing")
struct RepeatTests {
  /// The pairs that are found among records, as `FIRST SECOND`, with `!` where they contradict; nil without memory.
  private func repeats(_ records: [String]) -> [String]? {
    let texts = records.map { strdup($0)! }
    defer { texts.forEach { free($0) } }
    var context = texts
    return context.withUnsafeMutableBufferPointer { texts in
      var list = UnsafeBufferPointer(texts)
      let at: @convention(c) (UnsafeRawPointer?, Int) -> annot_record_view = { context, index in
        let text = context!.assumingMemoryBound(to: UnsafeBufferPointer<UnsafeMutablePointer<CChar>>.self)
          .pointee[index]
        var fields = annot_record_fields()
        annot_validate(text, strlen(text), &fields, nil)
        return annot_record_view(
          bytes: text, length: strlen(text), kind: fields.kind, is_static: fields.is_static)
      }
      var (found, count): (UnsafeMutablePointer<annot_repeat>?, Int) = (nil, 0)
      guard annot_find_repeats(at, &list, texts.count, &found, &count) else { return nil }
      defer { annot_repeats_free(found) }
      return UnsafeBufferPointer(start: found, count: count)
        .map { "\($0.first) \($0.second)\($0.contradicts ? "!" : "")" }
    }
  }

  @Test("are paired with the first, and told apart by whether they contradict it")
  func pairs() {
    func login(_ sel: String, _ more: String) -> String {
      #"{"kind":"needlogin","cls":"A","sel":"\#(sel)","module":"C"\#(more)}"#
    }
    #expect(repeats([]) == [] && repeats([login("a", "")]) == [])
    #expect(repeats([login("a", #","line":1"#), login("b", ""), login("a", #","line":2"#)]) == ["0 2"])
    #expect(repeats([login("a", ""), login("a", #","role":"x""#), login("a", "")]) == ["0 1!", "0 2"])
    #expect(repeats([login("a", ""), login("a", #","static":true"#)]) == [])
    #expect(repeats([#"{"kind":"x.y","a":1}"#, #"{"kind":"x.y","a":1}"#]) == [])
  }

  @Test("are not looked for when there is no memory")
  func noMemory() {
    for nth: UInt32 in 1...2 {
      annot_sys_fail_next(ANNOT_SYS_MALLOC, nth, ENOMEM)
      #expect(repeats([#"{"kind":"tweak","name":"a"}"#, #"{"kind":"tweak","name":"a"}"#]) == nil)
      #expect(!annot_sys_fail_cancel())
    }
  }
}
