import Aspects
import Synchronization

/// The shop's idea of a login: somebody presses a button later.
final class ShopSession: LoginSession {
  private struct State {
    var isLoggedIn = false
    var timesAsked = 0
    var answer: (@Sendable (LoginAnswer) -> Void)?
  }

  private let state = Mutex(State())

  var isLoggedIn: Bool { state.withLock { $0.isLoggedIn } }

  /// How often the login page was shown.
  var timesAsked: Int { state.withLock { $0.timesAsked } }

  func requestLogin(_ answer: @escaping @Sendable (LoginAnswer) -> Void) {
    state.withLock {
      $0.timesAsked += 1
      $0.answer = answer
    }
  }

  /// The user presses a button of the login page.
  func press(_ button: LoginAnswer) {
    let answer = state.withLock { state in
      state.isLoggedIn = button == .loggedIn
      defer { state.answer = nil }
      return state.answer
    }
    answer?(button)
  }

  /// The user logs out.
  func logOut() { state.withLock { $0.isLoggedIn = false } }
}
