internal import CAnnot

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
/// The join point is known to the ``InterceptionRegistry`` from the first use of the method on; advice that
/// names it waits for that. `Target` is the type of the object (`Void` for a free or static function),
/// `Arguments` the tuple of the parameters' types, `Failure` the error type, `Never` when it cannot throw.
public final class JoinPoint<Target, Arguments, Result, Failure: Error>: Sendable {
  /// The join point's name.
  public let name: JoinPointName

  let body: @Sendable (Target, Arguments) throws(Failure) -> Result
  let arguments: ArgumentAccess<Arguments>
  let fallback: (@Sendable () -> Result)?
  private let slot: JoinPointSlot

  /// Declares a join point.
  ///
  /// - Parameters:
  ///   - cls: the type's name, without its module.
  ///   - sel: the method's full Swift name.
  ///   - isStatic: whether it is a static method or free function.
  ///   - fallback: the result of a call that advice did not let proceed and gave no result. Without one such a
  ///     call returns if it returns `Void`, throws if it can throw any error, and else ends the process.
  ///   - fileID: the place of the declaration, which also names the module.
  ///   - line: the line of the declaration.
  ///   - body: the method's body, as a function of the target and the parameters.
  public init<each Argument>(
    cls: String, sel: String, isStatic: Bool = false, fallback: (@Sendable () -> Result)? = nil,
    fileID: String = #fileID, line: UInt32 = #line,
    body: @escaping @Sendable (Target, repeat each Argument) throws(Failure) -> Result
  ) where Arguments == (repeat each Argument) {
    let module = String(fileID.prefix { $0 != "/" })
    name = JoinPointName(module: module, cls: cls, sel: sel)
    self.body = { (target, arguments) throws(Failure) in try body(target, repeat each arguments) }
    self.arguments = ArgumentAccess()
    self.fallback = fallback
    slot = JoinPointSlot(name, isStatic: isStatic, file: fileID, line: line)
  }

  /// Calls the body, with whatever advice applies.
  ///
  /// - Parameters:
  ///   - target: the object whose method is called.
  ///   - arguments: the arguments, as one tuple.
  /// - Throws: what the body or advice throws.
  public func callAsFunction(_ target: Target, _ arguments: Arguments) throws(Failure) -> Result {
    guard let list = slot.acquire() else { return try body(target, arguments) }
    let call = SwiftCall(self, AdviceList(list), target, arguments)
    call.runLevel(0)
    return try call.end()
  }
}

extension JoinPoint where Arguments == Void {
  /// Calls the body, with whatever advice applies.
  ///
  /// - Parameter target: the object whose method is called.
  /// - Throws: what the body or advice throws.
  public func callAsFunction(_ target: Target) throws(Failure) -> Result {
    try self(target, ())
  }
}
