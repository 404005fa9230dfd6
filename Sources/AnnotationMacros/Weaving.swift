#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// Writes the body of a function that is a join point.
  ///
  /// The user's body goes into a nested function of the same parameters. While nothing advises the join point, a
  /// call loads the slot, branches, and calls that; else it goes through the module Interception.
  struct Weaving {
    private let function: WovenFunction
    private let target: Target
    private let module: String
    private let file: String
    private let line: String
    private let fallback: String?
    private let slot: TokenSyntax
    private let original: TokenSyntax
    private let advised: TokenSyntax
    private let arguments: TokenSyntax

    /// - Parameters:
    ///   - declaration: the function.
    ///   - node: the attribute that asks for the weaving.
    init(
      _ declaration: some DeclSyntaxProtocol, node: AttributeSyntax, in context: some MacroExpansionContext
    ) throws {
      function = try WovenFunction(declaration, node, in: context)
      target = Target(declaration, in: context)
      module = Emission.module(of: node, in: context) ?? ""
      let place = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath)
      file = place?.file.trimmedDescription ?? "\"\""
      line = place?.line.trimmedDescription ?? "0"
      fallback = Self.fallback(of: declaration)
      slot = context.makeUniqueName("slot")
      original = context.makeUniqueName("original")
      advised = context.makeUniqueName("advised")
      arguments = context.makeUniqueName("arguments")
    }

    /// The result for calls that advice stops, from whichever attribute has it.
    private static func fallback(of declaration: some DeclSyntaxProtocol) -> String? {
      let attributes = declaration.asProtocol((any WithAttributesSyntax).self)?.attributes ?? []
      for case .attribute(let attribute) in attributes {
        for argument in attribute.arguments?.as(LabeledExprListSyntax.self) ?? []
        where argument.label?.text == "fallback" {
          return argument.expression.trimmedDescription
        }
      }
      return nil
    }

    /// The woven body.
    func body(_ statements: CodeBlockItemListSyntax) -> [CodeBlockItemSyntax] {
      function.isBracket ? bracket(statements) : dispatch(statements)
    }

    // MARK: Pieces

    private var slotDeclaration: CodeBlockItemSyntax {
      function.isGeneric
        ? """
        let \(slot) = Interception::WovenCall.genericSlot(\(raw: name.debugDescription), \(raw: types))
        """
        : """
        enum \(slot) {
          @section("annot_swift") @used @exclusivity(unchecked) nonisolated(unsafe) static var it: Interception::WovenCall.Slot = (0, 1, 1, 0)
        }
        """
    }

    private var slotReference: String { function.isGeneric ? slot.text : "&\(slot.text).it" }

    private var name: String { "\(module).\(target.cls ?? "").\(target.sel ?? "")" }

    /// What tells one instance of generic code from another: the types of values, which are not looked at.
    private var types: String {
      let values = (function.hasTarget ? ["self"] : []) + function.values.map(\.name)
      let result =
        function.result.flatMap { $0.contains("some ") || $0.hasSuffix("!") ? nil : $0 } ?? "Swift.Void"
      return "(\(values.joined(separator: ", "))), (\(result)).self"
    }

    private var declaration: String {
      var form: [String] = []
      if function.isStatic { form.append(".isStatic") }
      if function.isBracket { form.append(".isBracket") }
      if function.isAsync { form.append(".isAsync") }
      let failure = function.failure.map { $0.isEmpty ? "(any Swift.Error).self" : "\($0).self" }
      let names = function.values.map { $0.plainName.debugDescription }.joined(
        separator: ", ")
      return """
        {
          Interception::WovenDeclaration(
            module: \(module.debugDescription), cls: \((target.cls ?? "").debugDescription),
            sel: \((target.sel ?? "").debugDescription), form: [\(form.joined(separator: ", "))],
            failure: \(failure ?? "Swift.Never.self"),
            layout: Interception::ArgumentLayout(\(layout)),
            names: [\(names)], file: \(file), line: \(line))
        }
        """
    }

    private var layout: String {
      function.values.isEmpty ? "" : "of: " + function.values.map(\.name).joined(separator: ", ")
    }

    /// The arguments that advice can have as one tuple.
    private var tuple: String {
      let names = function.values.map(\.name)
      return names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"
    }

    /// A call of the nested function, with the values taken from a tuple or from the parameters.
    private func call(of callee: TokenSyntax, from tuple: String?) -> String {
      var index = 0
      let list = function.parameters.map { parameter in
        var argument = parameter.argument
        if parameter.isValue, let tuple {
          argument = function.values.count == 1 ? tuple : "\(tuple).\(index)"
        }
        if parameter.isValue { index += 1 }
        return (parameter.label.map { "\($0): " } ?? "") + (parameter.isInout ? "&" : "") + argument
      }
      let prefix = (function.throwsAny ? "try " : "") + (function.isAsync ? "await " : "")
      return "\(prefix)\(callee.text)(\(list.joined(separator: ", ")))"
    }

    /// A closure over the tuple that calls the nested function.
    private var originalClosure: String {
      function.values.isEmpty
        ? "{ _ in \(call(of: original, from: nil)) }" : "{ \(call(of: original, from: "$0")) }"
    }

    private var signature: String {
      let list = function.parameters.map { parameter in
        let label = parameter.label.map { $0 == parameter.plainName ? "" : "\($0) " } ?? "_ "
        return "\(label)\(parameter.name): \(parameter.type)"
      }
      var text = "(\(list.joined(separator: ", ")))"
      if function.isAsync { text += " async" }
      if let failure = function.failure { text += failure.isEmpty ? " throws" : " throws(\(failure))" }
      if let result = function.result { text += " -> \(result)" }
      return text
    }

    // MARK: Forms

    private func dispatch(_ statements: CodeBlockItemListSyntax) -> [CodeBlockItemSyntax] {
      let plain = call(of: original, from: nil)
      let inner: CodeBlockItemSyntax = """
        \(raw: inlining(statements))\(raw: function.execution)func \(original)\(raw: signature) {\(statements)
        }
        """
      let branch: CodeBlockItemSyntax =
        "if Interception::WovenCall.isIdle(\(raw: slotReference)) { return \(raw: plain) }"
      // A generic slot is to be looked up, so that comes after a look whether there is any advice at all.
      let head: [CodeBlockItemSyntax] =
        function.isGeneric
        ? ["if !Interception::WovenCall.isWatched { return \(raw: plain) }", slotDeclaration, branch]
        : [slotDeclaration, branch]
      // An opaque result is one type however it is reached, so that its advised call stands in line.
      guard function.result?.contains("some ") != true else { return [inner] + head + advisedCall }
      let outOfLine: CodeBlockItemSyntax = """
        @inline(never) \(raw: function.execution)func \(advised)\(raw: signature) {
          \(CodeBlockItemListSyntax(advisedCall.map { $0.with(\.trailingTrivia, .newline) }))
        }
        """
      // Out of line, as its stack frame would burden the calls without advice.
      return [inner] + head + [outOfLine, "return \(raw: call(of: advised, from: nil))"]
    }

    /// The call with whatever advice applies.
    private var advisedCall: [CodeBlockItemSyntax] {
      var items: [CodeBlockItemSyntax] = [
        "var \(arguments)\(raw: function.values.isEmpty ? ": Swift.Void" : "") = \(raw: tuple)"
      ]
      let changed = function.values.enumerated().filter(\.element.isInout).map { index, parameter in
        "\(parameter.name) = \(arguments.text)\(function.values.count == 1 ? "" : ".\(index)")"
      }
      if !changed.isEmpty { items.append("defer { \(raw: changed.joined(separator: "; ")) }") }
      return items + [result]
    }

    /// Short bodies are put in place in the fast path and in the others; the compiler decides about long ones.
    private func inlining(_ statements: CodeBlockItemListSyntax) -> String {
      let isRecursive = statements.trimmedDescription.contains(target.sel?.prefix { $0 != "(" } ?? "")
      return statements.trimmedDescription.utf8.count < 200 && !isRecursive && !function.isAsync
        ? "@inline(__always) " : ""
    }

    /// The advised call, with what it throws made to fit.
    private var result: CodeBlockItemSyntax {
      let call = function.isAsync ? asyncRun : run
      let wait = function.isAsync ? "await " : ""
      guard let failure = function.failure else { return "return try! \(raw: wait)\(raw: call)" }
      guard !failure.isEmpty else { return "return try \(raw: wait)\(raw: call)" }
      return """
        do { return try \(raw: wait)\(raw: call) } catch {
          throw Interception::WovenCall.failure(error, as: \(raw: failure).self)
        }
        """
    }

    private var run: String {
      """
      Interception::WovenCall.run(
        \(slotReference), \(declaration), target: \(function.hasTarget ? "self" : "()"), arguments: &\(arguments.text),
        extras: { Interception::WovenExtras(\(extras)) },
        original: \(originalClosure))
      """
    }

    private var asyncRun: String {
      """
      Interception::WovenCall.runAsync(
        \(slotReference), \(declaration), target: \(function.hasTarget ? "self" : "()"), arguments: &\(arguments.text),
        fallback: \(fallback.map { "{ \($0) }" } ?? "nil"),
        original: \(originalClosure))
      """
    }

    private var extras: String {
      var list: [String] = []
      if function.isDeferrable { list.append("deferrable: \(originalClosure)") }
      if let fallback { list.append("fallback: { \(fallback) }") }
      list.append("isolation: #isolation")
      return list.joined(separator: ", ")
    }

    /// Before and after advice around the body where it stands: it cannot be a function of its own.
    private func bracket(_ statements: CodeBlockItemListSyntax) -> [CodeBlockItemSyntax] {
      let bracket = original
      let target = function.hasTarget ? "self" : "()"
      return [
        slotDeclaration,
        """
        let \(bracket) = Interception::WovenCall.isIdle(\(raw: slotReference))
          ? nil : Interception::WovenCall.enter(\(raw: slotReference), \(raw: declaration), target: \(raw: target), arguments: \(raw: tuple))
        """,
        "defer { \(bracket)?.leave() }",
      ] + explicit(statements)
    }

    /// The statements, with the `return` that a body of one expression may leave out and a longer one may not.
    private func explicit(_ statements: CodeBlockItemListSyntax) -> [CodeBlockItemSyntax] {
      guard function.result != nil, !function.isInitializer, statements.count == 1,
        let only = statements.first
      else { return statements.map { $0 } }
      let expression: Syntax? =
        if let statement = only.item.as(ExpressionStmtSyntax.self) { Syntax(statement.expression) } else {
          only.item.as(ExprSyntax.self).map { Syntax($0) }
        }
      return expression.map { ["return \(raw: $0.trimmedDescription)"] } ?? [only]
    }
  }
#endif
