@_exported public import Annotations

internal import CAnnot

/// The registry of advice of the running process.
///
/// Advice names its join point and applies to every one of that name: C functions defined by `ANNOT_METHOD`
/// and Swift ``JoinPoint``s, those of images loaded later included, from their first call on. At one join
/// point, advice of higher precedence encloses advice of lower precedence. Among equals, before advice runs
/// first in the order of registration, around advice nests in that order, the first outermost, and after
/// advice runs last, in reverse order. A call keeps the advice it started with.
///
/// Everything here is thread-safe and may be called from advice.
public final class InterceptionRegistry: Sendable {
  /// The process's registry.
  public static let shared = InterceptionRegistry()

  let pointcuts = AnnotationPointcuts()

  private init() {}

  /// Adds advice.
  ///
  /// - Parameters:
  ///   - position: when it runs.
  ///   - joinPoint: where; it need not exist yet, see ``AdviceToken/reach``.
  ///   - precedence: higher encloses lower.
  ///   - once: whether the advice ends with its first call.
  ///   - body: the advice; it runs on the thread of each call.
  /// - Returns: the token that removes it.
  /// - Throws: ``InterceptionError`` with ``InterceptionError/Code/noMemory``, or
  ///   ``InterceptionError/Code/notInterceptable`` when the join point is a shim that catches no call.
  public func add(
    _ position: AdvicePosition, _ joinPoint: JoinPointName, precedence: Int32 = 0, once: Bool = false,
    _ body: @escaping @Sendable (Invocation) -> Void
  ) throws(InterceptionError) -> AdviceToken {
    let context = Unmanaged.passRetained(Advice(body))
    var error = annot_error()
    let id = withCStrings(of: joinPoint) { module, cls, sel in
      var advice = annot_advice(
        module: module, cls: cls, sel: sel, position: position.c, precedence: precedence,
        options: UInt32(ANNOT_ADVICE_BINDING) | (once ? UInt32(ANNOT_ADVICE_ONCE) : 0),
        function: runAdviceAtCJoinPoint, context: context.toOpaque(), release: releaseAdvice)
      return annot_advise(&advice, &error)
    }
    guard id != 0 else {
      context.release()
      throw InterceptionError(error, joinPoint)
    }
    return AdviceToken(id: id)
  }

  /// Adds advice that runs before the join point; see ``add(_:_:precedence:once:_:)``.
  public func before(
    _ joinPoint: JoinPointName, precedence: Int32 = 0, once: Bool = false,
    _ body: @escaping @Sendable (Invocation) -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(.before, joinPoint, precedence: precedence, once: once, body)
  }

  /// Adds advice that runs in the join point's place; see ``add(_:_:precedence:once:_:)``.
  public func around(
    _ joinPoint: JoinPointName, precedence: Int32 = 0, once: Bool = false,
    _ body: @escaping @Sendable (Invocation) -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(.around, joinPoint, precedence: precedence, once: once, body)
  }

  /// Adds advice that runs after the join point; see ``add(_:_:precedence:once:_:)``.
  public func after(
    _ joinPoint: JoinPointName, precedence: Int32 = 0, once: Bool = false,
    _ body: @escaping @Sendable (Invocation) -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(.after, joinPoint, precedence: precedence, once: once, body)
  }
}

private func withCStrings<Result>(
  of name: JoinPointName,
  _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Result
) -> Result {
  name.cls.withCString { cls in
    name.sel.withCString { sel in
      guard let module = name.module else { return body(nil, cls, sel) }
      return module.withCString { body($0, cls, sel) }
    }
  }
}
