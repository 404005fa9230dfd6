#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// Puts a record into the binary: a static array of bytes in section `annot`.
  enum Emission {
    /// The members that every record of a target has, and the place.
    static let reserved: Set<String> = ["kind", "cls", "sel", "module", "static", "file", "line"]

    /// The declaration that holds a record of a target.
    ///
    /// - Parameters:
    ///   - kind: the record's kind.
    ///   - members: what belongs to the kind.
    ///   - declaration: the target.
    ///   - node: the attribute, whose line is the record's.
    static func peer(
      kind: String, members: [(name: String, json: String)] = [], of declaration: some DeclSyntaxProtocol,
      node: AttributeSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      try Placement.check(declaration, node: node, in: context)
      let target = Target(declaration, in: context)
      var record = RecordText(kind: kind)
      if let cls = target.cls { record.add("cls", text: cls) }
      if let sel = target.sel { record.add("sel", text: sel) }
      if let module = module(of: node, in: context) { record.add("module", text: module) }
      if target.isStatic { record.add("static", raw: "true") }
      for member in members { record.add(member.name, raw: member.json) }
      addPlace(of: node, in: context, to: &record)
      return [
        holder(
          of: record, node: node, isMember: target.cls != nil && !context.lexicalContext.isEmpty, in: context)
      ]
    }

    /// The declaration that holds a record: `static` inside a type.
    static func holder(
      of record: RecordText, node: some SyntaxProtocol, isMember: Bool, in context: some MacroExpansionContext
    ) -> DeclSyntax {
      let bytes = record.bytes()
      let name = context.makeUniqueName("annotation" + place(of: node, in: context))
      let values = bytes.map(String.init).joined(separator: ", ")
      return """
        @section("annot") @used private \(raw: isMember ? "static " : "")let \(name): [\(raw: bytes.count) of UInt8] = [\(raw: values)]
        """
    }

    /// Line and column for a name: the compiler's unique names are the same for overloads.
    private static func place(of node: some SyntaxProtocol, in context: some MacroExpansionContext) -> String
    {
      guard let place = context.location(of: node) else { return "" }
      return "_\(place.line.trimmedDescription)_\(place.column.trimmedDescription)"
    }

    /// The module being compiled, from the place's file id.
    static func module(of node: some SyntaxProtocol, in context: some MacroExpansionContext) -> String? {
      let place = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .fileID)
      let id = place?.file.as(StringLiteralExprSyntax.self)?.representedLiteralValue
      return id.map { String($0.prefix { $0 != "/" }) }
    }

    /// Adds file and line; the path is the one the compiler was given, as C's `__FILE__` is.
    static func addPlace(
      of node: some SyntaxProtocol, in context: some MacroExpansionContext, to record: inout RecordText
    ) {
      guard let place = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath),
        let file = place.file.as(StringLiteralExprSyntax.self)?.representedLiteralValue
      else { return }
      record.add("file", text: file)
      record.add("line", raw: place.line.trimmedDescription)
    }
  }
#endif
