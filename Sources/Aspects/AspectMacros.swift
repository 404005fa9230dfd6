#if Macros
  /// Says that calls of a function need a login.
  ///
  /// It leaves the ``NeedLogin`` record; the function's calls are gated if it is a join point. The limits are
  /// those of ``Annotate(_:_:)``.
  /// - Parameter members: requirements for the session: names and values are literals.
  @attached(peer)
  public macro NeedLogin(_ members: [String: any AnnotationLiteral] = [:]) =
    #externalMacro(module: "AnnotationMacros", type: "NeedLoginMacro")

  /// Says that calls of a function are an event worth tracking.
  ///
  /// It leaves the `track` record. The limits are those of ``Annotate(_:_:)``.
  /// - Parameters:
  ///   - event: the event's identifier, a string literal.
  ///   - parameters: the names of the function's parameters whose values go with the event.
  @attached(peer)
  public macro Track(_ event: String, _ parameters: String...) =
    #externalMacro(module: "AnnotationMacros", type: "TrackMacro")
#endif
