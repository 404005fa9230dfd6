/// Says that a method may only run while the user is logged in.
public struct NeedLogin: Annotation, Hashable {
  /// `needlogin`.
  public static let kind = "needlogin"

  /// The class: a C tag, a C++ qualified name or a Swift type name without its module; empty at file scope.
  public var cls: String
  /// The selector, in any of the spellings `transfer`, `transfer(_:to:)` and `transfer:to:`.
  public var sel: String
  /// The Swift module, or `C` for C and C++; nil matches any.
  public var module: String?

  /// Creates an annotation of a method.
  ///
  /// - Parameters:
  ///   - cls: The class's name.
  ///   - sel: The selector.
  ///   - module: The Swift module, or `C`; nil for any.
  public init(cls: String, sel: String, module: String? = nil) {
    self.cls = cls
    self.sel = sel
    self.module = module
  }
}

extension NeedLogin {
  private enum CodingKeys: String, CodingKey { case cls, sel, module }

  /// Reads the annotation of a record.
  ///
  /// - Throws: `DecodingError` for a record without a selector.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    cls = try container.decodeIfPresent(String.self, forKey: .cls) ?? ""
    sel = try container.decode(String.self, forKey: .sel)
    module = try container.decodeIfPresent(String.self, forKey: .module)
  }
}
