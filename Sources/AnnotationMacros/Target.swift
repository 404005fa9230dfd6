#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// What an annotation is about, as records name it.
  struct Target {
    /// The type's name without its module, `Outer.Inner` when nested; nil at file scope.
    var cls: String?
    /// The full Swift name of the function, `transfer(_:to:)`, or a property's name; nil for a type.
    var sel: String?
    /// Whether it is a static or class member.
    var isStatic = false

    /// The target that a declaration is.
    ///
    /// - Parameters:
    ///   - declaration: what the attribute stands on.
    ///   - context: tells the types around it.
    init(_ declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext) {
      // The context lists what encloses the declaration from the inside out.
      var names = context.lexicalContext.compactMap(\.typeName).reversed().map { $0 }
      if let function = declaration.as(FunctionDeclSyntax.self) {
        sel =
          function.name.unquoted + function.signature.parameterClause.labels(ofOperator: function.isOperator)
      } else if let initializer = declaration.as(InitializerDeclSyntax.self) {
        sel = "init" + initializer.signature.parameterClause.labels()
      } else if let property = declaration.as(VariableDeclSyntax.self) {
        sel = property.bindings.first?.pattern.trimmedDescription.unquoted
      } else if let name = Syntax(declaration).typeName {
        names.append(name)
      }
      cls = names.isEmpty ? nil : names.joined(separator: ".")
      isStatic =
        declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers.contains {
          $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
        } ?? false
      if declaration.is(ClassDeclSyntax.self) { isStatic = false }
    }
  }

  extension Syntax {
    /// The name of the type that this declares or extends; nil if it does not.
    var typeName: String? {
      if let type = asProtocol((any NamedDeclSyntax).self), isProtocol((any DeclGroupSyntax).self) {
        return type.name.unquoted
      }
      return self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription.unquoted
    }
  }

  extension FunctionDeclSyntax {
    var isOperator: Bool {
      switch name.tokenKind {
      case .binaryOperator, .prefixOperator, .postfixOperator: true
      default: false
      }
    }
  }

  extension FunctionParameterClauseSyntax {
    /// The argument labels as a full name has them, `(_:to:)`; an operator's parameters have none.
    func labels(ofOperator isOperator: Bool = false) -> String {
      "(" + parameters.map { (isOperator ? "_" : $0.firstName.unquoted) + ":" }.joined() + ")"
    }
  }

  extension TokenSyntax {
    /// The text without the backticks of a quoted name.
    var unquoted: String { text.unquoted }
  }

  extension String {
    fileprivate var unquoted: String { filter { $0 != "`" } }
  }
#endif
