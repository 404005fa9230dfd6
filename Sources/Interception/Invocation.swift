/// One call of an advised join point, as its advice sees it.
///
/// An invocation is for the advice it was handed to and for as long as that runs, on that thread; what must
/// live longer is a ``DeferredInvocation``. Later use of an invocation of a C join point throws
/// ``InterceptionError/Code/notNow``.
public final class Invocation {
  let call: any Call

  init(_ call: any Call) {
    self.call = call
  }

  /// The join point's own name.
  public var joinPoint: JoinPointName { call.name }

  /// The object or value whose method is called; nil for C functions.
  public var target: Any? { call.target }

  /// The number of arguments, the target not counted.
  public var argumentCount: Int { call.argumentCount }

  /// Reads an argument.
  ///
  /// - Parameters:
  ///   - index: from 0 to below ``argumentCount``.
  ///   - type: the declared type. For C, a type of the same size and kind: `Int32` for `int`,
  ///     `UnsafePointer<CChar>` or its optional for `const char *`, the imported struct for a struct.
  /// - Throws: ``InterceptionError`` when there is no such argument or its type is another.
  public func argument<Value>(
    _ index: Int, as type: Value.Type = Value.self
  ) throws(InterceptionError) -> Value {
    try call.argument(index, as: type)
  }

  /// Replaces an argument for the advice and the code that run from here on.
  ///
  /// - Parameters:
  ///   - index: from 0 to below ``argumentCount``.
  ///   - value: of the declared type, as for ``argument(_:as:)``.
  /// - Throws: ``InterceptionError`` when there is no such argument or its type is another.
  public func setArgument<Value>(_ index: Int, to value: Value) throws(InterceptionError) {
    try call.setArgument(index, to: value)
  }

  /// Whether the join point returns nothing.
  public var returnsVoid: Bool { call.returnsVoid }

  /// Whether the join point is declared to throw.
  public var canThrow: Bool { call.canThrow }

  /// Whether a call that is not let proceed has a result all the same: void, C (zero), or a declared fallback.
  public var hasDefaultResult: Bool { call.hasDefaultResult }

  /// Reads the result.
  ///
  /// - Parameter type: the declared type, as for ``argument(_:as:)``.
  /// - Returns: nil when there is none, yet or at all. A C result is zero until it is set.
  /// - Throws: ``InterceptionError`` when its type is another.
  public func result<Value>(as type: Value.Type = Value.self) throws(InterceptionError) -> Value? {
    try call.result(as: type)
  }

  /// Sets or replaces the result, and takes back an error thrown so far.
  ///
  /// - Parameter value: of the declared type.
  /// - Throws: ``InterceptionError`` when its type is another.
  public func setResult<Value>(_ value: Value) throws(InterceptionError) {
    try call.setResult(value)
  }

  /// The error that the original code or an advice ended the call with.
  public var error: (any Error)? { call.error }

  /// Makes the call throw.
  ///
  /// - Throws: ``InterceptionError`` when the join point cannot throw this error.
  public func fail(_ error: any Error) throws(InterceptionError) {
    try call.fail(error)
  }

  /// Runs what this around advice encloses: further advice, then the original code.
  ///
  /// It may be called any number of times. What it returned or threw is then ``result(as:)`` or ``error``.
  /// - Throws: ``InterceptionError`` outside around advice.
  public func proceed() throws(InterceptionError) {
    try call.proceed()
  }

  /// Sets the call aside: a copy that owns its arguments and can proceed later, once, on any thread.
  ///
  /// Text of a C parameter declared `annot_string` is copied; what another C pointer points to stays the
  /// caller's, so a Swift string handed to a `const char *` is gone by then.
  /// - Throws: ``InterceptionError`` outside around advice, or when an argument cannot be copied.
  public func `defer`() throws(InterceptionError) -> DeferredInvocation {
    DeferredInvocation(try call.deferred())
  }
}
