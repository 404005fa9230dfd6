#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// `#joinPoint(Account.transfer(to:amount:))`: a key of a method's name and types.
  enum JoinPointKeyMacro: ExpressionMacro {
    static func expansion(
      of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
      try key("key", node)
    }

    fileprivate static func key(_ maker: String, _ node: some FreestandingMacroExpansionSyntax) throws
      -> ExprSyntax
    {
      guard let argument = node.arguments.first else { throw Complaint("the function is missing").at(node) }
      let (cls, sel) = try name(argument.expression)
      if argument.label?.text == "static" {
        return """
          Interception::WovenCall.\(raw: maker)(cls: \(literal: cls), sel: \(literal: sel), function: \(argument.expression))
          """
      }
      return "Interception::WovenCall.\(raw: maker)(sel: \(literal: sel), method: \(argument.expression))"
    }

    /// The type's and the function's name in a reference to a function, `as` and its type put aside.
    private static func name(_ expression: ExprSyntax) throws -> (cls: String, sel: String) {
      var expression = expression
      if let sequence = expression.as(SequenceExprSyntax.self), let first = sequence.elements.first {
        expression = first
      }
      if let cast = expression.as(AsExprSyntax.self) { expression = cast.expression }
      if let member = expression.as(MemberAccessExprSyntax.self), let base = member.base {
        return (base.trimmedDescription, member.declName.trimmedDescription.filter { $0 != "`" })
      }
      if let function = expression.as(DeclReferenceExprSyntax.self) {
        return ("", function.trimmedDescription.filter { $0 != "`" })
      }
      throw Complaint(
        "a key is made of a reference to a function, such as Account.transfer(to:amount:), perhaps with `as` and its type"
      ).at(expression)
    }
  }

  /// The same for async functions.
  enum AsyncJoinPointKeyMacro: ExpressionMacro {
    static func expansion(
      of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
      try JoinPointKeyMacro.key("asyncKey", node)
    }
  }
#endif
