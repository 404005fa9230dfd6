internal import CAnnot
internal import Synchronization

/// An immutable view of the process's images and records.
final class ProcessSnapshot: Sendable {
  let generation: UInt64
  /// In load order.
  let images: [ImageRecords]
  /// What kept records from being read.
  private let unread: [AnnotationDiagnostic]
  /// Arrays over all images, made when they are first asked for.
  private let joined = Mutex<[ObjectIdentifier: any Sendable]>([:])

  /// Reads a snapshot, which need not live on.
  ///
  /// - last: the one before it, whose images need not be read again.
  init(_ snapshot: OpaquePointer, last: ProcessSnapshot?) {
    generation = annot_snapshot_generation(snapshot)
    let known = Dictionary(
      (last?.images ?? []).map { ($0.image.id, $0) }, uniquingKeysWith: { first, _ in first })
    let images = (0..<annot_snapshot_image_count(snapshot)).map { index in
      known[annot_snapshot_image(snapshot, index).pointee.identity] ?? ImageRecords(snapshot, index: index)
    }
    self.images = images
    unread = (0..<annot_snapshot_diagnostic_count(snapshot)).map { index in
      let diagnostic = annot_snapshot_diagnostic(snapshot, index).pointee
      let isRecord = diagnostic.fault != ANNOT_FAULT_NONE
      return AnnotationDiagnostic(
        severity: isRecord ? .malformedRecord : .unreadable, image: images[diagnostic.image].image.path,
        section: isRecord ? "annot" : nil, offset: isRecord ? diagnostic.offset : nil,
        reason: String(cString: diagnostic.text))
    }
  }

  var records: [AnnotationRecord] { images.flatMap(\.records) }

  func records(ofKind kind: String) -> [AnnotationRecord] { images.flatMap { $0.records(ofKind: kind) } }

  func annotations<Kind: Annotation>(of kind: Kind.Type) -> [Annotated<Kind>] {
    let key = ObjectIdentifier(kind)
    if let known = joined.withLock({ $0[key] as? [Annotated<Kind>] }) { return known }
    let annotations = images.flatMap { $0.annotations(of: kind) }
    joined.withLock { $0[key] = annotations }
    return annotations
  }

  /// What kept records from being read, and records from being decoded so far.
  var diagnostics: [AnnotationDiagnostic] { unread + images.flatMap(\.faults) }
}
