internal import CAnnot

/// Names one registration of advice, for its removal.
///
/// Throwing the token away leaves the advice in place for good.
public struct AdviceToken: Sendable, Hashable {
  let id: annot_advice_id

  /// Removes the advice; calls that run now end with it.
  ///
  /// Thread-safe, and allowed in the advice itself.
  /// - Returns: false when it was removed before, once-only advice that has run included.
  @discardableResult
  public func remove() -> Bool { annot_unadvise(id) }

  /// How many join points of the loaded images, and of the Swift join points used so far, the advice applies
  /// to; 0 while it waits for one.
  public var reach: Int { annot_advice_reach(id) }
}
