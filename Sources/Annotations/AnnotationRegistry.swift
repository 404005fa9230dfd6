@_exported public import AnnotationRecords

internal import CAnnot
internal import Synchronization

/// The annotations of the running process.
///
/// Always current: each read first looks whether images were loaded or unloaded since the last one, which costs
/// a comparison when none were. What is read stays valid when its image is unloaded. Thread-safe.
public final class AnnotationRegistry: Sendable {
  /// The process's registry.
  public static let shared = AnnotationRegistry()

  private let last = Mutex<ProcessSnapshot?>(nil)

  private init() {}

  /// The images loaded now, in load order.
  public var images: [LoadedImage] { current().images.map(\.image) }

  /// All records, whatever their kind: image by image, and by source file and line within one.
  public var records: [AnnotationRecord] { current().records }

  /// The records of a kind, in the same order.
  ///
  /// - Parameter kind: the value of the records' `kind` member.
  public func records(ofKind kind: String) -> [AnnotationRecord] { current().records(ofKind: kind) }

  /// The annotations of a kind, in the order of their records.
  ///
  /// A record of this kind that does not decode as `kind` is left out and reported in ``diagnostics``.
  /// - Parameter kind: the annotation's type.
  public func annotations<Kind: Annotation>(of kind: Kind.Type) -> [Annotated<Kind>] {
    current().annotations(of: kind)
  }

  /// What kept records from being read, or from being decoded as a type that was asked for, and records of
  /// built-in kinds that contradict each other (`docs/record-format.md`, "Conflicts"), as notes: both are kept.
  public var diagnostics: [AnnotationDiagnostic] { current().diagnostics }

  /// A number that grows with each change of the set of images.
  public var generation: UInt64 { current().generation }

  /// The images and records that come and go from now on.
  ///
  /// A change is noticed by the next read of the registry, on whatever thread, or by ``refresh()``: where nothing
  /// else reads, call that after `dlopen` and `dlclose`.
  public var changes: AnnotationChanges { AnnotationChanges() }

  /// Reads again the images whose records could not be read.
  ///
  /// Needed only for these, and to tell ``changes`` where nothing reads the registry: images that come and go are
  /// noticed by every read.
  public func refresh() {
    _ = annot_refresh()
  }

  private func current() -> ProcessSnapshot {
    guard let snapshot = annot_snapshot_take() else { fatalError("no memory to read the annotations") }
    let known = last.withLock { $0 }
    if let known, known.generation == annot_snapshot_generation(snapshot) {
      annot_snapshot_free(snapshot)
      return known
    }
    let made = ProcessSnapshot(snapshot, last: known)
    annot_snapshot_free(snapshot)
    last.withLock { last in
      if made.generation >= last?.generation ?? 0 { last = made }
    }
    return made
  }
}
