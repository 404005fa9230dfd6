internal import Synchronization

/// A thing that can be taken once, by one thread.
@usableFromInline
final class OneTime: Sendable {
  private let taken = Atomic(false)

  /// Returns true the first time only.
  func take() -> Bool {
    !taken.exchange(true, ordering: .acquiringAndReleasing)
  }
}
