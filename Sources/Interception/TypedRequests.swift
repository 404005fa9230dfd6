extension AdviceRequest {
  /// A request whose advice is over types, with what it is called in messages.
  init<Target, Arguments, Output>(
    _ position: AdvicePosition, _ pointcut: Pointcut,
    _ types: (target: Target.Type, arguments: Arguments.Type, output: Output.Type), _ layout: ArgumentLayout,
    swift: @escaping @Sendable (JoinPointShape, AdviceCondition) throws(InterceptionError) -> Advice?,
    c: (
      @Sendable (CTypedAdvice<Target, Arguments>, CJoinPointShape) -> (@Sendable (Invocation) throws -> Void)?
    )? =
      nil
  ) {
    let parameters = layout.arguments.map { "\($0.type)" }.joined(separator: ", ")
    let target = Target.self == Void.self ? "" : "(\(Target.self)) -> "
    let signature = "\(target)(\(parameters)) -> \(Output.self)"
    let cAdvice = CTypedAdvice<Target, Arguments>(layout: layout)
    self.init(position, pointcut) { (shape, condition) throws(InterceptionError) in
      if let shape = shape as? CJoinPointShape {
        if let c, let body = c(cAdvice, shape) { return try shape.dynamic(position, condition, body) }
      } else if let advice = try swift(shape, condition) {
        return advice
      }
      throw InterceptionError(
        .typeMismatch, shape.name, "the advice is for \(signature), the join point is \(shape.fullSignature)")
    }
    argumentCount = layout.arguments.count
    self.signature = signature
  }

  /// Advice over types that runs before the join point.
  ///
  /// - Parameters:
  ///   - key: where; at a C function `Target` is its first parameter's type and `Arguments` the others'.
  ///   - body: gets the target (`()` for a static or free function) and the arguments.
  @inlinable
  @_disfavoredOverload
  public static func before<Target, Arguments, each Argument, Output, Failure>(
    _ key: JoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>,
    _ body: @escaping @Sendable (Target, repeat each Argument) -> Void
  ) -> AdviceRequest {
    before(key.pointcut, Output.self, body)
  }

  /// Advice over types that runs before the join point and may throw in its stead.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets the target and the arguments.
  @inlinable
  public static func before<Target, Arguments, each Argument, Output>(
    _ key: JoinPointKey<Target, Arguments, Output, any Error, repeat each Argument>,
    _ body: @escaping @Sendable (Target, repeat each Argument) throws -> Void
  ) -> AdviceRequest {
    before(key.pointcut, Output.self, body)
  }

  @inlinable
  static func before<Target, each Argument, Output>(
    _ pointcut: Pointcut, _ output: Output.Type,
    _ body: @escaping @Sendable (Target, repeat each Argument) throws -> Void
  ) -> AdviceRequest {
    request(
      pointcut, ArgumentLayout(types: repeat (each Argument).self), output,
      TypedBefore<Target, (repeat each Argument)>(nil) { target, arguments in
        try body(target, repeat each arguments)
      })
  }

  @usableFromInline
  static func request<Target, Arguments, Output>(
    _ pointcut: Pointcut, _ layout: ArgumentLayout, _ output: Output.Type,
    _ advice: TypedBefore<Target, Arguments>
  ) -> AdviceRequest {
    AdviceRequest(
      .before, pointcut, (Target.self, Arguments.self, Output.self), layout,
      swift: { (shape, condition) throws(InterceptionError) in try shape.before(advice, condition) },
      c: { $0.before($1, advice.body) })
  }

  /// Advice over types that runs in the join point's place.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets what proceeds to the join point with the arguments that it is given, any number of times while
  ///     the advice runs; the target; and the arguments as one tuple. What it returns is the call's result.
  @inlinable
  public static func around<Target, Arguments, each Argument, Output>(
    _ key: JoinPointKey<Target, Arguments, Output, Never, repeat each Argument>,
    _ body:
      @escaping @Sendable (
        (Arguments) -> Output, Target, Arguments
      ) -> Output
  ) -> AdviceRequest {
    aroundNever(key.pointcut, ArgumentLayout(types: repeat (each Argument).self), body)
  }

  /// Advice over types that runs in the place of a join point that throws.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets what proceeds to the join point, the target and the arguments; see the other form.
  @inlinable
  public static func around<Target, Arguments, each Argument, Output>(
    _ key: JoinPointKey<Target, Arguments, Output, any Error, repeat each Argument>,
    _ body:
      @escaping @Sendable (
        (Arguments) throws -> Output, Target, Arguments
      ) throws -> Output
  ) -> AdviceRequest {
    around(key.pointcut, ArgumentLayout(types: repeat (each Argument).self), body)
  }

  // Over the tuple: Swift 6.3 crashes on the same with a pack.
  @inlinable
  static func aroundNever<Target, Arguments, Output>(
    _ pointcut: Pointcut, _ layout: ArgumentLayout,
    _ body: @escaping @Sendable ((Arguments) -> Output, Target, Arguments) -> Output
  ) -> AdviceRequest {
    request(
      pointcut, layout,
      TypedAround<Target, Arguments, Output>(nil) { target, arguments, proceed in
        body(
          { do { return try proceed($0) } catch { fatalError("it cannot throw: \(error)") } }, target,
          arguments)
      })
  }

  @inlinable
  static func around<Target, Arguments, Output>(
    _ pointcut: Pointcut, _ layout: ArgumentLayout,
    _ body: @escaping @Sendable ((Arguments) throws -> Output, Target, Arguments) throws -> Output
  ) -> AdviceRequest {
    request(
      pointcut, layout,
      TypedAround<Target, Arguments, Output>(nil) { target, arguments, proceed in
        try body(proceed, target, arguments)
      })
  }

  @usableFromInline
  static func request<Target, Arguments, Output>(
    _ pointcut: Pointcut, _ layout: ArgumentLayout, _ advice: TypedAround<Target, Arguments, Output>
  ) -> AdviceRequest {
    AdviceRequest(
      .around, pointcut, (Target.self, Arguments.self, Output.self), layout,
      swift: { (shape, condition) throws(InterceptionError) in try shape.around(advice, condition) },
      c: { $0.around($1, advice.body) })
  }

  /// Advice over types that runs after the join point, however it ended.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets the outcome, which it may replace, the target and the arguments.
  @inlinable
  @_disfavoredOverload
  public static func after<Target, Arguments, each Argument, Output, Failure>(
    _ key: JoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>,
    _ body: @escaping @Sendable (inout Result<Output, any Error>, Target, repeat each Argument) -> Void
  ) -> AdviceRequest {
    after(key.pointcut, body)
  }

  /// Advice over types that runs after a join point that throws; see the other form.
  @inlinable
  public static func after<Target, Arguments, each Argument, Output>(
    _ key: JoinPointKey<Target, Arguments, Output, any Error, repeat each Argument>,
    _ body: @escaping @Sendable (inout Result<Output, any Error>, Target, repeat each Argument) -> Void
  ) -> AdviceRequest {
    after(key.pointcut, body)
  }

  @inlinable
  static func after<Target, each Argument, Output>(
    _ pointcut: Pointcut,
    _ body: @escaping @Sendable (inout Result<Output, any Error>, Target, repeat each Argument) -> Void
  ) -> AdviceRequest {
    request(
      pointcut, ArgumentLayout(types: repeat (each Argument).self),
      TypedAfter<Target, (repeat each Argument), Output>(nil) { target, arguments, outcome in
        body(&outcome, target, repeat each arguments)
      })
  }

  @usableFromInline
  static func request<Target, Arguments, Output>(
    _ pointcut: Pointcut, _ layout: ArgumentLayout, _ advice: TypedAfter<Target, Arguments, Output>
  ) -> AdviceRequest {
    AdviceRequest(
      .after, pointcut, (Target.self, Arguments.self, Output.self), layout,
      swift: { (shape, condition) throws(InterceptionError) in try shape.after(advice, condition) },
      c: { $0.after($1, advice.body) })
  }

  /// Advice over types that runs after the join point returned.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets the result, the target and the arguments.
  @inlinable
  @_disfavoredOverload
  public static func afterReturning<Target, Arguments, each Argument, Output, Failure>(
    _ key: JoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>,
    _ body: @escaping @Sendable (Output, Target, repeat each Argument) -> Void
  ) -> AdviceRequest {
    afterReturning(key.pointcut, body)
  }

  /// Advice over types that runs after a join point that throws returned; see the other form.
  @inlinable
  public static func afterReturning<Target, Arguments, each Argument, Output>(
    _ key: JoinPointKey<Target, Arguments, Output, any Error, repeat each Argument>,
    _ body: @escaping @Sendable (Output, Target, repeat each Argument) -> Void
  ) -> AdviceRequest {
    afterReturning(key.pointcut, body)
  }

  @inlinable
  static func afterReturning<Target, each Argument, Output>(
    _ pointcut: Pointcut, _ body: @escaping @Sendable (Output, Target, repeat each Argument) -> Void
  ) -> AdviceRequest {
    after(pointcut) {
      (outcome: inout Result<Output, any Error>, target: Target, arguments: repeat each Argument) in
      if case .success(let output) = outcome { body(output, target, repeat each arguments) }
    }
  }

  /// Advice over types that runs after the join point threw.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets the error, the target and the arguments.
  @inlinable
  public static func afterThrowing<Target, Arguments, each Argument, Output>(
    _ key: JoinPointKey<Target, Arguments, Output, any Error, repeat each Argument>,
    _ body: @escaping @Sendable (any Error, Target, repeat each Argument) -> Void
  ) -> AdviceRequest {
    after(key.pointcut) {
      (outcome: inout Result<Output, any Error>, target: Target, arguments: repeat each Argument) in
      if case .failure(let error) = outcome { body(error, target, repeat each arguments) }
    }
  }
}

extension JoinPointShape {
  /// The signature with what it is called on.
  var fullSignature: String {
    let target = targetTypeName
    return target.isEmpty ? signature : "(\(target)) -> \(signature)"
  }
}
