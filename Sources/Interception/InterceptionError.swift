internal import CAnnot

/// What can go wrong when join points are advised or invocations read.
public struct InterceptionError: Error, Sendable, Hashable {
  /// A stable code; new codes may be added.
  public struct Code: Sendable, Hashable {
    let name: String

    /// The invocation has no argument of that index.
    public static let noSuchArgument = Code(name: "noSuchArgument")
    /// A value's type is not the declared one.
    public static let typeMismatch = Code(name: "typeMismatch")
    /// The invocation ended, or is not at a place where this can be done.
    public static let notNow = Code(name: "notNow")
    /// The join point cannot do what was asked, by its declaration.
    public static let notSupported = Code(name: "notSupported")
    /// The deferred invocation proceeded before.
    public static let alreadyProceeded = Code(name: "alreadyProceeded")
    /// No advice proceeded or gave a result, and the join point needs one.
    public static let noResult = Code(name: "noResult")
    /// No join point has this name, though others of its type are there.
    public static let unknownJoinPoint = Code(name: "unknownJoinPoint")
    /// The join point cannot be advised in this way.
    public static let notInterceptable = Code(name: "notInterceptable")
    /// Another advice has the identifier.
    public static let duplicateIdentifier = Code(name: "duplicateIdentifier")
    /// Advice threw an error that the join point cannot throw.
    public static let adviceThrew = Code(name: "adviceThrew")
    /// The object that the call is for is gone.
    public static let targetGone = Code(name: "targetGone")
    /// Memory ran out.
    public static let noMemory = Code(name: "noMemory")
  }

  /// What kind of error it is.
  public let code: Code
  /// The join point concerned.
  public let joinPoint: JoinPointName
  /// What is wrong and the mend, in plain words.
  public let message: String

  init(_ code: Code, _ joinPoint: JoinPointName, _ message: String) {
    self.code = code
    self.joinPoint = joinPoint
    self.message = message
  }
}

extension InterceptionError: CustomStringConvertible {
  /// The join point and what is wrong with the mend.
  public var description: String { "\(joinPoint): \(message)" }
}

extension InterceptionError {
  /// What the runtime says when it refuses advice.
  init(_ error: annot_error, _ joinPoint: JoinPointName) {
    let code: Code =
      switch error.code {
      case ANNOT_ERROR_MEMORY: .noMemory
      case ANNOT_ERROR_UNREACHABLE: .notInterceptable
      default: .notSupported
      }
    self.init(
      code, joinPoint,
      withUnsafeBytes(of: error.detail) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
  }
}
