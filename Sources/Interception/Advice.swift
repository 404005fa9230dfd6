public import CAnnot

/// annot_advice.options that the engine leaves to bindings.
private let adviceIsRare: UInt32 = 1 << 24

/// Advice as the engine keeps it: the context of its registration at one join point, retained there.
///
/// One is made for each join point that the advice applies to, of the very types of that join point, so that a
/// call casts and checks nothing.
@usableFromInline
class Advice: @unchecked Sendable {
  // Immutable; what subclasses hold are Sendable closures.
  /// For the engine's options: 0 for advice over types at a join point that does not suspend, for all its calls.
  var flags: UInt32 { 0 }
}

extension UnsafePointer<annot_advice> {
  /// Whether the advice is over types, does not suspend and is for all calls, so that it can be run at once.
  @inlinable @inline(__always)
  var isPlain: Bool { pointee.options & ~0x00ff_ffff == 0 }

  /// The advice, whose type is known from where it stands.
  @inlinable @inline(__always)
  func typed<Kind: Advice>(_ kind: Kind.Type) -> Unmanaged<Kind> {
    Unmanaged<Kind>.fromOpaque(pointee.context.unsafelyUnwrapped)
  }
}

/// Advice at a Swift join point with a target of one type.
@usableFromInline
class TargetAdvice<Target>: Advice, @unchecked Sendable {
  /// Whether it applies to calls of a target; nil for every target.
  @usableFromInline final let applies: (@Sendable (Target) -> Bool)?

  /// Whether it reads its call through an ``Invocation``.
  @usableFromInline final let isDynamic: Bool
  /// Whether it may suspend.
  @usableFromInline final let isAsync: Bool

  @usableFromInline
  init(_ applies: (@Sendable (Target) -> Bool)?, isDynamic: Bool = false, isAsync: Bool = false) {
    self.applies = applies
    self.isDynamic = isDynamic
    self.isAsync = isAsync
  }

  override var flags: UInt32 { applies == nil && !isDynamic && !isAsync ? 0 : adviceIsRare }

  /// The advice with an entry of a list.
  @inlinable @inline(__always)
  static func at(_ entry: UnsafePointer<annot_advice>) -> TargetAdvice<Target> {
    entry.typed(TargetAdvice<Target>.self).takeUnretainedValue()
  }
}

/// Before advice over the parameters' types.
@usableFromInline
final class TypedBefore<Target, Arguments>: TargetAdvice<Target>, @unchecked Sendable {
  @usableFromInline typealias Body = @Sendable (Target, inout Arguments) throws -> Void
  @usableFromInline let body: Body

  @usableFromInline
  init(_ applies: (@Sendable (Target) -> Bool)?, _ body: @escaping Body) {
    self.body = body
    super.init(applies)
  }

  // A method, as in one the closure is borrowed and not retained.
  @inlinable @inline(never)
  func run(_ target: Target, _ arguments: inout Arguments) throws {
    try body(target, &arguments)
  }
}

/// Around advice over the parameters' types.
@usableFromInline
final class TypedAround<Target, Arguments, Output>: TargetAdvice<Target>, @unchecked Sendable {
  @usableFromInline typealias Body =
    @Sendable (Target, Arguments, (Arguments) throws -> Output) throws -> Output
  @usableFromInline let body: Body

  @usableFromInline
  init(_ applies: (@Sendable (Target) -> Bool)?, _ body: @escaping Body) {
    self.body = body
    super.init(applies)
  }

  // A method, as in one the closure is borrowed and not retained.
  @inlinable @inline(never)
  func run(
    _ target: Target, _ arguments: Arguments, _ proceed: (Arguments) throws -> Output
  ) throws -> Output {
    try body(target, arguments, proceed)
  }
}

/// After advice over the parameters' types; it may replace the outcome.
@usableFromInline
final class TypedAfter<Target, Arguments, Output>: TargetAdvice<Target>, @unchecked Sendable {
  @usableFromInline typealias Body =
    @Sendable (Target, Arguments, inout Result<Output, any Error>) throws -> Void
  @usableFromInline let body: Body

  @usableFromInline
  init(_ applies: (@Sendable (Target) -> Bool)?, _ body: @escaping Body) {
    self.body = body
    super.init(applies)
  }

  // A method, as in one the closure is borrowed and not retained.
  @inlinable @inline(never)
  func run(
    _ target: Target, _ arguments: Arguments, _ outcome: inout Result<Output, any Error>
  ) throws {
    try body(target, arguments, &outcome)
  }
}

/// Before advice that may suspend.
@usableFromInline
final class AsyncBefore<Target, Arguments>: TargetAdvice<Target>, @unchecked Sendable {
  @usableFromInline typealias Body =
    nonisolated(nonsending) @Sendable (Target, Arguments) async throws -> Void
  @usableFromInline let body: Body

  @usableFromInline
  init(_ applies: (@Sendable (Target) -> Bool)?, _ body: @escaping Body) {
    self.body = body
    super.init(applies, isAsync: true)
  }
}

/// Around advice that may suspend.
@usableFromInline
final class AsyncAround<Target, Arguments, Output>: TargetAdvice<Target>, @unchecked Sendable {
  @usableFromInline typealias Body =
    nonisolated(nonsending) @Sendable (
      Target, Arguments, nonisolated(nonsending) (Arguments) async throws -> Output
    ) async throws -> Output
  @usableFromInline let body: Body

  @usableFromInline
  init(_ applies: (@Sendable (Target) -> Bool)?, _ body: @escaping Body) {
    self.body = body
    super.init(applies, isAsync: true)
  }
}

/// Advice that reads its call through an ``Invocation``, at a Swift join point.
@usableFromInline
final class DynamicAdvice<Target>: TargetAdvice<Target>, @unchecked Sendable {
  @usableFromInline let shape: JoinPointShape
  @usableFromInline let body: @Sendable (Invocation) throws -> Void

  init(
    _ shape: JoinPointShape, _ applies: (@Sendable (Target) -> Bool)?,
    _ body: @escaping @Sendable (Invocation) throws -> Void
  ) {
    self.shape = shape
    self.body = body
    super.init(applies, isDynamic: true)
  }

  // A method, as in one the closure is borrowed and not retained.
  @inlinable @inline(never)
  func call(_ invocation: Invocation) throws { try body(invocation) }
}

/// Around advice that may suspend and reads its call through an ``Invocation``.
@usableFromInline
final class AsyncDynamicAdvice<Target>: TargetAdvice<Target>, @unchecked Sendable {
  @usableFromInline let shape: JoinPointShape
  @usableFromInline let body: AdviceRequest.AsyncBody

  init(
    _ shape: JoinPointShape, _ applies: (@Sendable (Target) -> Bool)?,
    _ body: @escaping AdviceRequest.AsyncBody
  ) {
    self.shape = shape
    self.body = body
    super.init(applies, isDynamic: true, isAsync: true)
  }
}
