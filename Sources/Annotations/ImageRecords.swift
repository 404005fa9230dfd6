internal import CAnnot
internal import Synchronization

/// The records of one image, with what was computed from them kept; shared by all snapshots that have the image.
final class ImageRecords: Sendable {
  let image: LoadedImage
  /// In the readers' order.
  let records: [AnnotationRecord]
  private let byKind: [String: [AnnotationRecord]]
  private let decoded = Mutex<[ObjectIdentifier: Decoded]>([:])

  /// The annotations of one type: an array of `Annotated` of it.
  private struct Decoded {
    let annotations: any Sendable
    let faults: [AnnotationDiagnostic]
  }

  /// Reads the image at an index of a snapshot, which need not live on.
  init(_ snapshot: OpaquePointer, index: Int) {
    let raw = annot_snapshot_image(snapshot, index).pointee
    image = LoadedImage(raw)
    let source = AnnotationSource(image: image.path, owner: HeldImage(snapshot, index: index))
    records = (raw.first_record..<raw.first_record + raw.record_count).map {
      let record = annot_snapshot_record(snapshot, $0)
      return AnnotationRecord(
        bytes: UnsafeBufferPointer(start: record.bytes, count: record.length), fields: record.fields,
        source: source, offset: record.offset)
    }
    byKind = Dictionary(grouping: records, by: \.kind)
  }

  /// Keeps an image's bytes alive.
  private final class HeldImage: @unchecked Sendable {
    // What it keeps is immutable.
    private let held: OpaquePointer
    init(_ snapshot: OpaquePointer, index: Int) { held = annot_snapshot_hold_image(snapshot, index) }
    deinit { annot_held_image_free(held) }
  }

  func records(ofKind kind: String) -> [AnnotationRecord] { byKind[kind] ?? [] }

  /// The annotations of a kind, decoded on first use.
  func annotations<Kind: Annotation>(of kind: Kind.Type) -> [Annotated<Kind>] {
    guard let records = byKind[kind.kind] else { return [] }
    let key = ObjectIdentifier(kind)
    if let known = decoded.withLock({ $0[key]?.annotations as? [Annotated<Kind>] }) { return known }
    // Not under the lock: decoding runs the type's own code, which may read the registry.
    var annotations: [Annotated<Kind>] = []
    var faults: [AnnotationDiagnostic] = []
    for record in records {
      do {
        annotations.append(Annotated(annotation: try record.decode(as: kind), record: record))
      } catch {
        faults.append(.undecodable(record, as: kind, error))
      }
    }
    let made = Decoded(annotations: annotations, faults: faults)
    let first = decoded.withLock { decoded in
      if let first = decoded[key] { return first }
      decoded[key] = made
      return made
    }
    return first.annotations as? [Annotated<Kind>] ?? annotations
  }

  /// What kept records from being decoded as the types asked for so far, in the records' order.
  var faults: [AnnotationDiagnostic] {
    decoded.withLock { $0.values.flatMap(\.faults) }
      .sorted { ($0.offset ?? 0, $0.reason) < ($1.offset ?? 0, $1.reason) }
  }
}

extension AnnotationDiagnostic {
  fileprivate static func undecodable<Kind: Annotation>(
    _ record: AnnotationRecord, as kind: Kind.Type, _ error: any Error
  ) -> AnnotationDiagnostic {
    AnnotationDiagnostic(
      severity: .malformedRecord, image: record.source.image, section: record.source.section,
      offset: record.offset, reason: "not a \(kind): \(words(for: error))")
  }

  /// What a decoding error says, without the type names and nesting of its description.
  private static func words(for error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .keyNotFound(let key, _):
      return "it has no member \"\(key.stringValue)\""
    case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
      let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
      let words = context.debugDescription
      return path.isEmpty ? words : "member \"\(path.joined(separator: "."))\": \(words)"
    @unknown default:
      return "\(error)"
    }
  }
}
