internal import CAnnot
internal import Glibc
internal import Synchronization

/// The records of one image, with what was computed from them kept; shared by all snapshots that have the image.
final class ImageRecords: Sendable {
  let image: LoadedImage
  private let hasRecords: Bool
  private let source: AnnotationSource
  private let held: HeldImage
  private let index = Mutex<Index?>(nil)
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
    hasRecords = raw.record_count > 0
    held = HeldImage(snapshot, index: index)
    source = AnnotationSource(image: image.path, owner: held)
  }

  /// Keeps an image's bytes alive.
  private final class HeldImage: @unchecked Sendable {
    // What it keeps is immutable.
    let pointer: OpaquePointer
    init(_ snapshot: OpaquePointer, index: Int) { pointer = annot_snapshot_hold_image(snapshot, index) }
    deinit { annot_held_image_free(pointer) }
  }

  /// The image's records, in the readers' order.
  private struct Index {
    var records: [AnnotationRecord] = []
    var byKind: [String: [AnnotationRecord]] = [:]

    init(_ image: HeldImage, _ source: AnnotationSource) {
      let count = annot_held_image_record_count(image.pointer)
      records.reserveCapacity(count)
      // Neighbours are mostly of one kind, which then is made a string once: compared as it stands in the records.
      var last = annot_text()
      var run: [AnnotationRecord] = []
      for index in 0..<count {
        let raw = annot_held_image_record(image.pointer, index)
        let record = AnnotationRecord(found: raw.found, source: source, offset: raw.offset)
        if !Self.isEqual(raw.fields.kind, last) { file(&run) }
        last = raw.fields.kind
        run.append(record)
        records.append(record)
      }
      file(&run)
    }

    private mutating func file(_ run: inout [AnnotationRecord]) {
      guard let kind = run.first?.kind else { return }
      byKind[kind, default: []] += run
      run.removeAll(keepingCapacity: true)
    }

    private static func isEqual(_ a: annot_text, _ b: annot_text) -> Bool {
      a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0
    }
  }

  /// Calls a closure with the index, which is made when it is first asked for.
  private func withIndex<Result: Sendable>(_ body: (borrowing Index) -> Result) -> Result {
    index.withLock { index in
      if let index { return body(index) }
      let made = Index(held, source)
      index = made
      return body(made)
    }
  }

  /// In the readers' order.
  var records: [AnnotationRecord] { hasRecords ? withIndex { $0.records } : [] }

  func records(ofKind kind: String) -> [AnnotationRecord] {
    hasRecords ? withIndex { $0.byKind[kind] ?? [] } : []
  }

  /// The annotations of a kind, decoded on first use.
  func annotations<Kind: Annotation>(of kind: Kind.Type) -> [Annotated<Kind>] {
    let records = records(ofKind: kind.kind)
    if records.isEmpty { return [] }
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
