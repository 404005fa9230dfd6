/// A join point together with its types, so that advice for it is checked by the compiler.
///
/// The macro `#joinPoint(Account.transfer(to:amount:))` makes one of a reference to a method; where Swift allows no
/// such reference (mutating and actor-isolated methods), name it and say the types:
///
///     let add = JoinPointKey<Counter, (Int), Void, Never>("Counter.add(_:)")
///
/// `Target` is the type of the object (`Void` for a free or static function), `Arguments` the tuple of the
/// parameters' types, `Failure` the error type, `Never` when it cannot throw. That the types are the join point's is
/// checked when advice is added or, if it has not been called by then, at its first call.
public struct JoinPointKey<Target, Arguments, Output, Failure: Error>: Sendable {
  /// Selects the join point.
  public let pointcut: Pointcut

  /// A key of a name, as ``Pointcut/named(_:)`` has it.
  ///
  /// - Parameter name: `module.type.selector` or `type.selector`.
  public init(_ name: String) { pointcut = .named(name) }

  /// A key of a method's name and of a reference to it; for the macro.
  ///
  /// - Parameters:
  ///   - sel: the method's selector.
  ///   - method: the method, which tells the types; it is not called.
  public init<each Argument>(
    sel: String, method: (Target) -> (repeat each Argument) throws(Failure) -> Output
  ) where Arguments == (repeat each Argument) {
    pointcut = Pointcut(JoinPointName(cls: Self.typeName, sel: sel), inheritedBy: Target.self)
  }

  /// A key of a static method's or a function's name and of a reference to it; for the macro.
  ///
  /// - Parameters:
  ///   - cls: the type's name, empty for a free function.
  ///   - sel: the function's selector.
  ///   - function: the function, which tells the types; it is not called.
  public init<each Argument>(
    cls: String, sel: String, function: (repeat each Argument) throws(Failure) -> Output
  ) where Arguments == (repeat each Argument), Target == Void {
    pointcut = Pointcut(JoinPointName(cls: cls, sel: sel))
  }

  /// The type's name as records have it: nested in its types, without module and type arguments.
  private static var typeName: String { JoinPointName.typeName(of: Target.self) }
}

/// A ``JoinPointKey`` of an async function.
public struct AsyncJoinPointKey<Target, Arguments, Output, Failure: Error>: Sendable {
  /// Selects the join point.
  public let pointcut: Pointcut

  /// A key of a name, as ``Pointcut/named(_:)`` has it.
  ///
  /// - Parameter name: `module.type.selector` or `type.selector`.
  public init(_ name: String) { pointcut = .named(name) }

  /// A key of a method's name and of a reference to it; for the macro.
  ///
  /// - Parameters:
  ///   - sel: the method's selector.
  ///   - method: the method, which tells the types; it is not called.
  public init<each Argument>(
    sel: String, method: (Target) -> (repeat each Argument) async throws(Failure) -> Output
  ) where Arguments == (repeat each Argument) {
    pointcut = Pointcut(
      JoinPointName(cls: JoinPointName.typeName(of: Target.self), sel: sel), inheritedBy: Target.self)
  }

  /// A key of a static method's or a function's name and of a reference to it; for the macro.
  ///
  /// - Parameters:
  ///   - cls: the type's name, empty for a free function.
  ///   - sel: the function's selector.
  ///   - function: the function, which tells the types; it is not called.
  public init<each Argument>(
    cls: String, sel: String, function: (repeat each Argument) async throws(Failure) -> Output
  ) where Arguments == (repeat each Argument), Target == Void {
    pointcut = Pointcut(JoinPointName(cls: cls, sel: sel))
  }
}

extension JoinPointName {
  /// A type's name as records have it: nested in its types, without module and type arguments.
  static func typeName(of type: Any.Type) -> String {
    var name = ""
    var depth = 0
    for character in _typeName(type, qualified: true) {
      switch character {
      case "<": depth += 1
      case ">": depth -= 1
      default: if depth == 0 { name.append(character) }
      }
    }
    // `Module.(unknown context at $1234).Type` for private types.
    let parts = name.split(separator: ".").filter { !$0.hasPrefix("(") }
    return parts.dropFirst().joined(separator: ".")
  }
}

extension Pointcut {
  /// The join point of a type's method: the type's own, or the one it inherits.
  init(_ name: JoinPointName, inheritedBy type: Any.Type) {
    var names = [name]
    var ancestor: AnyClass? = (type as? AnyClass).flatMap { _getSuperclass($0) }
    while let it = ancestor {
      names.append(JoinPointName(cls: JoinPointName.typeName(of: it), sel: name.sel))
      ancestor = _getSuperclass(it)
    }
    self.init(nearestOf: names)
  }
}
