/// A call of a Swift join point: runs its advice and its body, and keeps arguments and outcome in between.
final class SwiftCall<Target, Arguments, Result, Failure: Error>: Call {
  typealias Point = JoinPoint<Target, Arguments, Result, Failure>

  private let point: Point
  private let list: AdviceList
  private let callee: Target
  private var arguments: Arguments
  private var outcome: Swift.Result<Result, Failure>?
  /// What proceed goes on with; nil outside around advice.
  private var place: AdvicePlace?

  init(_ point: Point, _ list: AdviceList, _ target: Target, _ arguments: Arguments) {
    self.point = point
    self.list = list
    callee = target
    self.arguments = arguments
  }

  /// Runs the level that begins with entry `first` and all that it encloses.
  func runLevel(_ first: Int) {
    guard first < list.count else {
      runBody()
      return
    }
    let level = list.level(first)
    for index in first..<level.beforeEnd { run(index, inside: nil) }
    go(on: AdvicePlace(around: level.beforeEnd, aroundEnd: level.aroundEnd, nextLevel: level.end))
    for index in (level.aroundEnd..<level.end).reversed() { run(index, inside: nil) }
  }

  /// Goes on from a place: the remaining around advice, then the enclosed levels, then the body.
  func go(on place: AdvicePlace) {
    guard place.around < place.aroundEnd else {
      runLevel(place.nextLevel)
      return
    }
    var inside = place
    inside.around += 1
    run(place.around, inside: inside)
  }

  private func run(_ index: Int, inside: AdvicePlace?) {
    guard let advice = list.begin(index) else {
      if let inside { go(on: inside) }
      return
    }
    let outer = place
    place = inside
    advice.body(Invocation(self))
    place = outer
  }

  private func runBody() {
    do throws(Failure) {
      outcome = .success(try point.body(callee, arguments))
    } catch {
      outcome = .failure(error)
    }
  }

  /// The call's result.
  func end() throws(Failure) -> Result {
    if let outcome { return try outcome.get() }
    if let nothing = () as? Result { return nothing }
    if let fallback = point.fallback { return fallback() }
    let noResult = InterceptionError(
      .noResult, name, "its around advice neither proceeded nor gave a result, and it has no fallback")
    if let failure = noResult as? Failure { throw failure }
    fatalError("\(noResult)")
  }

  // MARK: Call

  var name: JoinPointName { point.name }
  var target: Any? { callee }
  var argumentCount: Int { point.arguments.count }
  var returnsVoid: Bool { Result.self == Void.self }
  var canThrow: Bool { Failure.self != Never.self }
  var hasDefaultResult: Bool { returnsVoid || point.fallback != nil }

  func argument<Value>(_ index: Int, as type: Value.Type) throws(InterceptionError) -> Value {
    try point.argument(arguments, index, as: type)
  }

  func setArgument<Value>(_ index: Int, to value: Value) throws(InterceptionError) {
    try point.checkArgument(index)
    guard point.arguments.set(&arguments, index, value) else {
      throw .typeMismatch(
        name, "argument \(index)", declared: point.arguments.typeNames[index], asked: Value.self)
    }
  }

  func result<Value>(as type: Value.Type) throws(InterceptionError) -> Value? {
    guard case .success(let result) = outcome else { return nil }
    return try point.cast(result, to: type)
  }

  func setResult<Value>(_ value: Value) throws(InterceptionError) {
    guard let result = value as? Result else {
      throw .typeMismatch(name, "the result", declared: "\(Result.self)", asked: Value.self)
    }
    outcome = .success(result)
  }

  var error: (any Error)? {
    guard case .failure(let error) = outcome else { return nil }
    return error
  }

  func fail(_ error: any Error) throws(InterceptionError) {
    guard let failure = error as? Failure else {
      throw InterceptionError(
        .notSupported, name,
        canThrow ? "it throws \(Failure.self), not \(type(of: error))" : "it cannot throw \(error)")
    }
    outcome = .failure(failure)
  }

  func proceed() throws(InterceptionError) {
    guard let place else { throw InterceptionError(.notNow, name, "only around advice can proceed") }
    go(on: place)
  }

  func deferred() throws(InterceptionError) -> any DeferredCall {
    guard let place else {
      throw InterceptionError(.notNow, name, "only around advice can set a call aside")
    }
    return SwiftDeferredCall(point, SwiftCall(point, list, callee, arguments), arguments, place)
  }
}

/// Where a call goes on inside around advice.
struct AdvicePlace {
  /// The next around advice of the level to run.
  var around: Int
  /// Behind the level's last around advice.
  let aroundEnd: Int
  /// The first entry of the level enclosed by this one.
  let nextLevel: Int
}

/// A call of a Swift join point that was set aside.
final class SwiftDeferredCall<Target, Arguments, Result, Failure: Error>: DeferredCall, @unchecked Sendable {
  // `call` is used by the one thread that finds `spent` false; target and arguments are sent as the one who
  // lets the call proceed answers for.
  private let point: JoinPoint<Target, Arguments, Result, Failure>
  private let call: SwiftCall<Target, Arguments, Result, Failure>
  private let arguments: Arguments
  private let place: AdvicePlace
  private let spent = OneTime()

  init(
    _ point: JoinPoint<Target, Arguments, Result, Failure>,
    _ call: SwiftCall<Target, Arguments, Result, Failure>, _ arguments: Arguments, _ place: AdvicePlace
  ) {
    self.point = point
    self.call = call
    self.arguments = arguments
    self.place = place
  }

  var name: JoinPointName { point.name }
  var argumentCount: Int { point.arguments.count }

  func argument<Value>(_ index: Int, as type: Value.Type) throws(InterceptionError) -> Value {
    try point.argument(arguments, index, as: type)
  }

  func proceed() throws(InterceptionError) {
    guard spent.take() else {
      throw InterceptionError(.alreadyProceeded, name, "the deferred call has proceeded before")
    }
    call.go(on: place)
  }

  func result<Value>(as type: Value.Type) throws(InterceptionError) -> Value? {
    try call.result(as: type)
  }
}

extension JoinPoint {
  func checkArgument(_ index: Int) throws(InterceptionError) {
    guard index >= 0, index < arguments.count else {
      throw .noSuchArgument(name, index, of: arguments.count)
    }
  }

  func argument<Value>(
    _ values: Arguments, _ index: Int, as type: Value.Type
  ) throws(InterceptionError) -> Value {
    try checkArgument(index)
    guard let value = arguments.get(values, index) as? Value else {
      throw .typeMismatch(name, "argument \(index)", declared: arguments.typeNames[index], asked: type)
    }
    return value
  }

  func cast<Value>(_ result: Result, to type: Value.Type) throws(InterceptionError) -> Value {
    guard let value = result as? Value else {
      throw .typeMismatch(name, "the result", declared: "\(Result.self)", asked: type)
    }
    return value
  }
}
