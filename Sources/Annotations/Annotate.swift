#if Macros
  /// A value that an annotation's member can have: written as a literal.
  public protocol AnnotationLiteral {}

  extension String: AnnotationLiteral {}
  extension Int: AnnotationLiteral {}
  extension Double: AnnotationLiteral {}
  extension Bool: AnnotationLiteral {}

  /// Leaves an annotation of any kind about the declaration it stands on.
  ///
  /// Its record names the type, the full name, the module, the file and the line. Not for members of generic
  /// types and of extensions of generic types or protocols, where Swift allows no static data: use
  /// ``annotation(_:_:)`` there.
  ///
  /// - Parameters:
  ///   - kind: the record's kind, a string literal.
  ///   - members: further members: names and values are literals.
  @attached(peer)
  public macro Annotate(_ kind: String, _ members: [String: any AnnotationLiteral] = [:]) =
    #externalMacro(module: "AnnotationMacros", type: "AnnotateMacro")

  /// Leaves an annotation at file scope, about whatever its members name.
  ///
  /// - Parameters:
  ///   - kind: the record's kind, a string literal.
  ///   - members: `cls`, `sel` and others: names and values are literals. `module` is this module unless given.
  @freestanding(declaration)
  public macro annotation(_ kind: String, _ members: [String: any AnnotationLiteral] = [:]) =
    #externalMacro(module: "AnnotationMacros", type: "AnnotationMacro")
#endif
