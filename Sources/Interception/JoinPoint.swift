public import CAnnot

/// A join point written by hand: the place in a Swift method where advice can act.
///
/// Keep it in a `static let`, give it the method's body, and let the method call it:
///
///     final class Account {
///       private static let transferPoint = JoinPoint(cls: "Account", sel: "transfer(to:amount:)") {
///         (account: Account, to: String, amount: Int) in account.balance -= amount
///       }
///       func transfer(to: String, amount: Int) { Self.transferPoint(self, (to, amount)) }
///     }
///
/// The macro `@JoinPoint` does the same with less writing, and its join points cost less while nothing advises
/// them. A hand-written one is known to the ``InterceptionRegistry`` from the first use of the method on; advice
/// that names it waits for that. `Target` is the type of the object (`Void` for a free or static function),
/// `Arguments` the tuple of the parameters' types, `Failure` the error type, `Never` when it cannot throw.
public final class JoinPoint<Target, Arguments, Output, Failure: Error>: @unchecked Sendable {
  // The slot is accessed atomically; all else is immutable.

  /// The join point's name.
  public var name: JoinPointName { declaration.name }

  @usableFromInline let declaration: WovenDeclaration
  @usableFromInline let body: @Sendable (Target, Arguments) throws(Failure) -> Output
  @usableFromInline let fallback: (@Sendable () -> Output)?
  // Never freed: the registry knows it for good.
  @usableFromInline let slot: UnsafeMutablePointer<annot_joinpoint>

  /// Declares a join point.
  ///
  /// - Parameters:
  ///   - cls: the type's name, without its module.
  ///   - sel: the method's full Swift name.
  ///   - isStatic: whether it is a static method or free function.
  ///   - form: what advice can do; `.isBracket` where it must not run the body's stead, as in a `deinit`.
  ///   - fallback: the result of a call that advice did not let proceed and gave no result. Without one such a
  ///     call returns if it returns `Void`, throws if it can throw any error, and else ends the process.
  ///   - file: the place of the declaration, which also names the module.
  ///   - line: the line of the declaration.
  ///   - body: the method's body, as a function of the target and the parameters.
  @inlinable
  public init<each Argument>(
    cls: String, sel: String, isStatic: Bool = false, form: WovenDeclaration.Form = [],
    fallback: (@Sendable () -> Output)? = nil,
    file: String = #fileID, line: UInt32 = #line,
    body: @escaping @Sendable (Target, repeat each Argument) throws(Failure) -> Output
  ) where Arguments == (repeat each Argument) {
    declaration = WovenDeclaration(
      module: String(file.prefix { $0 != "/" }), cls: cls, sel: sel,
      form: isStatic ? form.union(.isStatic) : form,
      failure: Failure.self, layout: ArgumentLayout(types: repeat (each Argument).self), names: [],
      file: file, line: line)
    self.body = { (target, arguments) throws(Failure) in try body(target, repeat each arguments) }
    self.fallback = fallback
    slot = .allocate(capacity: 1)
    slot.initialize(to: annot_joinpoint())
    slot.pointee.hook = UInt(ANNOT_JOINPOINT_UNRESOLVED)
  }

  /// Calls the body, with whatever advice applies.
  ///
  /// - Parameters:
  ///   - target: the object whose method is called.
  ///   - arguments: the arguments, as one tuple.
  /// - Throws: what the body or advice throws.
  @inlinable
  public func callAsFunction(_ target: Target, _ arguments: Arguments) throws(Failure) -> Output {
    guard !WovenCall.isIdle(slot) else { return try body(target, arguments) }
    var arguments = arguments
    do {
      return try WovenCall.run(
        slot, { declaration }, target: target, arguments: &arguments,
        extras: { WovenExtras(deferrable: { try self.body(target, $0) }, fallback: fallback) },
        original: { try body(target, $0) })
    } catch {
      // Advice that throws anything else was stopped on its way.
      throw error as! Failure
    }
  }
}

extension JoinPoint where Arguments == Void {
  /// Calls the body, with whatever advice applies.
  ///
  /// - Parameter target: the object whose method is called.
  /// - Throws: what the body or advice throws.
  @inlinable
  public func callAsFunction(_ target: Target) throws(Failure) -> Output {
    try self(target, ())
  }
}
