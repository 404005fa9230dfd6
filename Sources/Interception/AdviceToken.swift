/// Names one registration of advice, for its removal.
///
/// Throwing the token away leaves the advice in place for good; keep it, or give the advice an identifier.
public struct AdviceToken: Sendable, Hashable {
  let id: UInt64

  /// Removes the advice; calls that run now end with it.
  ///
  /// Thread-safe, and allowed in the advice itself.
  /// - Returns: false when it was removed before, once-only advice that has run included.
  @discardableResult
  public func remove() -> Bool { InterceptionRegistry.shared.remove(id) }

  /// Takes the advice off its join points, which cost a branch again, until ``resume()``.
  ///
  /// It keeps its identifier and its place in the order. Thread-safe, and allowed in the advice itself.
  /// - Returns: false when the advice was removed or is paused.
  @discardableResult
  public func pause() -> Bool { InterceptionRegistry.shared.setPaused(id, true) }

  /// Brings paused advice back.
  ///
  /// - Returns: false when the advice was removed or is not paused.
  @discardableResult
  public func resume() -> Bool { InterceptionRegistry.shared.setPaused(id, false) }

  /// How many join points the advice applies to: those of the loaded images by their records, and those that
  /// were called and have none; 0 while it waits for one.
  public var reach: Int { InterceptionRegistry.shared.reach(id) }
}

/// The token of advice by annotation.
public typealias AnnotationPointcutToken = AdviceToken
