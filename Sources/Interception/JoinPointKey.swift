/// A join point together with its types, so that advice for it is checked by the compiler.
///
/// The macro `#joinPoint(Account.transfer(to:amount:))` makes one of a reference to a method; where Swift allows no
/// such reference (mutating and actor-isolated methods), name it and say the types:
///
///     let add = JoinPointKey<Counter, Void, Never, Int>("Counter.add(_:)")
///
/// `Target` is the type of the object (`Void` for a free or static function), `Output` the result's, `Failure` the
/// error type, `Never` when it cannot throw; the parameters' types follow. That the types are the join point's is
/// checked when advice is added or, if it has not been called by then, at its first call.
public struct JoinPointKey<Target, Arguments, Output, Failure: Error, each Argument>: Sendable {
  /// Selects the join point.
  public let pointcut: Pointcut

  /// A key of a name, as ``Pointcut/named(_:)`` has it.
  ///
  /// - Parameter name: `module.type.selector` or `type.selector`.
  public init(_ name: String) { pointcut = .named(name) }

  init(_ pointcut: Pointcut) { self.pointcut = pointcut }
}

/// A ``JoinPointKey`` of an async function.
public struct AsyncJoinPointKey<Target, Arguments, Output, Failure: Error, each Argument>: Sendable {
  /// Selects the join point.
  public let pointcut: Pointcut

  /// A key of a name, as ``Pointcut/named(_:)`` has it.
  ///
  /// - Parameter name: `module.type.selector` or `type.selector`.
  public init(_ name: String) { pointcut = .named(name) }

  init(_ pointcut: Pointcut) { self.pointcut = pointcut }
}

// What the macros expand to: functions, as Swift infers the types of initializers less well.
extension WovenCall {
  /// The key of a method.
  ///
  /// - Parameters:
  ///   - sel: the method's selector.
  ///   - method: the method, which tells the types; it is not called.
  public static func key<Target, each Argument, Output, Failure: Error>(
    sel: String, method: (Target) -> (repeat each Argument) throws(Failure) -> Output
  ) -> JoinPointKey<Target, (repeat each Argument), Output, Failure, repeat each Argument> {
    JoinPointKey(Pointcut(sel, of: Target.self))
  }

  /// The key of a static method or a free function.
  ///
  /// - Parameters:
  ///   - cls: the type's name, empty for a free function.
  ///   - sel: the function's selector.
  ///   - function: the function, which tells the types; it is not called.
  public static func key<each Argument, Output, Failure: Error>(
    cls: String, sel: String, function: (repeat each Argument) throws(Failure) -> Output
  ) -> JoinPointKey<Void, (repeat each Argument), Output, Failure, repeat each Argument> {
    JoinPointKey(Pointcut(JoinPointName(cls: cls, sel: sel)))
  }

  /// The key of an async method.
  ///
  /// - Parameters:
  ///   - sel: the method's selector.
  ///   - method: the method, which tells the types; it is not called.
  public static func asyncKey<Target, each Argument, Output, Failure: Error>(
    sel: String, method: (Target) -> (repeat each Argument) async throws(Failure) -> Output
  ) -> AsyncJoinPointKey<Target, (repeat each Argument), Output, Failure, repeat each Argument> {
    AsyncJoinPointKey(Pointcut(sel, of: Target.self))
  }

  /// The key of an async static method or free function.
  ///
  /// - Parameters:
  ///   - cls: the type's name, empty for a free function.
  ///   - sel: the function's selector.
  ///   - function: the function, which tells the types; it is not called.
  public static func asyncKey<each Argument, Output, Failure: Error>(
    cls: String, sel: String, function: (repeat each Argument) async throws(Failure) -> Output
  ) -> AsyncJoinPointKey<Void, (repeat each Argument), Output, Failure, repeat each Argument> {
    AsyncJoinPointKey(Pointcut(JoinPointName(cls: cls, sel: sel)))
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
  fileprivate init(_ sel: String, of type: Any.Type) {
    var names = [JoinPointName(cls: JoinPointName.typeName(of: type), sel: sel)]
    var ancestor: AnyClass? = (type as? AnyClass).flatMap { _getSuperclass($0) }
    while let it = ancestor {
      names.append(JoinPointName(cls: JoinPointName.typeName(of: it), sel: sel))
      ancestor = _getSuperclass(it)
    }
    self.init(nearestOf: names)
  }
}
