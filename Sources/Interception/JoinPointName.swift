/// The name of a place in code whose calls can be advised, as annotation records spell it.
public struct JoinPointName: Hashable, Sendable {
  /// The Swift module, or `C` for C and C++; nil matches any module.
  public var module: String?
  /// The C tag, the C++ qualified name or the Swift type's name without its module.
  public var cls: String
  /// The selector: `transfer` for any overload, or one overload as `transfer(_:to:)` or `transfer:to:`.
  ///
  /// A leading `+` asks for a static method, `-` for an instance method.
  public var sel: String

  /// Names a join point.
  ///
  /// - Parameters:
  ///   - module: the Swift module, or `C`; nil matches any.
  ///   - cls: the class's name.
  ///   - sel: the selector, in any of its spellings.
  public init(module: String? = nil, cls: String, sel: String) {
    self.module = module
    self.cls = cls
    self.sel = sel
  }
}

extension JoinPointName: CustomStringConvertible {
  /// `module.cls.sel`, for people.
  public var description: String {
    (module.map { "\($0)." } ?? "") + "\(cls).\(sel)"
  }
}
