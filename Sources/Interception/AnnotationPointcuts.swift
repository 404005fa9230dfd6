internal import CAnnot
internal import Synchronization

/// Names the advice added for every join point that carries an annotation of one kind, for its removal.
public struct AnnotationPointcutToken: Sendable {
  let id: Int

  /// Removes the advice from all join points.
  ///
  /// - Returns: false when it was removed before.
  @discardableResult
  public func remove() -> Bool { InterceptionRegistry.shared.pointcuts.remove(id) }
}
