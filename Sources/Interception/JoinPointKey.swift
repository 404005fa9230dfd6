/// A join point together with its types, so that advice for it is checked by the compiler.
///
/// The macro `#joinPoint(Account.transfer(to:amount:))` makes one of a reference to a method; where Swift allows no
/// such reference, ``joinPointKey(_:on:taking:returning:)`` makes one of its name and types.
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

/// The key of a join point by its name, where Swift allows no reference to it: mutating and actor-isolated methods,
/// and C functions.
///
///     let add = joinPointKey("Counter.add(_:)", on: Counter.self, taking: Int.self, returning: Void.self)
///
/// - Parameters:
///   - name: `module.type.selector` or `type.selector`.
///   - target: the type of the object, `Void` for none; at a C function that of its first parameter.
///   - arguments: the parameters' types; at a C function those of the others.
///   - output: the result's type.
public func joinPointKey<Target, each Argument, Output>(
  _ name: String, on target: Target.Type, taking arguments: repeat (each Argument).Type,
  returning output: Output.Type
) -> JoinPointKey<Target, (repeat each Argument), Output, Never, repeat each Argument> {
  JoinPointKey(name)
}

/// The same for a function that throws.
///
/// - Parameters:
///   - name: `module.type.selector` or `type.selector`.
///   - target: the type of the object, `Void` for none.
///   - arguments: the parameters' types.
///   - output: the result's type.
public func throwingJoinPointKey<Target, each Argument, Output>(
  _ name: String, on target: Target.Type, taking arguments: repeat (each Argument).Type,
  returning output: Output.Type
) -> JoinPointKey<Target, (repeat each Argument), Output, any Error, repeat each Argument> {
  JoinPointKey(name)
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
