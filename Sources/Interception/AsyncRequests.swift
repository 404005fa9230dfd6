extension AdviceRequest {
  /// Advice over types that runs before an async join point.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets the target (`()` for a static or free function) and the arguments; runs on the actor of each
  ///     call and may suspend. What it throws the caller is thrown, if the join point can throw.
  @inlinable
  public static func before<Target, Arguments, each Argument, Output, Failure>(
    _ key: AsyncJoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>,
    _ body: nonisolated(nonsending) @escaping @Sendable (Target, repeat each Argument) async -> Void
  ) -> AdviceRequest {
    request(
      key.pointcut, ArgumentLayout(types: repeat (each Argument).self), Output.self,
      AsyncBefore<Target, (repeat each Argument)>(nil) { target, arguments in
        await body(target, repeat each arguments)
      })
  }

  @usableFromInline
  static func request<Target, Arguments, Output>(
    _ pointcut: Pointcut, _ layout: ArgumentLayout, _ output: Output.Type,
    _ advice: AsyncBefore<Target, Arguments>
  ) -> AdviceRequest {
    AdviceRequest(
      .before, pointcut, (Target.self, Arguments.self, Output.self), layout,
      swift: { (shape, condition) throws(InterceptionError) in try shape.asyncBefore(advice, condition) })
  }

  /// Advice over types that runs in the place of an async join point.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets what proceeds to the join point, the target, and the arguments as one tuple; runs on the actor
  ///     of each call and may suspend. What it returns is the call's result.
  @inlinable
  public static func around<Target, Arguments, each Argument, Output>(
    _ key: AsyncJoinPointKey<Target, Arguments, Output, Never, repeat each Argument>,
    _ body:
      nonisolated(nonsending) @escaping @Sendable (
        nonisolated(nonsending) (Arguments) async -> Output, Target, Arguments
      ) async -> Output
  ) -> AdviceRequest {
    aroundNever(key.pointcut, ArgumentLayout(types: repeat (each Argument).self), body)
  }

  /// Advice over types that runs in the place of an async join point that throws; see the other form.
  @inlinable
  public static func around<Target, Arguments, each Argument, Output>(
    _ key: AsyncJoinPointKey<Target, Arguments, Output, any Error, repeat each Argument>,
    _ body:
      nonisolated(nonsending) @escaping @Sendable (
        nonisolated(nonsending) (Arguments) async throws -> Output, Target, Arguments
      ) async throws -> Output
  ) -> AdviceRequest {
    around(key.pointcut, ArgumentLayout(types: repeat (each Argument).self), body)
  }

  // Over the tuple: Swift 6.3 crashes on the same with a pack.
  @inlinable
  static func aroundNever<Target, Arguments, Output>(
    _ pointcut: Pointcut, _ layout: ArgumentLayout,
    _ body:
      nonisolated(nonsending) @escaping @Sendable (
        nonisolated(nonsending) (Arguments) async -> Output, Target, Arguments
      ) async -> Output
  ) -> AdviceRequest {
    around(pointcut, layout) { proceed, target, arguments in
      await body(
        { do { return try await proceed($0) } catch { fatalError("it cannot throw: \(error)") } }, target,
        arguments)
    }
  }

  @inlinable
  static func around<Target, Arguments, Output>(
    _ pointcut: Pointcut, _ layout: ArgumentLayout,
    _ body:
      nonisolated(nonsending) @escaping @Sendable (
        nonisolated(nonsending) (Arguments) async throws -> Output, Target, Arguments
      ) async throws -> Output
  ) -> AdviceRequest {
    request(
      pointcut, layout,
      AsyncAround<Target, Arguments, Output>(nil) { target, arguments, proceed in
        try await body(proceed, target, arguments)
      })
  }

  @usableFromInline
  static func request<Target, Arguments, Output>(
    _ pointcut: Pointcut, _ layout: ArgumentLayout, _ advice: AsyncAround<Target, Arguments, Output>
  ) -> AdviceRequest {
    var request = AdviceRequest(
      .around, pointcut, (Target.self, Arguments.self, Output.self), layout,
      swift: { (shape, condition) throws(InterceptionError) in try shape.asyncAround(advice, condition) })
    request.canAwait = true
    return request
  }

  /// Advice over types that runs after an async join point, however it ended; it cannot suspend.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets the outcome, which it may replace, the target and the arguments.
  @inlinable
  public static func after<Target, Arguments, each Argument, Output, Failure>(
    _ key: AsyncJoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>,
    _ body: @escaping @Sendable (inout Result<Output, any Error>, Target, repeat each Argument) -> Void
  ) -> AdviceRequest {
    after(key.pointcut, body)
  }
}

extension InterceptionRegistry {
  /// Adds advice over types at an async join point; see ``AdviceRequest/before(_:_:)``.
  @inlinable
  public func before<Target, Arguments, each Argument, Output, Failure>(
    _ key: AsyncJoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>,
    file: String = #fileID,
    line: UInt32 = #line,
    _ body: nonisolated(nonsending) @escaping @Sendable (Target, repeat each Argument) async -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(AdviceRequest.before(key, body).at(file, line))
  }

  /// Adds advice over types at an async join point; see ``AdviceRequest/around(_:_:)``.
  @inlinable
  public func around<Target, Arguments, each Argument, Output>(
    _ key: AsyncJoinPointKey<Target, Arguments, Output, Never, repeat each Argument>, file: String = #fileID,
    line: UInt32 = #line,
    _ body:
      nonisolated(nonsending) @escaping @Sendable (
        nonisolated(nonsending) (Arguments) async -> Output, Target, Arguments
      ) async -> Output
  ) throws(InterceptionError) -> AdviceToken {
    try add(AdviceRequest.around(key, body).at(file, line))
  }

  /// Adds advice over types at an async join point that throws; see ``AdviceRequest/around(_:_:)``.
  @inlinable
  public func around<Target, Arguments, each Argument, Output>(
    _ key: AsyncJoinPointKey<Target, Arguments, Output, any Error, repeat each Argument>,
    file: String = #fileID,
    line: UInt32 = #line,
    _ body:
      nonisolated(nonsending) @escaping @Sendable (
        nonisolated(nonsending) (Arguments) async throws -> Output, Target, Arguments
      ) async throws -> Output
  ) throws(InterceptionError) -> AdviceToken {
    try add(AdviceRequest.around(key, body).at(file, line))
  }

  /// Adds advice over types at an async join point; see ``AdviceRequest/after(_:_:)``.
  @inlinable
  public func after<Target, Arguments, each Argument, Output, Failure>(
    _ key: AsyncJoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>,
    file: String = #fileID,
    line: UInt32 = #line,
    _ body: @escaping @Sendable (inout Result<Output, any Error>, Target, repeat each Argument) -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(AdviceRequest.after(key, body).at(file, line))
  }
}
