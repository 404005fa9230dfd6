extension InterceptionRegistry {
  /// Adds advice that reads its calls through an ``Invocation``.
  ///
  /// - Parameters:
  ///   - position: when it runs.
  ///   - pointcut: where; join points that come later are included.
  ///   - precedence: higher encloses lower.
  ///   - once: whether the advice ends with its first call.
  ///   - body: the advice; it runs on the thread of each call.
  ///   - file: where it is added, for lists.
  ///   - line: the line of that.
  /// - Returns: the token that removes it.
  /// - Throws: ``InterceptionError`` when it can never run, or memory runs out.
  public func add(
    _ position: AdvicePosition, _ pointcut: Pointcut, precedence: Int32 = 0, once: Bool = false,
    file: String = #fileID, line: UInt32 = #line,
    _ body: @escaping @Sendable (Invocation) throws -> Void
  ) throws(InterceptionError) -> AdviceToken {
    let request = AdviceRequest.dynamic(position, pointcut, body).precedence(precedence).at(file, line)
    return try add(once ? request.once() : request)
  }

  /// Adds advice at the join points of a name; see the form with a ``Pointcut``.
  public func add(
    _ position: AdvicePosition, _ joinPoint: JoinPointName, precedence: Int32 = 0, once: Bool = false,
    file: String = #fileID, line: UInt32 = #line,
    _ body: @escaping @Sendable (Invocation) throws -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(
      position, Pointcut(joinPoint), precedence: precedence, once: once, file: file, line: line, body)
  }

  /// Adds advice at every join point that carries an annotation of a kind; see the form with a ``Pointcut``.
  public func add<Kind: Annotation>(
    _ position: AdvicePosition, every kind: Kind.Type, precedence: Int32 = 0, once: Bool = false,
    file: String = #fileID, line: UInt32 = #line,
    _ body: @escaping @Sendable (Invocation) throws -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(
      position, .annotated(kind), precedence: precedence, once: once, file: file, line: line, body)
  }

  /// Adds advice that runs before the join point; see ``add(_:_:precedence:once:file:line:_:)``.
  public func before(
    _ joinPoint: JoinPointName, precedence: Int32 = 0, once: Bool = false,
    _ body: @escaping @Sendable (Invocation) throws -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(.before, joinPoint, precedence: precedence, once: once, body)
  }

  /// Adds advice that runs in the join point's place; see ``add(_:_:precedence:once:file:line:_:)``.
  public func around(
    _ joinPoint: JoinPointName, precedence: Int32 = 0, once: Bool = false,
    _ body: @escaping @Sendable (Invocation) throws -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(.around, joinPoint, precedence: precedence, once: once, body)
  }

  /// Adds advice that runs after the join point; see ``add(_:_:precedence:once:file:line:_:)``.
  public func after(
    _ joinPoint: JoinPointName, precedence: Int32 = 0, once: Bool = false,
    _ body: @escaping @Sendable (Invocation) throws -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(.after, joinPoint, precedence: precedence, once: once, body)
  }

  /// Adds advice that runs before the join point and looks at nothing.
  public func before<Target, Arguments, each Argument, Output, Failure>(
    _ key: JoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>, file: String = #fileID,
    line: UInt32 = #line, _ body: @escaping @Sendable () -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(AdviceRequest.dynamic(.before, key.pointcut) { _ in body() }.at(file, line))
  }

  /// Adds advice over types; see ``AdviceRequest/before(_:_:)``.
  @_disfavoredOverload
  @inlinable
  public func before<Target, Arguments, each Argument, Output, Failure>(
    _ key: JoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>, file: String = #fileID,
    line: UInt32 = #line, _ body: @escaping @Sendable (Target, repeat each Argument) -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(AdviceRequest.before(key, body).at(file, line))
  }

  /// Adds advice over types that may throw; see ``AdviceRequest/before(_:_:)``.
  @inlinable
  public func before<Target, Arguments, each Argument, Output>(
    _ key: JoinPointKey<Target, Arguments, Output, any Error, repeat each Argument>, file: String = #fileID,
    line: UInt32 = #line, _ body: @escaping @Sendable (Target, repeat each Argument) throws -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(AdviceRequest.before(key, body).at(file, line))
  }

  /// Adds advice over types; see ``AdviceRequest/around(_:_:)``.
  @inlinable
  public func around<Target, Arguments, each Argument, Output>(
    _ key: JoinPointKey<Target, Arguments, Output, Never, repeat each Argument>, file: String = #fileID,
    line: UInt32 = #line,
    _ body: @escaping @Sendable ((Arguments) -> Output, Target, Arguments) -> Output
  ) throws(InterceptionError) -> AdviceToken {
    try add(AdviceRequest.around(key, body).at(file, line))
  }

  /// Adds advice over types that may throw; see ``AdviceRequest/around(_:_:)``.
  @inlinable
  public func around<Target, Arguments, each Argument, Output>(
    _ key: JoinPointKey<Target, Arguments, Output, any Error, repeat each Argument>, file: String = #fileID,
    line: UInt32 = #line,
    _ body:
      @escaping @Sendable (
        (Arguments) throws -> Output, Target, Arguments
      ) throws -> Output
  ) throws(InterceptionError) -> AdviceToken {
    try add(AdviceRequest.around(key, body).at(file, line))
  }

  /// Adds advice over types; see ``AdviceRequest/after(_:_:)``.
  @_disfavoredOverload
  @inlinable
  public func after<Target, Arguments, each Argument, Output, Failure>(
    _ key: JoinPointKey<Target, Arguments, Output, Failure, repeat each Argument>, file: String = #fileID,
    line: UInt32 = #line,
    _ body: @escaping @Sendable (inout Result<Output, any Error>, Target, repeat each Argument) -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(AdviceRequest.after(key, body).at(file, line))
  }

  /// Adds advice over types at a join point that throws; see ``AdviceRequest/after(_:_:)``.
  @inlinable
  public func after<Target, Arguments, each Argument, Output>(
    _ key: JoinPointKey<Target, Arguments, Output, any Error, repeat each Argument>, file: String = #fileID,
    line: UInt32 = #line,
    _ body: @escaping @Sendable (inout Result<Output, any Error>, Target, repeat each Argument) -> Void
  ) throws(InterceptionError) -> AdviceToken {
    try add(AdviceRequest.after(key, body).at(file, line))
  }
}
