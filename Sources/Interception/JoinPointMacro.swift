#if Macros
  /// Makes a function a join point: its calls can be advised.
  ///
  /// While nothing advises it, a call costs one load and one branch more. It leaves the `joinpoint` record, which the
  /// command-line tool matches with annotations. `docs/interception.md` lists what can be woven, and with what
  /// limits.
  /// - Parameters:
  ///   - fallback: the result of calls that advice does not let proceed, for functions that neither return nothing
  ///     nor throw any error.
  ///   - generic: to be set in extensions of generic types and protocols, which the macro cannot tell from others.
  @attached(peer) @attached(body)
  public macro JoinPoint<Fallback>(fallback: Fallback, generic: Bool = false) =
    #externalMacro(module: "AnnotationMacros", type: "JoinPointMacro")

  /// Makes a function a join point; see the form with a fallback.
  @attached(peer) @attached(body)
  public macro JoinPoint(generic: Bool = false) =
    #externalMacro(module: "AnnotationMacros", type: "JoinPointMacro")

  /// The key of a method, for advice over its types: `#joinPoint(Account.transfer(to:amount:))`.
  ///
  /// - Parameter method: a reference to the method; where it is overloaded, with `as` and its type.
  @freestanding(expression)
  public macro joinPoint<Target, each Argument, Output, Failure: Error>(
    _ method: (Target) -> (repeat each Argument) throws(Failure) -> Output
  ) -> JoinPointKey<Target, (repeat each Argument), Output, Failure, repeat each Argument> =
    #externalMacro(module: "AnnotationMacros", type: "JoinPointKeyMacro")

  /// The key of a static method or a free function: `#joinPoint(static: Account.open(for:))`.
  ///
  /// - Parameter function: a reference to the function.
  @freestanding(expression)
  public macro joinPoint<each Argument, Output, Failure: Error>(
    static function: (repeat each Argument) throws(Failure) -> Output
  ) -> JoinPointKey<Void, (repeat each Argument), Output, Failure, repeat each Argument> =
    #externalMacro(module: "AnnotationMacros", type: "JoinPointKeyMacro")

  /// The key of an async method.
  ///
  /// - Parameter method: a reference to the method.
  @freestanding(expression)
  public macro asyncJoinPoint<Target, each Argument, Output, Failure: Error>(
    _ method: (Target) -> (repeat each Argument) async throws(Failure) -> Output
  ) -> AsyncJoinPointKey<Target, (repeat each Argument), Output, Failure, repeat each Argument> =
    #externalMacro(module: "AnnotationMacros", type: "AsyncJoinPointKeyMacro")

  /// The key of an async static method or free function.
  ///
  /// - Parameter function: a reference to the function.
  @freestanding(expression)
  public macro asyncJoinPoint<each Argument, Output, Failure: Error>(
    static function: (repeat each Argument) async throws(Failure) -> Output
  ) -> AsyncJoinPointKey<Void, (repeat each Argument), Output, Failure, repeat each Argument> =
    #externalMacro(module: "AnnotationMacros", type: "AsyncJoinPointKeyMacro")
#endif
