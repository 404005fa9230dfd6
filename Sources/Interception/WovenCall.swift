public import CAnnot

/// What the code that ``JoinPoint()`` weaves into a function calls; not for use by hand.
///
/// A call that finds its slot not idle comes here. All generic code is inlinable, so that it is specialised for
/// the join point's types in the module of the function.
public enum WovenCall {
  /// A slot as the macro writes it: size (not used), version, hook, and the description's place (not used).
  ///
  /// Layout of `annot_joinpoint`, for pointers of 64 bits.
  public typealias Slot = (UInt32, UInt32, UInt, UInt)

  /// Whether nothing advises the slot's join point, and it has been called before.
  @inlinable @inline(__always)
  public static func isIdle(_ slot: UnsafeMutableRawPointer) -> Bool {
    annot_joinpoint_state(slot.assumingMemoryBound(to: annot_joinpoint.self)) == 0
  }

  /// Runs a call with the advice that applies to it.
  ///
  /// - Parameters:
  ///   - slot: the join point's slot.
  ///   - declaration: what is known of the join point at compile time; asked for at its first call.
  ///   - target: the object or value whose method is called, `()` for none.
  ///   - arguments: the arguments as one tuple, in which those that are `inout` come back.
  ///   - extras: what rare advice needs.
  ///   - original: the function's own body.
  /// - Throws: what the body or the advice throws.
  @inlinable @inline(never)
  public static func run<Target, Arguments, Output>(
    _ slot: UnsafeMutableRawPointer, _ declaration: () -> WovenDeclaration, target: Target,
    arguments: inout Arguments, extras: () -> WovenExtras<Arguments, Output>,
    original: (inout Arguments) throws -> Output
  ) throws -> Output {
    let joinPoint = slot.assumingMemoryBound(to: annot_joinpoint.self)
    if annot_joinpoint_state(joinPoint) == 1 {
      InterceptionRegistry.shared.settle(
        joinPoint, SwiftJoinPointShape<Target, Arguments, Output>.self, declaration)
    }
    var call = annot_call()
    // Still unresolved is a call from within the registry's own work.
    guard let hook = annot_joinpoint_hook(joinPoint), UInt(bitPattern: hook) != 1,
      annot_call_begin(hook, &call)
    else {
      return try original(&arguments)
    }
    defer { annot_call_end(&call) }
    return try withUnsafeMutablePointer(to: &arguments) { arguments in
      let frame = WovenFrame<Target, Arguments, Output>(call: call, target: target, arguments: arguments)
      return try frame.level(call.first_level, 0, extras, original)
    }
  }
}

extension WovenCall {
  /// The error that advice or the body ended a call with, as the one type that the function throws.
  ///
  /// Advice that throws anything else was stopped on its way.
  public static func failure<Failure: Error>(_ error: any Error, as type: Failure.Type) -> Failure {
    guard let failure = error as? Failure else {
      fatalError("a call that throws \(type) ended with \(error)")
    }
    return failure
  }
}

/// One call under way.
@usableFromInline
struct WovenFrame<Target, Arguments, Output> {
  @usableFromInline let call: annot_call
  @usableFromInline let target: Target
  @usableFromInline let arguments: UnsafeMutablePointer<Arguments>

  @inlinable @inline(__always)
  init(call: annot_call, target: Target, arguments: UnsafeMutablePointer<Arguments>) {
    self.call = call
    self.target = target
    self.arguments = arguments
  }

  @usableFromInline typealias Extras = () -> WovenExtras<Arguments, Output>
  @usableFromInline typealias Original = (inout Arguments) throws -> Output

  /// Runs the advice of one precedence and all that it encloses.
  @inlinable
  func level(
    _ level: annot_advice_level, _ first: Int, _ extras: Extras, _ original: Original
  ) throws -> Output {
    guard level.around_end < level.end else {
      return try beforeAndAround(level, first, extras, original)
    }
    var outcome: Result<Output, any Error>
    do {
      outcome = .success(try beforeAndAround(level, first, extras, original))
    } catch {
      outcome = .failure(error)
    }
    var index = level.end
    while index > level.around_end {
      index -= 1
      do { try after(index, &outcome) } catch { outcome = .failure(error) }
    }
    return try outcome.get()
  }

  @inlinable
  func beforeAndAround(
    _ level: annot_advice_level, _ first: Int, _ extras: Extras, _ original: Original
  ) throws -> Output {
    var index = first
    while index < level.before_end {
      try before(index)
      index += 1
    }
    return try around(
      AdvicePlace(around: level.before_end, aroundEnd: level.around_end, nextLevel: level.end), extras,
      original)
  }

  /// Goes on from a place: the remaining around advice, then the enclosed levels, then the body.
  @inlinable
  func around(_ place: AdvicePlace, _ extras: Extras, _ original: Original) throws -> Output {
    guard place.around < place.aroundEnd else {
      guard place.nextLevel < call.count else { return try original(&arguments.pointee) }
      return try level(
        annot_advice_list_level(call.list, place.nextLevel), place.nextLevel, extras, original)
    }
    var inside = place
    inside.around += 1
    return try Advice.of(call.entries[place.around])._withUnsafeGuaranteedRef {
      let advice = unsafeDowncast($0, to: TargetAdvice<Target>.self)
      guard begins(advice, place.around) else { return try around(inside, extras, original) }
      guard !advice.isDynamic else {
        return try dynamicAround(
          unsafeDowncast(advice, to: DynamicAdvice<Target>.self), inside, extras, original)
      }
      return try unsafeDowncast(advice, to: TypedAround<Target, Arguments, Output>.self)
        .body(target, arguments.pointee) {
          arguments.pointee = $0
          return try around(inside, extras, original)
        }
    }
  }

  @inlinable @inline(__always)
  func before(_ index: Int) throws {
    try Advice.of(call.entries[index])._withUnsafeGuaranteedRef {
      let advice = unsafeDowncast($0, to: TargetAdvice<Target>.self)
      guard begins(advice, index) else { return }
      if advice.isDynamic {
        try dynamicBefore(unsafeDowncast(advice, to: DynamicAdvice<Target>.self))
      } else {
        try unsafeDowncast(advice, to: TypedBefore<Target, Arguments>.self)
          .body(target, &arguments.pointee)
      }
    }
  }

  @inlinable
  func after(_ index: Int, _ outcome: inout Result<Output, any Error>) throws {
    try Advice.of(call.entries[index])._withUnsafeGuaranteedRef {
      let advice = unsafeDowncast($0, to: TargetAdvice<Target>.self)
      guard begins(advice, index) else { return }
      if advice.isDynamic {
        dynamicAfter(unsafeDowncast(advice, to: DynamicAdvice<Target>.self), &outcome)
      } else {
        try unsafeDowncast(advice, to: TypedAfter<Target, Arguments, Output>.self)
          .body(target, arguments.pointee, &outcome)
      }
    }
  }

  /// Whether advice is to run for this call: it applies to the target, and is not for one call that was made.
  @inlinable @inline(__always)
  func begins(_ advice: TargetAdvice<Target>, _ index: Int) -> Bool {
    if let applies = advice.applies, !applies(target) { return false }
    return call.entries[index].unsafelyUnwrapped.pointee.options & UInt32(ANNOT_ADVICE_ONCE) == 0
      || annot_advice_list_begin(call.list, index)
  }
}
