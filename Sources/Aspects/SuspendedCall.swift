internal import Synchronization

/// An async call that waits for the answer of a login.
final class SuspendedCall: Sendable {
  private enum State {
    case started
    case waiting(CheckedContinuation<LoginAnswer?, Never>)
    case ended(LoginAnswer?)
  }

  private let state = Mutex(State.started)

  /// Waits for the answer; nil when the task is cancelled first.
  nonisolated(nonsending) func outcome() async -> LoginAnswer? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let early: LoginAnswer?? = state.withLock { state in
          if case .ended(let answer) = state { return answer }
          state = .waiting(continuation)
          return .none
        }
        if let early { continuation.resume(returning: early) }
      }
    } onCancel: {
      end(nil)
    }
  }

  /// Ends the wait; nothing after the first time.
  func end(_ answer: LoginAnswer?) {
    let waiting: CheckedContinuation<LoginAnswer?, Never>? = state.withLock { state in
      defer { if case .ended = state {} else { state = .ended(answer) } }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume(returning: answer)
  }
}
