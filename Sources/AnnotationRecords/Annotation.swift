/// A kind of annotation: the type whose values the records of that kind decode to.
///
/// A record's members other than `kind` are the type's coding keys:
///
/// ```swift
/// struct Deprecated: Annotation {
///   static let kind = "deprecated"
///   var cls: String
///   var sel: String
///   var since: String?
/// }
/// ```
///
/// Members that the type does not know are ignored. Members that later versions of the type add should be
/// optional, so that older records still decode.
public protocol Annotation: Codable, Sendable {
  /// The value of the `kind` member of this type's records; constant.
  static var kind: String { get }
}
