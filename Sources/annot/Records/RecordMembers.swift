internal import AnnotationRecords
internal import CAnnotRecords

/// A member of a record, pointing into its bytes.
struct RecordMember {
  private let raw: annot_member

  fileprivate init(_ raw: annot_member) { self.raw = raw }

  /// The name.
  var name: String { raw.name.unescaped }
  /// The name as it is spelled, without its quotes.
  var spelledName: UnsafeRawBufferPointer { raw.name.view }
  /// The value as it is spelled, a string with its quotes.
  var value: UnsafeRawBufferPointer { raw.value.view }

  /// A string's text, or nil when the value is none.
  var text: String? {
    guard value.first == UInt8(ascii: "\"") else { return nil }
    return annot_text(bytes: raw.value.bytes + 1, length: raw.value.length - 2).unescaped
  }

  /// A string's text, or any other value as it is spelled.
  var plain: String { text ?? String(decoding: value, as: UTF8.self) }
}

extension AnnotationRecord {
  /// Calls a closure with each member, in the record's order, until it returns false.
  func forEachMember(_ body: (RecordMember) -> Bool) {
    withJSON { json in
      var position = 0
      var member = annot_member()
      while annot_next_member(json.baseAddress!, json.count, &position, &member) {
        if !body(RecordMember(member)) { return }
      }
    }
  }
}

extension annot_text {
  fileprivate var view: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: length) }

  /// The text with its escapes decoded.
  fileprivate var unescaped: String {
    String(unsafeUninitializedCapacity: max(length, 1)) {
      $0.withMemoryRebound(to: CChar.self) { annot_text_unescape(self, $0.baseAddress, length) }
    }
  }
}
