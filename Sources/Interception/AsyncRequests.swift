extension AdviceRequest {
  /// Advice over types that runs before an async join point.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets the target (`()` for a static or free function) and the arguments; runs on the actor of each
  ///     call and may suspend. What it throws the caller is thrown, if the join point can throw.
  public static func before<Target, Arguments, each Argument, Output, Failure>(
    _ key: AsyncJoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>,
    _ body: nonisolated(nonsending) @escaping @Sendable (Target, repeat each Argument) async -> Void
  ) -> AdviceRequest {
    let advice = AsyncBefore<Target, (repeat each Argument)>(nil) { target, arguments in
      await body(target, repeat each arguments)
    }
    return AdviceRequest(
      .before, key.pointcut, (Target.self, (repeat each Argument).self, Output.self),
      ArgumentLayout(types: repeat (each Argument).self),
      swift: { (shape, condition) throws(InterceptionError) in try shape.asyncBefore(advice, condition) })
  }

  /// Advice over types that runs in the place of an async join point.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets what proceeds to the join point, the target, and the arguments as one tuple; runs on the actor
  ///     of each call and may suspend. What it returns is the call's result.
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
  private static func aroundNever<Target, Arguments, Output>(
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

  private static func around<Target, Arguments, Output>(
    _ pointcut: Pointcut, _ layout: ArgumentLayout,
    _ body:
      nonisolated(nonsending) @escaping @Sendable (
        nonisolated(nonsending) (Arguments) async throws -> Output, Target, Arguments
      ) async throws -> Output
  ) -> AdviceRequest {
    let advice = AsyncAround<Target, Arguments, Output>(nil) { target, arguments, proceed in
      try await body(proceed, target, arguments)
    }
    return AdviceRequest(
      .around, pointcut, (Target.self, Arguments.self, Output.self), layout,
      swift: { (shape, condition) throws(InterceptionError) in try shape.asyncAround(advice, condition) })
  }

  /// Advice over types that runs after an async join point, however it ended; it cannot suspend.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets the outcome, which it may replace, the target and the arguments.
  public static func after<Target, Arguments, each Argument, Output, Failure>(
    _ key: AsyncJoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>,
    _ body: @escaping @Sendable (inout Result<Output, any Error>, Target, repeat each Argument) -> Void
  ) -> AdviceRequest {
    let advice = TypedAfter<Target, (repeat each Argument), Output>(nil) { target, arguments, outcome in
      body(&outcome, target, repeat each arguments)
    }
    return AdviceRequest(
      .after, key.pointcut, (Target.self, (repeat each Argument).self, Output.self),
      ArgumentLayout(types: repeat (each Argument).self),
      swift: { (shape, condition) throws(InterceptionError) in try shape.after(advice, condition) })
  }
}

extension InterceptionRegistry {
  /// Adds advice over types at an async join point; see ``AdviceRequest/before(_:_:)``.
  public func before<Target, Arguments, each Argument, Output, Failure>(
    _ key: AsyncJoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>,
    file: String = #fileID,
    line: UInt32 = #line,
    _ body: nonisolated(nonsending) @escaping @Sendable (Target, repeat each Argument) async -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(AdviceRequest.before(key, body).at(file, line))
  }

  /// Adds advice over types at an async join point; see ``AdviceRequest/around(_:_:)``.
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
  public func after<Target, Arguments, each Argument, Output, Failure>(
    _ key: AsyncJoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>,
    file: String = #fileID,
    line: UInt32 = #line,
    _ body: @escaping @Sendable (inout Result<Output, any Error>, Target, repeat each Argument) -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(AdviceRequest.after(key, body).at(file, line))
  }
}
