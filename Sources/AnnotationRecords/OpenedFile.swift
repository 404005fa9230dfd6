internal import CAnnotRecords

/// Owns an open file of the C reader, and so the bytes of its sections, and the records that were found in them.
///
/// Unchecked because of the pointers: neither changes once the file is read.
final class OpenedFile: @unchecked Sendable {
  let file: OpaquePointer
  /// The name of the sections that were looked for.
  let section: String
  /// What the collector found in the sections.
  let collection: annot_collection

  /// Takes over a file that the C reader opened and finds its records; nil without memory.
  init?(_ file: OpaquePointer, section: String, limits: annot_record_limits) {
    self.file = file
    self.section = section
    var (limits, collection) = (limits, annot_collection())
    let contents = Self.contents(of: file)
    let isCollected = annot_collect_within(contents, contents.count, &limits, &collection)
    self.collection = collection
    if !isCollected { return nil }
  }

  deinit {
    var collection = collection
    annot_collection_free(&collection)
    annot_file_close(file)
  }

  var sectionCount: Int { annot_file_section_count(file) }

  /// The bytes of each section.
  var contents: [annot_text] { Self.contents(of: file) }

  private static func contents(of file: OpaquePointer) -> [annot_text] {
    (0..<annot_file_section_count(file)).map {
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
