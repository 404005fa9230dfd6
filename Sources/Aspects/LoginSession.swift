/// What the app tells the login gate about its user, and does for it.
///
/// The gate calls both members from whatever thread makes a gated call, with no lock held.
public protocol LoginSession: Sendable {
  /// Whether someone is logged in now.
  var isLoggedIn: Bool { get }

  /// Whether a call may run now: someone is logged in, with what the annotation asks for.
  ///
  /// ``isLoggedIn`` unless the session has its own.
  func admits(_ request: LoginRequest) -> Bool

  /// Starts the app's login; returns without waiting for it.
  ///
  /// The gate asks once, however many calls wait, and asks again only after the answer.
  /// - Parameter answer: to be called once, on any thread, with how the login ended; more calls are ignored.
  func requestLogin(_ answer: @escaping @Sendable (LoginAnswer) -> Void)
}

extension LoginSession {
  /// Whether someone is logged in.
  public func admits(_ request: LoginRequest) -> Bool { isLoggedIn }
}

/// How a login ended.
public enum LoginAnswer: Sendable, Hashable {
  /// Someone is logged in: the waiting calls go on.
  case loggedIn
  /// The user declined: the waiting calls are dropped.
  case cancelled
}
