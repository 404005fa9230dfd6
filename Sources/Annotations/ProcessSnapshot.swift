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

  /// Records that contradict each other, found when they are first asked for.
  private let conflicts = Mutex<[AnnotationDiagnostic]?>(nil)
  private let held: HeldSnapshot

  /// Keeps a snapshot of the C runtime.
  private final class HeldSnapshot: @unchecked Sendable {
    // It is immutable.
    let pointer: OpaquePointer
    init(_ snapshot: OpaquePointer) { pointer = annot_snapshot_retain(snapshot) }
    deinit { annot_snapshot_free(pointer) }
  }

  /// Reads a snapshot, which need not live on.
  ///
  /// - last: the one before it, whose images need not be read again.
  init(_ snapshot: OpaquePointer, last: ProcessSnapshot?) {
    generation = annot_snapshot_generation(snapshot)
    held = HeldSnapshot(snapshot)
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

  /// What kept records from being read, and records from being decoded so far, and what contradicts itself.
  var diagnostics: [AnnotationDiagnostic] { unread + images.flatMap(\.faults) + contradictions }

  private var contradictions: [AnnotationDiagnostic] {
    conflicts.withLock { conflicts in
      if let conflicts { return conflicts }
      let found = findConflicts()
      conflicts = found
      return found
    }
  }

  private func findConflicts() -> [AnnotationDiagnostic] {
    var pairs: UnsafeMutablePointer<annot_conflict>?
    var count = 0
    guard annot_snapshot_conflicts(held.pointer, &pairs, &count) else {
      fatalError("no memory to compare the annotations")
    }
    defer { annot_conflicts_free(pairs) }
    guard count > 0 else { return [] }
    let records = self.records
    return UnsafeBufferPointer(start: pairs, count: count).map {
      .conflict(records[$0.second], with: records[$0.first])
    }
  }
}

extension AnnotationDiagnostic {
  fileprivate static func conflict(
    _ record: AnnotationRecord, with first: AnnotationRecord
  ) -> AnnotationDiagnostic {
    let place = { (record: AnnotationRecord) in
      record.file.map { file in record.line.map { "\(file):\($0)" } ?? file } ?? "offset \(record.offset)"
    }
    return AnnotationDiagnostic(
      severity: .note, image: record.source.image, section: record.source.section, offset: record.offset,
      reason: """
        the \(record.kind) at \(place(record)) contradicts the one at \(place(first)) in \(first.source.image): \
        \(record.json) and \(first.json)
        """)
  }
}
