#if Macros
  import SwiftDiagnostics
  import SwiftSyntax

  /// Reads the literals that annotations are made of.
  enum Literal {
    /// The text of a plain string literal.
    static func text(_ expression: ExprSyntax, _ what: String) throws -> String {
      guard let literal = expression.as(StringLiteralExprSyntax.self),
        let text = literal.representedLiteralValue
      else {
        throw Complaint("\(what) is written as a string literal without interpolation").at(
          expression, fixIts: quoting(expression))
      }
      return text
    }

    /// Offers to put a lone name into quotes, which is what people mean who leave them out.
    private static func quoting(_ expression: ExprSyntax) -> [FixIt] {
      guard let name = expression.as(DeclReferenceExprSyntax.self) else { return [] }
      let literal = StringLiteralExprSyntax(content: name.baseName.text)
      return [
        FixIt(
          message: Mend("put '\(name.baseName.text)' into quotes"),
          changes: [.replace(oldNode: Syntax(expression), newNode: Syntax(literal))])
      ]
    }

    /// The JSON of a literal: text, a whole or floating-point number, true or false.
    static func json(_ expression: ExprSyntax) throws -> String {
      if let literal = expression.as(StringLiteralExprSyntax.self),
        let text = literal.representedLiteralValue
      {
        return RecordText.quoted(text)
      }
      if let literal = expression.as(BooleanLiteralExprSyntax.self) { return literal.literal.text }
      if let number = number(expression) { return number }
      throw Complaint(
        "an annotation's values are literals, since they are put into the binary: "
          + "text without interpolation, a decimal number, true or false"
      ).at(expression, fixIts: quoting(expression))
    }

    /// The JSON of a decimal number literal; nil for anything else.
    private static func number(_ expression: ExprSyntax) -> String? {
      if let prefixed = expression.as(PrefixOperatorExprSyntax.self), prefixed.operator.text == "-" {
        return number(prefixed.expression).map { "-" + $0 }
      }
      let text =
        expression.as(IntegerLiteralExprSyntax.self)?.literal.text
        ?? expression.as(FloatLiteralExprSyntax.self)?.literal.text
      guard var digits = text?.filter({ $0 != "_" }), !digits.hasPrefix("0x"), !digits.hasPrefix("0b"),
        !digits.hasPrefix("0o")
      else { return nil }
      // Swift allows leading zeros, JSON does not.
      while digits.count > 1, digits.hasPrefix("0"), digits.dropFirst().first?.isNumber == true {
        digits.removeFirst()
      }
      return digits
    }

    /// The members of a dictionary literal, in its order.
    static func members(_ expression: ExprSyntax, reserved: Set<String>) throws -> [(
      name: String, json: String
    )] {
      guard let dictionary = expression.as(DictionaryExprSyntax.self) else {
        throw Complaint("an annotation's members are written as a dictionary literal, [\"name\": value]")
          .at(expression)
      }
      guard case .elements(let elements) = dictionary.content else { return [] }
      var seen: Set<String> = []
      return try elements.map { element in
        let name = try text(element.key, "a member's name")
        guard !reserved.contains(name) else {
          throw Complaint("the macro itself writes the member '\(name)'; choose another name").at(element.key)
        }
        guard seen.insert(name).inserted else {
          throw Complaint("the member '\(name)' is there already").at(element.key)
        }
        return (name, try json(element.value))
      }
    }
  }
#endif
