internal import AnnotationRecords

/// What was amiss with files: told on standard error, kept for JSON, and remembered in the exit status.
struct Diagnostics {
  /// The worst of what came up.
  private(set) var status = ExitStatus.success
  /// Each as a JSON object.
  private(set) var objects: [String] = []
  /// What could not be read.
  private(set) var unreadable: [(file: String, reason: String)] = []

  /// Tells of what a file's reader had to say.
  ///
  /// - Parameter shown: The file's name, escaped.
  mutating func report(_ file: ELFAnnotations, shown: String) {
    for diagnostic in file.diagnostics { report(diagnostic, shown: shown) }
  }

  /// Tells of one thing that a file's reader had to say.
  mutating func report(_ diagnostic: AnnotationDiagnostic, shown: String) {
    let severity: String
    switch diagnostic.severity {
    case .note: severity = "note"
    case .malformedRecord:
      severity = "malformed"
      status.raise(to: .findings)
    case .unreadable:
      severity = "unreadable"
      status.raise(to: .trouble)
      unreadable.append((diagnostic.image, diagnostic.reason))
    }
    let name = diagnostic.member.map { "\(shown)(\(escaped($0)))" } ?? shown
    complain(Self.message(name, diagnostic.offset, diagnostic.reason))
    objects.append(
      Self.object(
        severity, file: diagnostic.image, member: diagnostic.member, section: diagnostic.section,
        offset: diagnostic.offset, reason: diagnostic.reason))
  }

  /// Tells that a file could not be read.
  ///
  /// - Parameter shown: The file's name, escaped.
  mutating func report(_ error: AnnotationError, shown: String) {
    report(unreadable: error.path, shown: shown, offset: error.offset, error.reason)
  }

  /// Tells that a file could not be read.
  ///
  /// - Parameters:
  ///   - name: The file's name as data.
  ///   - shown: The file's name, escaped.
  mutating func report(unreadable name: String, shown: String, offset: UInt64? = nil, _ reason: String) {
    status.raise(to: .trouble)
    unreadable.append((name, reason))
    complain(Self.message(shown, offset, reason))
    objects.append(Self.object("unreadable", file: name, offset: offset, reason: reason))
  }

  /// The member of a JSON document, with a comma before it.
  var json: String {
    objects.isEmpty ? ",\"diagnostics\":[]" : ",\"diagnostics\":[\n\(objects.joined(separator: ",\n"))\n]"
  }

  private static func message(_ file: String, _ offset: UInt64?, _ reason: String) -> String {
    let place = offset.map { "offset \($0): " } ?? ""
    return "\(file): \(place)\(escaped(reason))"
  }

  private static func object(
    _ severity: String, file: String, member: String? = nil, section: String? = nil, offset: UInt64? = nil,
    reason: String
  ) -> String {
    var text = "{\"severity\":\"\(severity)\",\"file\":\(quoted(file))"
    if let member { text += ",\"member\":\(quoted(member))" }
    if let section { text += ",\"section\":\(quoted(section))" }
    if let offset { text += ",\"offset\":\(offset)" }
    return text + ",\"reason\":\(quoted(reason))}"
  }
}
