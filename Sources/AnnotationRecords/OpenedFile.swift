internal import CAnnotRecords

/// Owns an open file of the C reader, and so the bytes of its sections.
///
/// Unchecked because of the pointer: the reader's file does not change once it is open.
final class OpenedFile: @unchecked Sendable {
  let file: OpaquePointer
  /// The name of the sections that were looked for.
  let section: String

  /// Takes over a file that the C reader opened.
  init(_ file: OpaquePointer, section: String) {
    self.file = file
    self.section = section
  }

  deinit { annot_file_close(file) }

  var sectionCount: Int { annot_file_section_count(file) }

  /// The bytes of each section.
  var contents: [annot_text] {
    (0..<sectionCount).map {
      let section = annot_file_section_at(file, $0).pointee
      return annot_text(bytes: section.bytes, length: section.size)
    }
  }

  /// The archive member that a section is in.
  func member(ofSection index: Int) -> String? {
    annot_file_section_at(file, index).pointee.member.map { String(cString: $0) }
  }

  var notes: [annot_file_note] {
    (0..<annot_file_note_count(file)).map { annot_file_note_at(file, $0).pointee }
  }

  var buildID: [UInt8] {
    var length = 0
    guard let bytes = annot_file_build_id(file, &length) else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: length))
  }
}
