package import CAnnotRecords

/// Why annotations could not be read.
public struct AnnotationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong.
  ///
  /// New codes may be added in any version: always handle the rest too.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The code's stable number, the same as in the C API.
    public let rawValue: Int

    init(_ code: annot_error_code) { rawValue = Int(code.rawValue) }

    /// A system call failed; see ``AnnotationError/systemError``.
    public static let system = Code(ANNOT_ERROR_SYSTEM)
    /// A directory, device or pipe where a file is meant.
    public static let notAFile = Code(ANNOT_ERROR_NOT_A_FILE)
    /// The file has no bytes.
    public static let empty = Code(ANNOT_ERROR_EMPTY)
    /// The file does not begin like an ELF file.
    public static let notELF = Code(ANNOT_ERROR_NOT_ELF)
    /// The file begins like an ELF file and is not a sound one.
    public static let malformed = Code(ANNOT_ERROR_MALFORMED)
    /// The file is sound, but of a kind that cannot be read.
    public static let unsupported = Code(ANNOT_ERROR_UNSUPPORTED)
    /// Memory ran out.
    public static let memory = Code(ANNOT_ERROR_MEMORY)
    /// Something is over a limit that the caller set.
    public static let limit = Code(ANNOT_ERROR_LIMIT)

    /// The code's name.
    public var description: String {
      switch self {
      case .system: "system"
      case .notAFile: "notAFile"
      case .empty: "empty"
      case .notELF: "notELF"
      case .malformed: "malformed"
      case .unsupported: "unsupported"
      case .memory: "memory"
      case .limit: "limit"
      default: "code \(rawValue)"
      }
    }
  }

  /// What went wrong.
  public let code: Code
  /// The file's path.
  public let path: String
  /// `errno` of the system call that failed; 0 when none did.
  public let systemError: Int32
  /// `elf_errno()` of the libelf call that failed; 0 when none did.
  public let elfError: Int32
  /// Where in the file, in bytes; nil when there is no one place.
  public let offset: UInt64?
  /// What is wrong and how to mend it, in plain words.
  public let reason: String

  /// Creates an error from the C API's.
  ///
  /// - Parameters:
  ///   - error: As a C function filled it.
  ///   - path: The file's path.
  package init(_ error: annot_error, path: String) {
    code = Code(error.code)
    self.path = path
    systemError = error.system_error
    elfError = error.elf_error
    offset = error.offset == 0 ? nil : error.offset
    reason = withUnsafeBytes(of: error.detail) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Creates an error that no call underneath caused.
  ///
  /// - Parameters:
  ///   - code: What went wrong.
  ///   - path: The file's path.
  ///   - systemError: `errno` of the system call that failed; 0 when none did.
  ///   - reason: What is wrong and how to mend it, in plain words.
  package init(code: Code, path: String, systemError: Int32 = 0, reason: String) {
    self.code = code
    self.path = path
    self.systemError = systemError
    elfError = 0
    offset = nil
    self.reason = reason
  }

  /// `FILE: offset N: reason`.
  public var description: String {
    guard let offset else { return "\(path): \(reason)" }
    return "\(path): offset \(offset): \(reason)"
  }
}
