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
  /// The line of the declaration; nil when the record has none.
  public var line: Int? { lineNumber == 0 ? nil : Int(exactly: lineNumber) }
  /// Whether the record is about a static method (`"static":true`).
  public let isStatic: Bool
  /// Whether the text begins in the canonical way, `{"kind":"NAME",`.
  public let isCanonical: Bool
  /// Whether all bytes of the text are known to be printable ASCII, so that it can be shown as it is.
  package let isPrintable: Bool

  private let bytes: UnsafePointer<CChar>
  private let length: UInt32
  private let lineNumber: UInt64
  private let kindText: Text
  private let clsText: Text
  private let selText: Text
  private let moduleText: Text
  private let fileText: Text

  /// Creates a record from what the validator found.
  ///
  /// - Parameters:
  ///   - bytes: The JSON text without its NUL, at most `ANNOT_RECORD_MAX_LENGTH` bytes; kept alive by
  ///     `source`.
  ///   - fields: What `annot_validate` found in those bytes; its texts point into them.
  ///   - source: The image and section.
  ///   - offset: The record's offset in the section, in bytes.
  package init(
    bytes: UnsafeBufferPointer<CChar>, fields: annot_record_fields, source: AnnotationSource, offset: UInt64
  ) {
    let base = bytes.baseAddress!
    self.bytes = base
    self.length = UInt32(bytes.count)
    self.source = source
    self.offset = offset
    lineNumber = fields.line
    isStatic = fields.is_static
    isCanonical = fields.canonical
    isPrintable = false
    kindText = Text(fields.kind, in: base)
    clsText = Text(fields.cls, in: base)
    selText = Text(fields.sel, in: base)
    moduleText = Text(fields.module, in: base)
    fileText = Text(fields.file, in: base)
  }

  /// Creates a record from a collection's, which has the same compact form.
  ///
  /// - Parameters:
  ///   - found: The record; its bytes are kept alive by `source`.
  ///   - source: The image and section.
  ///   - offset: The record's offset in the section, in bytes.
  package init(found: annot_found_record, source: AnnotationSource, offset: UInt64) {
    bytes = found.bytes
    length = found.length
    self.source = source
    self.offset = offset
    lineNumber = found.line
    isStatic = found.is_static
    isCanonical = found.canonical
    isPrintable = found.printable
    // The order of ANNOT_TEXT_KIND and its fellows.
    let (offsets, lengths) = (found.text_offset, found.text_length)
    kindText = Text(offset: offsets.0, length: lengths.0)
    clsText = Text(offset: offsets.1, length: lengths.1)
    selText = Text(offset: offsets.2, length: lengths.2)
    moduleText = Text(offset: offsets.3, length: lengths.3)
    fileText = Text(offset: offsets.4, length: lengths.4)
  }

  /// The kind's name; never empty.
  public var kind: String { kindText.string(in: bytes) ?? "" }
  /// The class of the target; nil when the record has none.
  public var cls: String? { clsText.string(in: bytes) }
  /// The selector of the target; nil when the record has none.
  public var sel: String? { selText.string(in: bytes) }
  /// The module of the target; nil when the record has none.
  public var module: String? { moduleText.string(in: bytes) }
  /// The source file of the declaration; nil when the record has none.
  public var file: String? { fileText.string(in: bytes) }
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
    return try body(UnsafeBufferPointer(start: bytes, count: Int(length)))
  }
}

extension AnnotationRecord {
  /// A string of the record, by its place: five pointers and lengths would make a record twice as large.
  private struct Text {
    /// Of the first byte, 0 when absent: a text is never at the start of the record.
    let offset: UInt16
    let length: UInt16

    init(offset: UInt16, length: UInt16) {
      self.offset = offset
      self.length = length
    }

    init(_ text: annot_text, in base: UnsafePointer<CChar>) {
      offset = text.bytes.map { UInt16(truncatingIfNeeded: $0 - base) } ?? 0
      length = UInt16(truncatingIfNeeded: text.length)
    }

    func text(in base: UnsafePointer<CChar>) -> annot_text? {
      offset == 0 ? nil : annot_text(bytes: base + Int(offset), length: Int(length))
    }

    func string(in base: UnsafePointer<CChar>) -> String? {
      guard let text = text(in: base) else { return nil }
      return String(unsafeUninitializedCapacity: max(text.length, 1)) {
        $0.withMemoryRebound(to: CChar.self) {
          annot_text_unescape(text, $0.baseAddress, text.length)
        }
      }
    }
  }

  /// The members as the validator found them, pointing into the record's bytes.
  ///
  /// For sorting and matching without making strings. Valid while the record, or its source, is held.
  package var fields: annot_record_fields {
    let none = annot_text(bytes: nil, length: 0)
    return annot_record_fields(
      kind: kindText.text(in: bytes) ?? none, cls: clsText.text(in: bytes) ?? none,
      sel: selText.text(in: bytes) ?? none, module: moduleText.text(in: bytes) ?? none,
      file: fileText.text(in: bytes) ?? none, line: lineNumber, is_static: isStatic,
      canonical: isCanonical)
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
