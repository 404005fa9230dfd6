#if Macros
  /// Says that calls of a function need a login, and makes it a join point that a ``LoginGate`` can stop.
  ///
  /// It leaves the ``NeedLogin`` record, and all that `@JoinPoint` does. The limits are those of that macro and of
  /// ``Annotate(_:_:)``.
  /// - Parameters:
  ///   - members: requirements for the session: names and values are literals.
  ///   - fallback: what a call made logged out returns; for functions that neither return nothing nor throw.
  @attached(peer) @attached(body)
  public macro NeedLogin<Fallback>(_ members: [String: any AnnotationLiteral] = [:], fallback: Fallback) =
    #externalMacro(module: "AnnotationMacros", type: "NeedLoginMacro")

  /// Says that calls of a function need a login; see the form with a fallback.
  @attached(peer) @attached(body)
  public macro NeedLogin(_ members: [String: any AnnotationLiteral] = [:]) =
    #externalMacro(module: "AnnotationMacros", type: "NeedLoginMacro")

  /// Says that calls of a function are an event worth tracking, and makes it a join point.
  ///
  /// It leaves the `track` record, and all that `@JoinPoint` does. The limits are those of that macro and of
  /// ``Annotate(_:_:)``.
  /// - Parameters:
  ///   - event: the event's identifier, a string literal.
  ///   - parameters: the names of the function's parameters whose values go with the event.
  @attached(peer) @attached(body)
  public macro Track(_ event: String, _ parameters: String...) =
    #externalMacro(module: "AnnotationMacros", type: "TrackMacro")
#endif
