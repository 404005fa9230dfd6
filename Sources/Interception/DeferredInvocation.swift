/// A call set aside by around advice: it owns its arguments and proceeds later, once or never.
///
/// It may be used from any thread; that its arguments may be is for the one who lets it proceed to see to.
/// While one of a C join point exists, the join point's shared object stays loaded.
public final class DeferredInvocation: Sendable {
  private let call: any DeferredCall

  init(_ call: any DeferredCall) {
    self.call = call
  }

  /// The join point's own name.
  public var joinPoint: JoinPointName { call.name }

  /// The number of arguments, the target not counted.
  public var argumentCount: Int { call.argumentCount }

  /// Reads an argument, as ``Invocation/argument(_:as:)`` does.
  ///
  /// - Throws: ``InterceptionError`` when there is no such argument or its type is another.
  public func argument<Value>(
    _ index: Int, as type: Value.Type = Value.self
  ) throws(InterceptionError) -> Value {
    try call.argument(index, as: type)
  }

  /// The actor that the function runs on, where it must proceed; nil for none.
  public var isolation: (any Actor)? { call.isolation }

  /// Goes on with the call where its around advice set it aside, on the calling thread.
  ///
  /// - Throws: ``InterceptionError`` when it proceeded before.
  public func proceed() throws(InterceptionError) {
    try call.proceed()
  }

  /// Reads the result after the call proceeded.
  ///
  /// - Returns: nil when it has none.
  /// - Throws: ``InterceptionError`` when its type is another.
  public func result<Value>(as type: Value.Type = Value.self) throws(InterceptionError) -> Value? {
    try call.result(as: type)
  }

  /// The error that the call ended with when it proceeded, nil for none.
  public var error: (any Error)? { call.error }
}
