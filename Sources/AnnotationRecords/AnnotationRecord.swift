package import CAnnotRecords

/// One annotation as it stands in an image: its JSON text, and the members that have a meaning to Annot.
///
/// Cheap to copy: it refers to the image's bytes and makes strings of them only when asked. Records that
/// came through a reader are sound: valid JSON and UTF-8, with a kind.
public struct AnnotationRecord: @unchecked Sendable {
  // Unchecked because of the pointer: what it points at is kept alive and unchanged by the source.

  /// The image and section the record is in.
  public let source: AnnotationSource
  /// The record's offset in its section, in bytes; of the first, when several are the same.
  public let offset: UInt64
  private let found: UnsafePointer<annot_found_record>

  /// Creates a record from a collection's.
  ///
  /// - Parameters:
  ///   - found: The record; it and its bytes are kept alive and unchanged by `source`.
  ///   - source: The image and section.
  ///   - offset: The record's offset in the section, in bytes.
  package init(found: UnsafePointer<annot_found_record>, source: AnnotationSource, offset: UInt64) {
    self.found = found
    self.source = source
    self.offset = offset
  }

  /// Reads of the collection's record, which is there as long as the source is held.
  private func read<R>(_ body: (annot_found_record) -> R) -> R {
    withExtendedLifetime(source) { body(found.pointee) }
  }

  /// The line of the declaration; nil when the record has none.
  public var line: Int? { read { $0.line == 0 ? nil : Int(exactly: $0.line) } }
  /// Whether the record is about a static method (`"static":true`).
  public var isStatic: Bool { read { $0.is_static } }
  /// Whether the text begins in the canonical way, `{"kind":"NAME",`.
  public var isCanonical: Bool { read { $0.canonical } }
  /// Whether all bytes of the text are printable ASCII and none is an escape, so that it can be shown as it is.
  package var isPrintable: Bool { read { $0.printable } }

  /// The kind's name; never empty.
  public var kind: String { string(fields.kind) ?? "" }
  /// The class of the target; nil when the record has none.
  public var cls: String? { string(fields.cls) }
  /// The selector of the target; nil when the record has none.
  public var sel: String? { string(fields.sel) }
  /// The module of the target; nil when the record has none.
  public var module: String? { string(fields.module) }
  /// The source file of the declaration; nil when the record has none.
  public var file: String? { string(fields.file) }
  /// The record's JSON text, exactly as it stands in the image.
  public var json: String {
    withJSON { String(decoding: UnsafeRawBufferPointer($0), as: UTF8.self) }
  }

  /// Calls a closure with the bytes of the JSON text, without copying them.
  ///
  /// - Parameter body: Gets the UTF-8 bytes without a NUL; they must not be used after it returns.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withJSON<R, E: Error>(_ body: (UnsafeBufferPointer<CChar>) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(source) {} }
    return try body(UnsafeBufferPointer(start: found.pointee.bytes, count: Int(found.pointee.length)))
  }
}

extension AnnotationRecord {
  /// The members as the validator found them, pointing into the record's bytes.
  ///
  /// For sorting and matching without making strings. Valid while the record, or its source, is held.
  package var fields: annot_record_fields { withExtendedLifetime(source) { annot_found_fields(found) } }

  /// A JSON string's contents with its escapes decoded; nil when it is absent.
  private func string(_ text: annot_text) -> String? {
    guard text.bytes != nil else { return nil }
    defer { withExtendedLifetime(source) {} }
    return String(unsafeUninitializedCapacity: max(text.length, 1)) {
      $0.withMemoryRebound(to: CChar.self) {
        annot_text_unescape(text, $0.baseAddress, text.length)
      }
    }
  }
}

extension AnnotationRecord: Hashable {
  /// Two records are equal when their JSON text is the same byte for byte, wherever they are.
  public static func == (a: AnnotationRecord, b: AnnotationRecord) -> Bool {
    a.withJSON { x in
      b.withJSON { y in
        x.count == y.count && UnsafeRawBufferPointer(x).elementsEqual(UnsafeRawBufferPointer(y))
      }
    }
  }

  /// Hashes the JSON text.
  public func hash(into hasher: inout Hasher) {
    withJSON { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
