// The example of docs/login-gate.md, compiled. A test compares the two.

import Aspects
import Synchronization

/// The app's user, as the gate sees it.
final class UserSession: LoginSession {
  private let role = Mutex<String?>(nil)

  var isLoggedIn: Bool { role.withLock { $0 != nil } }

  // What `@NeedLogin(["role": "admin"])` asks for.
  func admits(_ request: LoginRequest) -> Bool {
    guard let role = role.withLock({ $0 }) else { return false }
    guard let wanted = request.requirements["role"] else { return true }
    return wanted == .text(role)
  }

  // Show the login page here, and answer when the user is done with it.
  func requestLogin(_ answer: @escaping @Sendable (LoginAnswer) -> Void) {
    Task {
      // The login's own calls of gated functions pass.
      await LoginGate.exempt { await Mailbox.shared.prefetch() }
      role.withLock { $0 = "admin" }
      answer(.loggedIn)
    }
  }
}

final class Mailbox: Sendable {
  static let shared = Mailbox()

  // Returns at once when nobody is logged in, and runs after the login with the same argument.
  @NeedLogin func archive(_ message: Int) {}

  // Suspends until the login; throws LoginRequired if that is cancelled.
  @NeedLogin func read(_ message: Int) async throws -> String { "message \(message)" }

  // Throws LoginRequired at once.
  @NeedLogin func unread() throws -> Int { 3 }

  // Returns 0 at once.
  @NeedLogin(fallback: 0) func size() -> Int { 42 }

  // Asks for more than a login.
  @NeedLogin(["role": "admin"]) func purge() {}

  @NeedLogin func prefetch() async {}
}

func openGate() throws -> LoginGate {
  let gate = LoginGate(session: UserSession(), timeout: .seconds(120), limit: 100) { call in
    print(call.joinPoint, call.outcome)
  }
  try gate.install()
  return gate
}
