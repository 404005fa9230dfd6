/// Something that kept a record, or all records of a section or image, from being read.
public struct AnnotationDiagnostic: Sendable, Hashable, CustomStringConvertible {
  /// How much a diagnostic matters.
  public enum Severity: Sendable, Hashable {
    /// Worth knowing; nothing was lost.
    case note
    /// A run of bytes that is not a record; its neighbours were read.
    case malformedRecord
    /// A section or image, or part of it, that could not be read.
    case unreadable
  }

  /// How much it matters.
  public let severity: Severity
  /// The path of the file, or of the loaded image.
  public let image: String
  /// The archive member, or nil when the file is not an archive.
  public let member: String?
  /// The section; nil when the diagnostic is about the image as a whole.
  public let section: String?
  /// In the section, in bytes; in the file when `section` is nil; nil when there is no one place.
  public let offset: UInt64?
  /// What is wrong, in plain words.
  public let reason: String

  /// Creates a diagnostic.
  ///
  /// - Parameters:
  ///   - severity: How much it matters.
  ///   - image: The path of the file or loaded image.
  ///   - member: The archive member, if any.
  ///   - section: The section, if it is about one.
  ///   - offset: In the section, or in the file when `section` is nil, in bytes.
  ///   - reason: What is wrong, in plain words.
  package init(
    severity: Severity, image: String, member: String? = nil, section: String? = nil, offset: UInt64? = nil,
    reason: String
  ) {
    self.severity = severity
    self.image = image
    self.member = member
    self.section = section
    self.offset = offset
    self.reason = reason
  }

  /// `FILE(MEMBER): offset N: reason`.
  public var description: String {
    let name = member.map { "\(image)(\($0))" } ?? image
    guard let offset else { return "\(name): \(reason)" }
    return "\(name): offset \(offset): \(reason)"
  }
}
