#if Macros
  /// Says in the binary that a function is a join point.
  ///
  /// It leaves the `joinpoint` record, which the command-line tool matches with annotations; the function's calls
  /// are advised by a hand-written ``JoinPoint`` in it. The limits are those of ``Annotate(_:_:)``.
  @attached(peer)
  public macro JoinPoint() = #externalMacro(module: "AnnotationMacros", type: "JoinPointMacro")
#endif
