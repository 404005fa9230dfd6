internal import Synchronization

/// Lets the first of several answers through.
final class OneAnswer: Sendable {
  private let answered = Atomic(false)

  /// Returns true the first time only.
  func take() -> Bool {
    !answered.exchange(true, ordering: .acquiringAndReleasing)
  }
}
