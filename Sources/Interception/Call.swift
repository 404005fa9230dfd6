/// One call of an advised join point, in the terms that C and Swift join points share.
protocol Call: AnyObject {
  var name: JoinPointName { get }
  var target: Any? { get }
  var argumentCount: Int { get }
  func argument<Value>(_ index: Int, as type: Value.Type) throws(InterceptionError) -> Value
  func setArgument<Value>(_ index: Int, to value: Value) throws(InterceptionError)
  var returnsVoid: Bool { get }
  var canThrow: Bool { get }
  var hasDefaultResult: Bool { get }
  func result<Value>(as type: Value.Type) throws(InterceptionError) -> Value?
  func setResult<Value>(_ value: Value) throws(InterceptionError)
  var error: (any Error)? { get }
  func fail(_ error: any Error) throws(InterceptionError)
  func proceed() throws(InterceptionError)
  func deferred() throws(InterceptionError) -> any DeferredCall
}

/// A call set aside.
protocol DeferredCall: AnyObject, Sendable {
  var name: JoinPointName { get }
  var argumentCount: Int { get }
  func argument<Value>(_ index: Int, as type: Value.Type) throws(InterceptionError) -> Value
  func proceed() throws(InterceptionError)
  func result<Value>(as type: Value.Type) throws(InterceptionError) -> Value?
}

extension InterceptionError {
  static func noSuchArgument(_ name: JoinPointName, _ index: Int, of count: Int) -> InterceptionError {
    InterceptionError(
      .noSuchArgument, name, "there is no argument \(index): the join point has \(count)")
  }

  static func typeMismatch(
    _ name: JoinPointName, _ what: String, declared: String, asked: Any.Type
  ) -> InterceptionError {
    InterceptionError(.typeMismatch, name, "\(what) is declared \(declared), not \(asked)")
  }
}
