internal import CAnnot

/// Images that came and went between two looks at the process, with their records.
///
/// An image that could not be read at first and was read at another try is both removed and added.
public struct AnnotationChange: Sendable {
  /// The images loaded, in load order.
  public let addedImages: [LoadedImage]
  /// The images unloaded.
  public let removedImages: [LoadedImage]
  /// The records of the images loaded.
  public let addedRecords: [AnnotationRecord]
  /// The records of the images unloaded; they stay valid.
  public let removedRecords: [AnnotationRecord]

  /// Compares two snapshots, which need not live on.
  init(before: OpaquePointer, after: OpaquePointer) {
    let removed = Self.images(of: before, notIn: after)
    let added = Self.images(of: after, notIn: before)
    addedImages = added.map(\.image)
    removedImages = removed.map(\.image)
    addedRecords = added.flatMap(\.records)
    removedRecords = removed.flatMap(\.records)
  }

  private static func images(of snapshot: OpaquePointer, notIn other: OpaquePointer) -> [ImageRecords] {
    (0..<annot_snapshot_image_count(snapshot)).compactMap { index in
      let identity = annot_snapshot_image(snapshot, index).pointee.identity
      return annot_snapshot_has_image(other, identity) ? nil : ImageRecords(snapshot, index: index)
    }
  }
}

/// The changes of the process's annotations, from the moment it was asked for.
///
/// It ends when the task that iterates it is cancelled. Each iteration of one value shares its changes; ask
/// ``AnnotationRegistry/changes`` again for another observer.
public struct AnnotationChanges: AsyncSequence, Sendable {
  /// What comes with each step.
  public typealias Element = AnnotationChange
  /// It does not fail.
  public typealias Failure = Never

  private let stream: AsyncStream<AnnotationChange>

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: AnnotationChange.self)
    self.stream = stream
    let receiver = Unmanaged.passRetained(Receiver(continuation))
    let id = annot_observe(
      { before, after, context in
        guard let before, let after, let context else { return }
        Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
          .continuation.yield(AnnotationChange(before: before, after: after))
      },
      receiver.toOpaque(),
      { context in
        if let context { Unmanaged<Receiver>.fromOpaque(context).release() }
      })
    guard id != 0 else { fatalError("no memory to observe the annotations") }
    continuation.onTermination = { _ in _ = annot_unobserve(id) }
  }

  private final class Receiver: Sendable {
    let continuation: AsyncStream<AnnotationChange>.Continuation
    init(_ continuation: AsyncStream<AnnotationChange>.Continuation) { self.continuation = continuation }
  }

  /// Iterates the changes, the oldest first.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var iterator: AsyncStream<AnnotationChange>.Iterator

    /// Waits for the next change; nil when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> AnnotationChange? {
      await iterator.next(isolation: actor)
    }
  }

  /// Makes an iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: stream.makeAsyncIterator()) }
}
