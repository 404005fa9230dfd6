/// Advice to be added: where, when and what.
///
/// Made by the static functions; added by ``InterceptionRegistry/add(_:)-(AdviceRequest)`` or, all or nothing, by
/// ``InterceptionRegistry/add(_:)-([AdviceRequest])``.
public struct AdviceRequest: Sendable {
  typealias Template = @Sendable (JoinPointShape, AdviceCondition) throws(InterceptionError) -> Advice

  /// Around advice that may suspend: gets the invocation, and what proceeds to the join point, any number of times
  /// while the advice runs; what that returned or threw is then in the invocation.
  public typealias AsyncBody =
    nonisolated(nonsending) @Sendable (Invocation, nonisolated(nonsending) () async -> Void) async throws ->
    Void

  let position: AdvicePosition
  let pointcut: Pointcut
  let make: Template
  var precedence: Int32 = 0
  var condition = AdviceCondition()
  var isOnce = false
  var identifier: String?
  var mayWait = false
  /// How many arguments the advice takes, its types as text; nil for dynamic advice.
  var argumentCount: Int?
  var signature = ""
  /// Whether it can go around async functions.
  var canAwait = false
  var file = ""
  var line: UInt32 = 0

  init(_ position: AdvicePosition, _ pointcut: Pointcut, _ make: @escaping Template) {
    self.position = position
    self.pointcut = pointcut
    self.make = make
  }

  /// The same advice with a precedence: higher encloses lower, 0 is usual.
  public func precedence(_ precedence: Int32) -> AdviceRequest { with { $0.precedence = precedence } }

  /// The same advice, which ends with its first call.
  public func once() -> AdviceRequest { with { $0.isOnce = true } }

  /// The same advice for the calls of one object only.
  ///
  /// The object is not kept alive, and the advice ends with it.
  public func on(_ instance: AnyObject) -> AdviceRequest {
    with { $0.condition.instance = WeakObject(instance) }
  }

  /// The same advice for the calls of the objects of a class and of its subclasses only.
  public func within<Class: AnyObject>(_ type: Class.Type) -> AdviceRequest {
    with { $0.condition.subclass = ClassTest(type) }
  }

  /// The same advice under a name, which one advice at a time can have.
  public func identified(_ identifier: String) -> AdviceRequest { with { $0.identifier = identifier } }

  /// The same advice, which waits for its join point even where the type is there without it.
  public func waiting() -> AdviceRequest { with { $0.mayWait = true } }

  /// The same advice with the place where it was added, for lists.
  public func at(_ file: String = #fileID, _ line: UInt32 = #line) -> AdviceRequest {
    with {
      $0.file = file
      $0.line = line
    }
  }

  private func with(_ change: (inout AdviceRequest) -> Void) -> AdviceRequest {
    var copy = self
    change(&copy)
    return copy
  }

  /// Advice that reads its calls through an ``Invocation``, at C and Swift join points of any types.
  ///
  /// - Parameters:
  ///   - position: when it runs.
  ///   - pointcut: where.
  ///   - body: the advice, on the thread of each call. What it throws the join point's caller is thrown if the
  ///     join point can throw it; else it is reported, see ``InterceptionRegistry/problems``.
  public static func dynamic(
    _ position: AdvicePosition, _ pointcut: Pointcut, _ body: @escaping @Sendable (Invocation) throws -> Void
  ) -> AdviceRequest {
    AdviceRequest(position, pointcut) { (shape, condition) throws(InterceptionError) in
      try shape.dynamic(position, condition, body)
    }
  }

  /// Around advice that reads its calls through an ``Invocation``, at join points that may be async.
  ///
  /// - Parameters:
  ///   - pointcut: where.
  ///   - body: the advice at functions that are not async, C functions among them.
  ///   - async: the advice at async functions; runs on the actor of each call.
  public static func around(
    _ pointcut: Pointcut, _ body: @escaping @Sendable (Invocation) throws -> Void, async: @escaping AsyncBody
  ) -> AdviceRequest {
    var request = AdviceRequest(.around, pointcut) { (shape, condition) throws(InterceptionError) in
      shape.isAsync
        ? try shape.asyncDynamic(condition, async) : try shape.dynamic(.around, condition, body)
    }
    request.canAwait = true
    return request
  }
}
