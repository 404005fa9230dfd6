import CAnnot
import CAnnot.Testing
import Glibc
import Testing

@Suite(
  "Every call that fails gives an error, and the next read is whole again", .serialized,
  .enabled(if: !Machine.isForeign, "the libraries are loaded into this process"))
struct CallFailureTests {
  /// All but mprotect, which the tracker does not call.
  static let calls = (1..<ANNOT_RUNTIME_CALL_COUNT.rawValue).map { annot_runtime_call(rawValue: $0) }
    .filter { $0 != ANNOT_RUNTIME_CALL_PROTECT }

  /// The records and diagnostics of one image now; nil without memory.
  private func read(_ path: String) -> (records: Int, diagnostics: [String])? {
    guard let snapshot = annot_snapshot_take() else { return nil }
    defer { annot_snapshot_free(snapshot) }
    let index = (0..<annot_snapshot_image_count(snapshot)).first {
      String(cString: annot_snapshot_image(snapshot, $0).pointee.path) == path
    }
    let diagnostics = (0..<annot_snapshot_diagnostic_count(snapshot)).map {
      annot_snapshot_diagnostic(snapshot, $0).pointee
    }
    return (
      index.map { annot_snapshot_image(snapshot, $0).pointee.record_count } ?? -1,
      diagnostics.filter { $0.image == index }.map { String(cString: $0.text) }
    )
  }

  @Test("in the image tracker, of few records and of many", arguments: calls, [true, false])
  func tracker(_ call: annot_runtime_call, noted: Bool) throws {
    for padding in ["", Workshop.padding] { try tracker(call, noted: noted, padding: padding) }
  }

  private func tracker(_ call: annot_runtime_call, noted: Bool, padding: String) throws {
    let workshop = try Workshop()
    // The file reader sees only what is laid out oddly: here, a note that is not near the front.
    let bigNote =
      #"__asm__(".pushsection .note.big,\"a\",%note\n.balign 4\n.long 4, 5000, 9\n.asciz \"big\"\n"#
      + #".zero 5000\n.popsection\n");"#
    let library = try workshop.library(
      "lib.so", noted: noted, code: padding + (call == ANNOT_RUNTIME_CALL_OPEN_ELF ? bigNote : ""))
    var failures = 0
    for nth in 1...100 as ClosedRange<UInt32> {
      let handle = try #require(dlopen(library, RTLD_NOW))
      annot_runtime_fail_next(call, nth, EIO)
      let failed = read(library)
      let isDone = annot_runtime_fail_cancel()
      if let failed, !isDone {
        // The image is there, and its records or the reason why not.
        #expect(failed.records == 1 || failed.diagnostics.count == 1)
      }
      #expect(annot_refresh())
      let again = try #require(read(library))
      #expect(again.records == 1, "\(call) \(nth): \(again)")
      dlclose(handle)
      if isDone { break }
      failures += 1
      try #require(nth < 100)
    }
    let isOfFiles = [
      ANNOT_RUNTIME_CALL_OPEN, ANNOT_RUNTIME_CALL_STAT, ANNOT_RUNTIME_CALL_READ, ANNOT_RUNTIME_CALL_OPEN_ELF,
    ].contains(call)
    // With a note no file is read; but other libraries of this process may come and go meanwhile.
    if !(isOfFiles && noted) { #expect(failures > 0, "\(call)") }
  }
}
