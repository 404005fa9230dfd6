internal import CAnnot
internal import Synchronization

/// An immutable view of the process's images and records, with what was computed from it kept.
final class ProcessSnapshot: Sendable {
  let generation: UInt64
  let images: [LoadedImage]
  /// In the order of images; the records of an image in the readers' order.
  let records: [AnnotationRecord]
  /// What kept records from being read.
  let diagnostics: [AnnotationDiagnostic]
  private let byKind: [String: [AnnotationRecord]]
  private let decoded = Mutex<[ObjectIdentifier: any Sendable]>([:])
  private let undecodable = Mutex<[AnnotationDiagnostic]>([])

  /// Takes over the C snapshot, which must not be null.
  init(_ snapshot: OpaquePointer) {
    let owner = Owner(snapshot: snapshot)
    generation = annot_snapshot_generation(snapshot)
    images = (0..<annot_snapshot_image_count(snapshot)).map {
      LoadedImage(annot_snapshot_image(snapshot, $0).pointee)
    }
    let sources = images.map { AnnotationSource(image: $0.path, owner: owner) }
    records = (0..<annot_snapshot_record_count(snapshot)).map { index in
      let record = annot_snapshot_record(snapshot, index)
      return AnnotationRecord(
        bytes: UnsafeBufferPointer(start: record.bytes, count: record.length), fields: record.fields,
        source: sources[record.image], offset: record.offset)
    }
    diagnostics = (0..<annot_snapshot_diagnostic_count(snapshot)).map { index in
      let diagnostic = annot_snapshot_diagnostic(snapshot, index).pointee
      let isRecord = diagnostic.fault != ANNOT_FAULT_NONE
      return AnnotationDiagnostic(
        severity: isRecord ? .malformedRecord : .unreadable, image: sources[diagnostic.image].image,
        section: isRecord ? "annot" : nil, offset: isRecord ? diagnostic.offset : nil,
        reason: String(cString: diagnostic.text))
    }
    byKind = Dictionary(grouping: records, by: \.kind)
  }

  /// Keeps the C snapshot, which owns the records' bytes, alive.
  private final class Owner: @unchecked Sendable {
    // The snapshot is immutable.
    let snapshot: OpaquePointer
    init(snapshot: OpaquePointer) { self.snapshot = snapshot }
    deinit { annot_snapshot_free(snapshot) }
  }

  func records(ofKind kind: String) -> [AnnotationRecord] { byKind[kind] ?? [] }

  /// The annotations of a kind, decoded on first use.
  func annotations<Kind: Annotation>(of kind: Kind.Type) -> [Annotated<Kind>] {
    let key = ObjectIdentifier(kind)
    if let known = decoded.withLock({ $0[key] as? [Annotated<Kind>] }) { return known }
    // Not under the lock: decoding runs the type's own code, which may read the registry.
    var faults: [AnnotationDiagnostic] = []
    let annotations = records(ofKind: Kind.kind).compactMap { record -> Annotated<Kind>? in
      do {
        return Annotated(annotation: try record.decode(as: kind), record: record)
      } catch {
        faults.append(.undecodable(record, as: kind, error))
        return nil
      }
    }
    let isFirst = decoded.withLock { $0.updateValue(annotations, forKey: key) == nil }
    if isFirst { undecodable.withLock { $0 += faults } }
    return annotations
  }

  /// What kept records from being read, and records from being decoded so far.
  var allDiagnostics: [AnnotationDiagnostic] { diagnostics + undecodable.withLock { $0 } }
}

extension AnnotationDiagnostic {
  fileprivate static func undecodable<Kind: Annotation>(
    _ record: AnnotationRecord, as kind: Kind.Type, _ error: any Error
  ) -> AnnotationDiagnostic {
    AnnotationDiagnostic(
      severity: .malformedRecord, image: record.source.image, section: record.source.section,
      offset: record.offset, reason: "not a \(kind): \(error)")
  }
}
