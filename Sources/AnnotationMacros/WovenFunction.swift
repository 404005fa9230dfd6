#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// A function that is to be woven, taken apart.
  struct WovenFunction {
    /// A parameter that the body can name.
    struct Parameter {
      /// As callers write it; nil for none.
      let label: String?
      /// As the body writes it.
      let name: String
      /// As the inner function declares it.
      let type: String
      let isInout: Bool
      /// What the inner function is handed: an autoclosure's value, for instance.
      let argument: String
      /// Whether it is a value that advice can have: a closure that must not escape is not.
      let isValue: Bool

      /// The name without backticks.
      var plainName: String { name.filter { $0 != "`" } }
    }

    let parameters: [Parameter]
    let isAsync: Bool
    let isRethrowing: Bool
    /// The type thrown: nil for none, empty for any error.
    let failure: String?
    let result: String?
    let isStatic: Bool
    let isMutating: Bool
    let isInitializer: Bool
    /// Whether it stands in a type, so that there is a `self` for a target.
    let isMember: Bool
    /// Where an async function says that it runs, so that the nested ones run there, too.
    let execution: String
    /// Whether a slot cannot stand in it: Swift has no static data in generic code.
    let isGeneric: Bool

    var values: [Parameter] { parameters.filter(\.isValue) }
    var isBracket: Bool { isInitializer || isRethrowing }
    var throwsAny: Bool { failure != nil }
    var hasTarget: Bool { isMember && !isStatic && !isInitializer }
    /// Whether the body can be kept and run later.
    var isDeferrable: Bool {
      !isMutating && parameters.allSatisfy { $0.isValue && !$0.isInout } && !isAsync && !isBracket
    }

    /// Takes a function or initializer apart; throws, saying why and what to do, for one that cannot be woven.
    init(
      _ declaration: some DeclSyntaxProtocol, _ node: AttributeSyntax, in context: some MacroExpansionContext
    ) throws {
      let function = declaration.as(FunctionDeclSyntax.self)
      guard let signature = function?.signature ?? declaration.as(InitializerDeclSyntax.self)?.signature
      else {
        throw Complaint("only functions and initializers can be join points").at(node)
      }
      try Self.checkAttributes(declaration, node)
      let modifiers =
        declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers.map(\.name.text) ?? []
      for modifier in ["consuming", "borrowing"] where modifiers.contains(modifier) {
        throw Complaint(
          "a \(modifier) method cannot be a join point: its advice would need a copy of self; "
            + "move its body into a method without `\(modifier)`"
        ).at(node)
      }
      parameters = try signature.parameterClause.parameters.compactMap(Self.parameter)
      isAsync = signature.effectSpecifiers?.asyncSpecifier != nil
      let clause = signature.effectSpecifiers?.throwsClause
      isRethrowing = clause?.throwsSpecifier.tokenKind == .keyword(.rethrows)
      failure = isRethrowing ? nil : clause.map { Self.failure($0) } ?? nil
      result = signature.returnClause?.type.trimmedDescription
      isStatic = modifiers.contains("static") || modifiers.contains("class")
      isMutating = modifiers.contains("mutating")
      isInitializer = declaration.is(InitializerDeclSyntax.self)
      execution = Self.execution(declaration)
      isMember = context.lexicalContext.first?.typeName != nil
      let generics =
        function?.genericParameterClause ?? declaration.as(InitializerDeclSyntax.self)?.genericParameterClause
      isGeneric =
        generics != nil || Self.hasOpaqueParameter(signature)
        || context.lexicalContext.contains {
          Placement.genericType($0) != nil || $0.is(ProtocolDeclSyntax.self)
        }
        || Self.saysGeneric(node) || context.lexicalContext.contains(where: Self.isGenericFunction)
    }

    private static func execution(_ declaration: some DeclSyntaxProtocol) -> String {
      let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
      if modifiers.contains(where: { $0.trimmedDescription == "nonisolated(nonsending)" }) {
        return "nonisolated(nonsending) "
      }
      let attributes = declaration.asProtocol((any WithAttributesSyntax).self)?.attributes ?? []
      return attributes.contains { $0.trimmedDescription == "@concurrent" } ? "@concurrent " : ""
    }

    private static func failure(_ clause: ThrowsClauseSyntax) -> String? {
      guard let type = clause.type?.trimmedDescription else { return "" }
      return type == "Never" ? nil : (type == "any Error" ? "" : type)
    }

    /// `@JoinPoint(generic: true)`: syntax cannot tell that an extension is one of a generic type.
    static func saysGeneric(_ node: AttributeSyntax) -> Bool {
      node.arguments?.as(LabeledExprListSyntax.self)?.contains {
        $0.label?.text == "generic" && $0.expression.trimmedDescription == "true"
      } ?? false
    }

    private static func isGenericFunction(_ syntax: Syntax) -> Bool {
      guard let function = syntax.as(FunctionDeclSyntax.self) else { return false }
      return function.genericParameterClause != nil || hasOpaqueParameter(function.signature)
    }

    private static func hasOpaqueParameter(_ signature: FunctionSignatureSyntax) -> Bool {
      signature.parameterClause.parameters.contains { parameter in
        parameter.type.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.some) }
      }
    }

    private static func checkAttributes(_ declaration: some DeclSyntaxProtocol, _ node: AttributeSyntax)
      throws
    {
      let attributes = declaration.asProtocol((any WithAttributesSyntax).self)?.attributes ?? []
      for case .attribute(let attribute) in attributes {
        let name = attribute.attributeName.trimmedDescription
        switch name {
        case "inlinable", "_alwaysEmitIntoClient", "_transparent", "backDeployed":
          throw Complaint(
            "@\(name) copies the body into other modules, where its join point's data are not; "
              + "remove @\(name), or move the body into a function that is a join point"
          ).at(node)
        case "resultBuilder": break
        default:
          guard name.hasSuffix("Builder") else { continue }
          throw Complaint(
            "a result builder's body cannot be woven; build in a function of its own and call that from a join point"
          ).at(node)
        }
      }
    }

    /// A label as argument lists have it: few words are quoted there.
    private static func label(_ token: TokenSyntax) -> String {
      ["inout", "var", "let"].contains(token.unquoted) ? token.text : token.unquoted
    }

    /// Nil for a parameter without a name, which no body can read.
    private static func parameter(_ syntax: FunctionParameterSyntax) throws -> Parameter? {
      let name = (syntax.secondName ?? syntax.firstName).text
      guard name != "_" else { return nil }
      let label = syntax.firstName.text == "_" ? nil : Self.label(syntax.firstName)
      guard !syntax.type.is(PackExpansionTypeSyntax.self) else {
        throw Complaint(
          "a parameter pack cannot be handed to advice; let a join point that takes a tuple do the work"
        ).at(syntax)
      }
      let type = ParameterType(syntax.type)
      for specifier in type.specifiers
      where ["consuming", "borrowing", "__owned", "sending"].contains(specifier) {
        throw Complaint(
          "a \(specifier) parameter cannot be handed to advice, which needs a copy; "
            + "let a join point without `\(specifier)` do the work"
        ).at(syntax)
      }
      let isIsolated = type.specifiers.contains("isolated")
      return Parameter(
        label: label, name: name,
        type: syntax.ellipsis == nil ? syntax.type.trimmedDescription : "[\(syntax.type.trimmedDescription)]",
        isInout: type.specifiers.contains("inout"),
        argument: type.isAutoclosure ? "\(name)()" : name,
        isValue: !type.isNonescaping && !type.isAutoclosure && !isIsolated)
    }
  }

  /// What a parameter's type says besides the type.
  private struct ParameterType {
    let specifiers: [String]
    let isAutoclosure: Bool
    /// A function that must not outlive the call.
    let isNonescaping: Bool

    init(_ type: TypeSyntax) {
      let attributed = type.as(AttributedTypeSyntax.self)
      specifiers = attributed?.specifiers.map { $0.trimmedDescription } ?? []
      let attributes = attributed?.attributes.map(\.trimmedDescription) ?? []
      isAutoclosure = attributes.contains("@autoclosure")
      isNonescaping =
        Self.isFunction(attributed?.baseType ?? type) && !attributes.contains("@escaping")
    }

    private static func isFunction(_ type: TypeSyntax) -> Bool {
      if type.is(FunctionTypeSyntax.self) { return true }
      guard let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1 else { return false }
      return isFunction(tuple.elements.first!.type)
    }
  }
#endif
