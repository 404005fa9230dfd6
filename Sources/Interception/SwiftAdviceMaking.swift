// Makes advice of the very types of a Swift join point, or says why there can be none.

extension SwiftJoinPointShape {
  /// Which calls advice is for; nil for all.
  private func filter(
    _ condition: AdviceCondition, isTarget: (@Sendable (AnyObject) -> Bool)? = nil
  ) throws(InterceptionError) -> (@Sendable (Target) -> Bool)? {
    guard !condition.isAlways || isTarget != nil else { return nil }
    if Target.self is AnyObject.Type {
      return { target in
        let object = unsafeBitCast(target, to: AnyObject.self)
        if let isTarget, !isTarget(object) { return false }
        return condition.accepts(object)
      }
    }
    guard !condition.needsObject else {
      throw InterceptionError(
        .notInterceptable, name, "its target is \(Target.self), not an object: advise all its calls")
    }
    return { _ in condition.acceptsAny() }
  }

  private func checkBracket(_ position: AdvicePosition) throws(InterceptionError) {
    guard position == .around, declaration.form.contains(.isBracket) else { return }
    throw InterceptionError(
      .notInterceptable, name,
      "an initializer or a rethrowing function can have before and after advice only")
  }

  func makeDynamic(
    _ position: AdvicePosition, _ condition: AdviceCondition,
    _ body: @escaping @Sendable (Invocation) throws -> Void
  ) throws(InterceptionError) -> Advice {
    try checkBracket(position)
    if position == .around, isAsync { throw .needsAwait(name) }
    return DynamicAdvice<Target>(self, try filter(condition), body)
  }

  func makeAsyncDynamic(
    _ condition: AdviceCondition, _ body: @escaping AdviceRequest.AsyncBody
  ) throws(InterceptionError) -> Advice {
    AsyncDynamicAdvice<Target>(self, try filter(condition), body)
  }

  func makeBefore<T, A>(
    _ advice: TypedBefore<T, A>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? {
    if let exact = advice as? TypedBefore<Target, Arguments> {
      guard let applies = try filter(condition) else { return exact }
      return TypedBefore(applies, exact.body)
    }
    guard let fit = TargetFit<T, Target>(), A.self == Arguments.self else { return nil }
    let body = advice.body
    return TypedBefore<Target, Arguments>(try filter(condition, isTarget: fit.isTarget)) {
      target, arguments in
      try withUnsafeMutablePointer(to: &arguments) { pointer in
        try pointer.withMemoryRebound(to: A.self, capacity: 1) { try body(fit.cast(target), &$0.pointee) }
      }
    }
  }

  func makeAround<T, A, R>(
    _ advice: TypedAround<T, A, R>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? {
    guard A.self == Arguments.self, R.self == Output.self else { return nil }
    try checkBracket(.around)
    if isAsync { throw .needsAwait(name) }
    if let exact = advice as? TypedAround<Target, Arguments, Output> {
      guard let applies = try filter(condition) else { return exact }
      return TypedAround(applies, exact.body)
    }
    guard let fit = TargetFit<T, Target>() else { return nil }
    let body = advice.body
    return TypedAround<Target, Arguments, Output>(try filter(condition, isTarget: fit.isTarget)) {
      target, arguments, proceed in
      same(
        try body(fit.cast(target), same(arguments, as: A.self)) {
          same(try proceed(same($0, as: Arguments.self)), as: R.self)
        }, as: Output.self)
    }
  }

  func makeAfter<T, A, R>(
    _ advice: TypedAfter<T, A, R>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? {
    guard A.self == Arguments.self, R.self == Output.self else { return nil }
    if let exact = advice as? TypedAfter<Target, Arguments, Output> {
      guard let applies = try filter(condition) else { return exact }
      return TypedAfter(applies, exact.body)
    }
    guard let fit = TargetFit<T, Target>() else { return nil }
    let body = advice.body
    return TypedAfter<Target, Arguments, Output>(try filter(condition, isTarget: fit.isTarget)) {
      target, arguments, outcome in
      try withUnsafeMutablePointer(to: &outcome) { pointer in
        try pointer.withMemoryRebound(to: Result<R, any Error>.self, capacity: 1) {
          try body(fit.cast(target), same(arguments, as: A.self), &$0.pointee)
        }
      }
    }
  }

  func makeAsyncBefore<T, A>(
    _ advice: AsyncBefore<T, A>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? {
    guard A.self == Arguments.self, isAsync else { return nil }
    if let exact = advice as? AsyncBefore<Target, Arguments> {
      guard let applies = try filter(condition) else { return exact }
      return AsyncBefore(applies, exact.body)
    }
    guard let fit = TargetFit<T, Target>() else { return nil }
    let body = advice.body
    return AsyncBefore<Target, Arguments>(try filter(condition, isTarget: fit.isTarget)) {
      try await body(fit.cast($0), same($1, as: A.self))
    }
  }

  func makeAsyncAround<T, A, R>(
    _ advice: AsyncAround<T, A, R>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? {
    guard A.self == Arguments.self, R.self == Output.self, isAsync else { return nil }
    if let exact = advice as? AsyncAround<Target, Arguments, Output> {
      guard let applies = try filter(condition) else { return exact }
      return AsyncAround(applies, exact.body)
    }
    guard let fit = TargetFit<T, Target>() else { return nil }
    let body = advice.body
    return AsyncAround<Target, Arguments, Output>(try filter(condition, isTarget: fit.isTarget)) {
      target, arguments, proceed in
      same(
        try await body(fit.cast(target), same(arguments, as: A.self)) {
          same(try await proceed(same($0, as: Arguments.self)), as: R.self)
        }, as: Output.self)
    }
  }
}

/// How advice over one target type fits join points of another: the same, or classes one below the other.
struct TargetFit<Wanted, Target>: Sendable {
  /// Tells which targets the advice is for, where the join point's type is the wider one.
  let isTarget: (@Sendable (AnyObject) -> Bool)?

  /// Nil when the types have nothing to do with each other.
  init?() {
    if Wanted.self == Target.self || Wanted.self == Any.self {
      isTarget = nil
    } else if Wanted.self is AnyObject.Type, Target.self is AnyObject.Type {
      if Target.self is Wanted.Type {
        isTarget = nil
      } else if Wanted.self is Target.Type {
        isTarget = { $0 is Wanted }
      } else {
        return nil
      }
    } else {
      return nil
    }
  }

  func cast(_ target: Target) -> Wanted {
    Wanted.self == Any.self ? target as! Wanted : same(target, as: Wanted.self)
  }
}

/// A value under the name that its type has elsewhere; the types have been compared before.
func same<From, To>(_ value: From, as type: To.Type) -> To {
  unsafeBitCast(value, to: To.self)
}
