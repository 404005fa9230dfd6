/// What became of a call that the login gate stopped.
public enum GatedCallOutcome: Sendable, Hashable {
  /// It went on after login, and has returned.
  case resumed
  /// The login was cancelled; the call never ran.
  case dropped
  /// The login gave no answer in time; the call never ran.
  case timedOut
  /// It cannot wait, for the reason given; it never ran. A login was asked for all the same.
  case refused(reason: String)
}

/// A call that the login gate stopped, and what became of it.
public struct GatedCall: Sendable {
  /// The join point called.
  public let joinPoint: JoinPointName
  /// What became of the call.
  public let outcome: GatedCallOutcome
}

/// Thrown by a gated method that is declared to throw, when it is called logged out.
public struct LoginRequired: Error, Sendable, Hashable {
  /// The join point called.
  public let joinPoint: JoinPointName
}

extension LoginRequired: CustomStringConvertible {
  /// What happened, for people.
  public var description: String { "\(joinPoint) needs a login" }
}
