#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// `@JoinPoint` on a function, and the weaving that every macro does that implies it.
  enum JoinPointMacro: PeerMacro, BodyMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      try Placement.checkFunction(declaration, node: node)
      return try JoinPointRecord.peer(of: declaration, node: node, in: context)
    }

    static func expansion(
      of node: AttributeSyntax,
      providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
      in context: some MacroExpansionContext
    ) throws -> [CodeBlockItemSyntax] {
      guard let body = declaration.body else {
        throw Complaint("a declaration without a body is no join point; put the macro where the code is").at(
          node)
      }
      return try Weaving(declaration, node: node, in: context).body(body.statements)
    }
  }

  // Of several macros that weave, Swift uses the body of one: they all write the same.
  extension NeedLoginMacro: BodyMacro {
    static func expansion(
      of node: AttributeSyntax,
      providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
      in context: some MacroExpansionContext
    ) throws -> [CodeBlockItemSyntax] {
      try JoinPointMacro.expansion(of: node, providingBodyFor: declaration, in: context)
    }
  }

  extension TrackMacro: BodyMacro {
    static func expansion(
      of node: AttributeSyntax,
      providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
      in context: some MacroExpansionContext
    ) throws -> [CodeBlockItemSyntax] {
      try JoinPointMacro.expansion(of: node, providingBodyFor: declaration, in: context)
    }
  }

  /// The record that says that a function is a join point.
  enum JoinPointRecord {
    /// The macros that weave.
    static let weaving: Set<String> = ["JoinPoint", "NeedLogin", "Track"]

    /// The record's declaration, from the first of the function's macros that weave; none where Swift allows no
    /// static data and a plain `@JoinPoint` asks for nothing but the weaving.
    static func peer(
      of declaration: some DeclSyntaxProtocol, node: AttributeSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let attributes = declaration.asProtocol((any WithAttributesSyntax).self)?.attributes ?? []
      let first = attributes.compactMap { $0.as(AttributeSyntax.self) }.first {
        weaving.contains(name(of: $0))
      }
      guard let first, place(of: first, in: context) == place(of: node, in: context) else { return [] }
      let function = try WovenFunction(declaration, node, in: context)
      guard Placement.hasPlace(in: context), !WovenFunction.saysGeneric(node) else { return [] }
      let names = function.values.map { RecordText.quoted($0.plainName) }
      var members = [(name: "parameters", json: "[" + names.joined(separator: ",") + "]")]
      if function.isAsync { members.append(("async", "true")) }
      return try Emission.peer(kind: "joinpoint", members: members, of: declaration, node: node, in: context)
    }

    private static func name(of attribute: AttributeSyntax) -> String {
      // `Aspects.NeedLogin` and `Aspects::NeedLogin`, too.
      String(attribute.attributeName.trimmedDescription.split { $0 == "." || $0 == ":" }.last ?? "")
    }

    private static func place(of node: some SyntaxProtocol, in context: some MacroExpansionContext) -> String?
    {
      context.location(of: node).map { "\($0.line.trimmedDescription):\($0.column.trimmedDescription)" }
    }
  }
#endif
