internal import CAnnot

/// What the registry knows of a join point that has been called: its name, and how to read its calls.
///
/// A frame is where a call keeps what advice may read; what it points to is the subclass's.
@usableFromInline
class JoinPointShape: @unchecked Sendable {
  // Immutable after init.

  let name: JoinPointName
  let isStatic: Bool
  let file: String
  let line: UInt32
  /// The engine's description of the join point, valid as long as its image.
  let info: UnsafePointer<annot_joinpoint_info>

  init(
    _ name: JoinPointName, isStatic: Bool, file: String, line: UInt32,
    info: UnsafePointer<annot_joinpoint_info>
  ) {
    self.name = name
    self.isStatic = isStatic
    self.file = file
    self.line = line
    self.info = info
  }

  /// The parameters, result and effects, for messages.
  var signature: String { "" }
  /// The type of the target, empty for none.
  var targetTypeName: String { "" }
  var argumentCount: Int { 0 }
  /// The parameters' names, where known.
  var argumentNames: [String] { [] }
  var returnsVoid: Bool { true }
  var isAsync: Bool { false }

  /// Whether the join point's callers can be thrown this error.
  func canThrow(_ error: any Error) -> Bool { false }
  var canThrow: Bool { false }

  // MARK: Making advice

  func dynamic(
    _ position: AdvicePosition, _ condition: AdviceCondition,
    _ body: @escaping @Sendable (Invocation) throws -> Void
  ) throws(InterceptionError) -> Advice { fatalError("abstract") }

  func asyncDynamic(
    _ condition: AdviceCondition, _ body: @escaping AdviceRequest.AsyncBody
  ) throws(InterceptionError) -> Advice { fatalError("abstract") }

  /// Advice over types; nil when the join point's are others.
  func before<Target, Arguments>(
    _ advice: TypedBefore<Target, Arguments>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? { nil }
  func around<Target, Arguments, Output>(
    _ advice: TypedAround<Target, Arguments, Output>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? { nil }
  func after<Target, Arguments, Output>(
    _ advice: TypedAfter<Target, Arguments, Output>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? { nil }
  func asyncBefore<Target, Arguments>(
    _ advice: AsyncBefore<Target, Arguments>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? { nil }
  func asyncAround<Target, Arguments, Output>(
    _ advice: AsyncAround<Target, Arguments, Output>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? { nil }

  // MARK: Reading a call

  func target(_ frame: UnsafeMutableRawPointer) -> Any? { nil }
  func argument<Value>(
    _ frame: UnsafeMutableRawPointer, _ index: Int, as type: Value.Type
  ) throws(InterceptionError) -> Value { fatalError("abstract") }
  func anyArgument(_ frame: UnsafeMutableRawPointer, _ index: Int) -> Any? { nil }
  func setArgument<Value>(
    _ frame: UnsafeMutableRawPointer, _ index: Int, to value: Value
  ) throws(InterceptionError) { fatalError("abstract") }
  func result<Value>(_ frame: UnsafeMutableRawPointer, as type: Value.Type) throws(InterceptionError)
    -> Value?
  { fatalError("abstract") }
  func setResult<Value>(_ frame: UnsafeMutableRawPointer, _ value: Value) throws(InterceptionError) {
    fatalError("abstract")
  }
  func hasDefaultResult(_ frame: UnsafeMutableRawPointer) -> Bool { true }
  func error(_ frame: UnsafeMutableRawPointer) -> (any Error)? { nil }
  func fail(_ frame: UnsafeMutableRawPointer, _ error: any Error) throws(InterceptionError) {
    fatalError("abstract")
  }
  /// Ends the call with an error that it can throw.
  @usableFromInline
  func end(_ frame: UnsafeMutableRawPointer, _ error: any Error) {}
  func proceed(_ frame: UnsafeMutableRawPointer) throws(InterceptionError) { fatalError("abstract") }
  func deferred(_ frame: UnsafeMutableRawPointer) throws(InterceptionError) -> any DeferredCall {
    fatalError("abstract")
  }

  func checkIndex(_ index: Int) throws(InterceptionError) {
    guard index >= 0, index < argumentCount else {
      throw .noSuchArgument(name, index, of: argumentCount)
    }
  }
}

/// A call set aside.
protocol DeferredCall: AnyObject, Sendable {
  var name: JoinPointName { get }
  var argumentCount: Int { get }
  func argument<Value>(_ index: Int, as type: Value.Type) throws(InterceptionError) -> Value
  var isolation: (any Actor)? { get }
  func proceed() throws(InterceptionError)
  func result<Value>(as type: Value.Type) throws(InterceptionError) -> Value?
  var error: (any Error)? { get }
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
