#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// Where an annotation can stand, and what to do where it cannot.
  enum Placement {
    /// Throws where Swift would not take the record's declaration, or the annotation makes no sense.
    static func check(
      _ declaration: some DeclSyntaxProtocol, node: AttributeSyntax, in context: some MacroExpansionContext
    ) throws {
      try checkOnce(declaration, node, in: context)
      for enclosing in context.lexicalContext {
        if enclosing.is(ProtocolDeclSyntax.self) {
          throw Complaint(
            "a protocol's requirement has no code of its own; annotate the methods that implement it"
          ).at(node)
        }
        if isCode(enclosing) {
          throw Complaint(
            "an annotation inside a function has no place in the binary; "
              + "annotate a member of a type or a declaration at file scope"
          ).at(node)
        }
        if let name = genericType(enclosing) {
          throw Complaint(
            "Swift allows no static data in generic types and protocols such as '\(name)'; write at file scope: "
              + "#annotation(\"kind\", [\"cls\": \"\(name)\", \"sel\": \"…\"])"
          ).at(node)
        }
      }
    }

    /// Whether Swift takes a record's declaration here.
    static func hasPlace(in context: some MacroExpansionContext) -> Bool {
      context.lexicalContext.allSatisfy {
        !$0.is(ProtocolDeclSyntax.self) && !isCode($0) && genericType($0) == nil
      }
    }

    /// A function that can be called by name; throws, saying what to annotate instead, for anything else.
    static func checkFunction(_ declaration: some DeclSyntaxProtocol, node: AttributeSyntax) throws {
      if declaration.is(FunctionDeclSyntax.self) || declaration.is(InitializerDeclSyntax.self) { return }
      let name = node.attributeName.trimmedDescription
      let what =
        switch declaration.kind {
        case .variableDecl: "a property; annotate a method that reads or sets it"
        case .subscriptDecl: "a subscript; annotate a method that does its work"
        case .accessorDecl: "an accessor; annotate a method that the accessor calls"
        case .deinitializerDecl: "a deinitializer; annotate a method that it calls"
        default: "a type; annotate its methods"
        }
      throw Complaint("@\(name) stands on functions; this is \(what)").at(node)
    }

    /// Throws at every annotation but the first of several that are the same.
    private static func checkOnce(
      _ declaration: some DeclSyntaxProtocol, _ node: AttributeSyntax, in context: some MacroExpansionContext
    ) throws {
      guard let attributes = declaration.asProtocol((any WithAttributesSyntax).self)?.attributes else {
        return
      }
      let same = attributes.filter {
        $0.as(AttributeSyntax.self).map { text($0) == text(node) } ?? false
      }
      guard same.count > 1, let first = same.first,
        place(of: first, in: context) != place(of: node, in: context)
      else { return }
      throw Complaint("this annotation is on the declaration already; remove it").at(node)
    }

    private static func place(of node: some SyntaxProtocol, in context: some MacroExpansionContext) -> String?
    {
      context.location(of: node).map { "\($0.line.trimmedDescription):\($0.column.trimmedDescription)" }
    }

    private static func text(_ attribute: AttributeSyntax) -> String {
      attribute.description.filter { !$0.isWhitespace }
    }

    private static func isCode(_ syntax: Syntax) -> Bool {
      syntax.is(FunctionDeclSyntax.self) || syntax.is(InitializerDeclSyntax.self)
        || syntax.is(AccessorDeclSyntax.self) || syntax.is(ClosureExprSyntax.self)
        || syntax.is(DeinitializerDeclSyntax.self) || syntax.is(SubscriptDeclSyntax.self)
        || syntax.is(VariableDeclSyntax.self)
    }

    /// Generic types and protocols of the standard library, whose extensions people write.
    private static let knownGenerics: Set<String> = [
      "Array", "ArraySlice", "BidirectionalCollection", "ClosedRange", "Collection", "Comparable",
      "ContiguousArray", "Dictionary", "Equatable", "Hashable", "Identifiable", "IteratorProtocol",
      "MutableCollection", "Optional", "RandomAccessCollection", "Range", "RangeReplaceableCollection",
      "Result",
      "Sendable", "Sequence", "Set", "StringProtocol",
    ]

    /// The name of the type if its declaration or extension shows that it is generic or a protocol.
    ///
    /// Syntax alone cannot tell in every case.
    static func genericType(_ syntax: Syntax) -> String? {
      if let generic = syntax.asProtocol((any WithGenericParametersSyntax).self),
        generic.genericParameterClause != nil
      {
        return syntax.typeName
      }
      guard let extended = syntax.as(ExtensionDeclSyntax.self), let name = syntax.typeName else { return nil }
      let isGeneric =
        extended.genericWhereClause != nil || name.contains("<") || name.hasSuffix("]") || name.hasSuffix("?")
        || knownGenerics.contains(name.hasPrefix("Swift.") ? String(name.dropFirst(6)) : name)
      return isGeneric ? name : nil
    }
  }
#endif
