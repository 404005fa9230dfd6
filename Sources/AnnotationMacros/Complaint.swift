#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// An error at the user's line, with the mend.
  struct Complaint: Error, DiagnosticMessage {
    let message: String
    var severity: DiagnosticSeverity { .error }
    var diagnosticID: MessageID { MessageID(domain: "Annot", id: message) }

    init(_ message: String) { self.message = message }

    /// The error at a place, perhaps with a change that mends it.
    func at(_ node: some SyntaxProtocol, fixIts: [FixIt] = []) -> DiagnosticsError {
      DiagnosticsError(diagnostics: [Diagnostic(node: Syntax(node), message: self, fixIts: fixIts)])
    }
  }

  /// What a change does, as an editor offers it.
  struct Mend: FixItMessage {
    let message: String
    var fixItID: MessageID { MessageID(domain: "Annot", id: message) }

    init(_ message: String) { self.message = message }
  }
#endif
