extension AdviceRequest {
  /// A request whose advice is over types, with what it is called in messages.
  init<Target, Arguments, Output>(
    _ position: AdvicePosition, _ pointcut: Pointcut,
    _ types: (target: Target.Type, arguments: Arguments.Type, output: Output.Type), count: Int?,
    swift: @escaping @Sendable (JoinPointShape, AdviceCondition) throws(InterceptionError) -> Advice?,
    c: CTypedAdvice? = nil
  ) {
    let signature = "(\(Target.self)) -> \(describe(Arguments.self, count)) -> \(Output.self)"
    self.init(position, pointcut) { (shape, condition) throws(InterceptionError) in
      if let shape = shape as? CJoinPointShape {
        if let c, let body = c.body(shape) { return try shape.dynamic(position, condition, body) }
      } else if let advice = try swift(shape, condition) {
        return advice
      }
      throw InterceptionError(
        .typeMismatch, shape.name, "the advice is for \(signature), the join point is \(shape.fullSignature)")
    }
    argumentCount = count
    self.signature = signature
  }

  /// Advice over types that runs before the join point.
  ///
  /// - Parameters:
  ///   - key: where; at a C function `Target` is its first parameter's type and `Arguments` the others'.
  ///   - body: gets the target (`()` for a static or free function) and the arguments.
  public static func before<Target, each Argument, Output, Failure>(
    _ key: JoinPointKey<Target, (repeat each Argument), Output, Failure>,
    _ body: @escaping @Sendable (Target, repeat each Argument) -> Void
  ) -> AdviceRequest {
    before(key.pointcut, Output.self, body)
  }

  /// Advice over types that runs before the join point and may throw in its stead.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets the target and the arguments.
  public static func before<Target, each Argument, Output>(
    _ key: JoinPointKey<Target, (repeat each Argument), Output, any Error>,
    _ body: @escaping @Sendable (Target, repeat each Argument) throws -> Void
  ) -> AdviceRequest {
    before(key.pointcut, Output.self, body)
  }

  static func before<Target, each Argument, Output>(
    _ pointcut: Pointcut, _ output: Output.Type,
    _ body: @escaping @Sendable (Target, repeat each Argument) throws -> Void
  ) -> AdviceRequest {
    let advice = TypedBefore<Target, (repeat each Argument)>(nil) { target, arguments in
      try body(target, repeat each arguments)
    }
    return AdviceRequest(
      .before, pointcut, (Target.self, (repeat each Argument).self, Output.self),
      count: count(repeat (each Argument).self),
      swift: { (shape, condition) throws(InterceptionError) in try shape.before(advice, condition) },
      c: .before(body))
  }

  /// Advice over types that runs in the join point's place.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets what proceeds to the join point with the arguments that it is given, for the time of this call
  ///     and any number of times; the target; and the arguments. What it returns is the call's result.
  public static func around<Target, each Argument, Output>(
    _ key: JoinPointKey<Target, (repeat each Argument), Output, Never>,
    _ body: @escaping @Sendable ((repeat each Argument) -> Output, Target, repeat each Argument) -> Output
  ) -> AdviceRequest {
    around(key.pointcut) { (proceed, target: Target, arguments: repeat each Argument) in
      body(
        { (arguments: repeat each Argument) in
          do { return try proceed(repeat each arguments) } catch { fatalError("it cannot throw: \(error)") }
        }, target, repeat each arguments)
    }
  }

  /// Advice over types that runs in the place of a join point that throws.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets what proceeds to the join point, the target and the arguments; see the other form.
  public static func around<Target, each Argument, Output>(
    _ key: JoinPointKey<Target, (repeat each Argument), Output, any Error>,
    _ body:
      @escaping @Sendable (
        (repeat each Argument) throws -> Output, Target, repeat each Argument
      ) throws -> Output
  ) -> AdviceRequest {
    around(key.pointcut, body)
  }

  static func around<Target, each Argument, Output>(
    _ pointcut: Pointcut,
    _ body:
      @escaping @Sendable (
        (repeat each Argument) throws -> Output, Target, repeat each Argument
      ) throws -> Output
  ) -> AdviceRequest {
    let advice = TypedAround<Target, (repeat each Argument), Output>(nil) { target, arguments, proceed in
      try body(
        { (arguments: repeat each Argument) in try proceed((repeat each arguments)) }, target,
        repeat each arguments)
    }
    return AdviceRequest(
      .around, pointcut, (Target.self, (repeat each Argument).self, Output.self),
      count: count(repeat (each Argument).self),
      swift: { (shape, condition) throws(InterceptionError) in try shape.around(advice, condition) },
      c: .around(body))
  }

  /// Advice over types that runs after the join point, however it ended.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets the outcome, which it may replace, the target and the arguments.
  public static func after<Target, each Argument, Output, Failure>(
    _ key: JoinPointKey<Target, (repeat each Argument), Output, Failure>,
    _ body:
      @escaping @Sendable (
        inout Result<Output, any Error>, Target, repeat each Argument
      ) -> Void
  ) -> AdviceRequest {
    let advice = TypedAfter<Target, (repeat each Argument), Output>(nil) { target, arguments, outcome in
      body(&outcome, target, repeat each arguments)
    }
    return AdviceRequest(
      .after, key.pointcut, (Target.self, (repeat each Argument).self, Output.self),
      count: count(repeat (each Argument).self),
      swift: { (shape, condition) throws(InterceptionError) in try shape.after(advice, condition) },
      c: .after(body))
  }

  /// Advice over types that runs after the join point returned.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets the result, the target and the arguments.
  public static func afterReturning<Target, each Argument, Output, Failure>(
    _ key: JoinPointKey<Target, (repeat each Argument), Output, Failure>,
    _ body: @escaping @Sendable (Output, Target, repeat each Argument) -> Void
  ) -> AdviceRequest {
    after(key) { (outcome, target, arguments: repeat each Argument) in
      if case .success(let output) = outcome { body(output, target, repeat each arguments) }
    }
  }

  /// Advice over types that runs after the join point threw.
  ///
  /// - Parameters:
  ///   - key: where.
  ///   - body: gets the error, the target and the arguments.
  public static func afterThrowing<Target, each Argument, Output, Failure>(
    _ key: JoinPointKey<Target, (repeat each Argument), Output, Failure>,
    _ body: @escaping @Sendable (any Error, Target, repeat each Argument) -> Void
  ) -> AdviceRequest {
    after(key) { (outcome, target, arguments: repeat each Argument) in
      if case .failure(let error) = outcome { body(error, target, repeat each arguments) }
    }
  }
}

/// How many types there are.
func count<each Element>(_ types: repeat (each Element).Type) -> Int {
  var count = 0
  for _ in repeat each types { count += 1 }
  return count
}

private func describe(_ arguments: Any.Type, _ count: Int?) -> String {
  count == 1 ? "(\(arguments))" : "\(arguments)"
}

extension JoinPointShape {
  /// The signature with what it is called on.
  var fullSignature: String {
    let target = targetTypeName
    return target.isEmpty ? signature : "(\(target)) -> \(signature)"
  }
}
