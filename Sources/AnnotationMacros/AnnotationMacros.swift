#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// `@Annotate("kind", ["name": value])` on a type, function or property.
  enum AnnotateMacro: PeerMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let arguments = node.arguments?.as(LabeledExprListSyntax.self).map(Array.init) ?? []
      guard let first = arguments.first else { throw Complaint("the kind is missing").at(node) }
      let kind = try Literal.text(first.expression, "the kind")
      guard !kind.isEmpty else { throw Complaint("the kind is empty").at(first) }
      let members = try arguments.dropFirst().first.map {
        try Literal.members($0.expression, reserved: Emission.reserved)
      }
      return try Emission.peer(kind: kind, members: members ?? [], of: declaration, node: node, in: context)
    }
  }

  /// `#annotation("kind", ["name": value])` at file scope, for targets that an attribute cannot stand on.
  enum AnnotationMacro: DeclarationMacro {
    static func expansion(
      of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      guard context.lexicalContext.isEmpty else {
        throw Complaint("#annotation stands at file scope").at(node)
      }
      let arguments = Array(node.arguments)
      guard let first = arguments.first else { throw Complaint("the kind is missing").at(node) }
      var record = RecordText(kind: try Literal.text(first.expression, "the kind"))
      let given = try arguments.dropFirst().first.map {
        try Literal.members($0.expression, reserved: ["kind", "file", "line"])
      }
      for member in given ?? [] { record.add(member.name, raw: member.json) }
      if !(given ?? []).contains(where: { $0.name == "module" }),
        let module = Emission.module(of: node, in: context)
      {
        record.add("module", text: module)
      }
      Emission.addPlace(of: node, in: context, to: &record)
      return [Emission.holder(of: record, node: node, isMember: false, in: context)]
    }
  }

  /// `@NeedLogin` on a function.
  enum NeedLoginMacro: PeerMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      try Placement.checkFunction(declaration, node: node)
      try checkStoppable(WovenFunction(declaration, node, in: context), node)
      let argument = node.arguments?.as(LabeledExprListSyntax.self)?.first { $0.label == nil }
      let members = try argument.map { try Literal.members($0.expression, reserved: Emission.reserved) }
      return try Emission.peer(
        kind: "needlogin", members: members ?? [], of: declaration, node: node, in: context)
        + JoinPointRecord.peer(of: declaration, node: node, in: context)
    }

    /// Throws for a function whose calls cannot be stopped, or that would have nothing to return then.
    private static func checkStoppable(_ function: WovenFunction, _ node: AttributeSyntax) throws {
      if function.isBracket {
        throw Complaint(
          function.isInitializer
            ? "an initializer cannot be stopped halfway; put @NeedLogin on a function that makes the object"
            : "a rethrowing function cannot be stopped; declare it `throws`, or put @NeedLogin on what calls it"
        ).at(node)
      }
      let returnsNothing = function.result.map { ["Void", "()", "Swift.Void"].contains($0) } ?? true
      guard !returnsNothing, function.failure != "", !hasFallback(node) else { return }
      throw Complaint(
        "a call that is stopped needs a result: add a fallback, @NeedLogin(fallback: …), or let the function throw"
      ).at(node, fixIts: [addFallback(node)])
    }

    private static func hasFallback(_ node: AttributeSyntax) -> Bool {
      node.arguments?.as(LabeledExprListSyntax.self)?.contains { $0.label?.text == "fallback" } ?? false
    }

    private static func addFallback(_ node: AttributeSyntax) -> FixIt {
      let given = node.arguments?.trimmedDescription ?? ""
      let name = node.attributeName.trimmedDescription
      let mended: AttributeSyntax =
        "@\(raw: name)(\(raw: given.isEmpty ? "" : "\(given), ")fallback: <#result#>) "
      return FixIt(
        message: Mend("add a fallback"), changes: [.replace(oldNode: Syntax(node), newNode: Syntax(mended))])
    }
  }

  /// `@Track("event", "parameter"…)` on a function.
  enum TrackMacro: PeerMacro {
    static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      try Placement.checkFunction(declaration, node: node)
      let arguments = node.arguments?.as(LabeledExprListSyntax.self).map(Array.init) ?? []
      guard let first = arguments.first else { throw Complaint("the event is missing").at(node) }
      let event = try Literal.text(first.expression, "the event")
      let known = parameters(of: declaration)
      let names = try arguments.dropFirst().filter { $0.label == nil }.map { argument in
        let name = try Literal.text(argument.expression, "a parameter's name")
        guard known.contains(name) else {
          let list = known.isEmpty ? "it has none" : "it has " + known.joined(separator: ", ")
          throw Complaint("the function has no parameter '\(name)'; \(list)").at(argument)
        }
        return RecordText.quoted(name)
      }
      var members = [(name: "event", json: RecordText.quoted(event))]
      if !names.isEmpty { members.append(("parameters", "[" + names.joined(separator: ",") + "]")) }
      return try Emission.peer(kind: "track", members: members, of: declaration, node: node, in: context)
        + JoinPointRecord.peer(of: declaration, node: node, in: context)
    }

    /// The parameters' names inside the function.
    private static func parameters(of declaration: some DeclSyntaxProtocol) -> [String] {
      let clause =
        declaration.as(FunctionDeclSyntax.self)?.signature.parameterClause
        ?? declaration.as(InitializerDeclSyntax.self)?.signature.parameterClause
      return clause?.parameters.map { ($0.secondName ?? $0.firstName).unquoted } ?? []
    }
  }
#endif
