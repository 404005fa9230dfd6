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
    // Still unresolved is a call from within the registry's own work.
    guard let hook = annot_joinpoint_hook(joinPoint), UInt(bitPattern: hook) != 1 else {
      return try original(&arguments)
    }
    let call = annot_call_begin(hook)
    guard call.view != nil else { return try original(&arguments) }
    defer { annot_call_end(call) }
    return try withUnsafeMutablePointer(to: &arguments) { arguments in
      try WovenFrame<Target, Arguments, Output>(call: call, arguments: arguments)
        .outermost(target, extras, original)
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

/// One call under way, by pointers.
///
/// The target is handed from function to function, as a value read through a
/// pointer would be retained.
@usableFromInline
struct WovenFrame<Target, Arguments, Output> {
  @usableFromInline let call: annot_call
  @usableFromInline let arguments: UnsafeMutablePointer<Arguments>

  @inlinable @inline(__always)
  init(call: annot_call, arguments: UnsafeMutablePointer<Arguments>) {
    self.call = call
    self.arguments = arguments
  }

  /// For a call that holds its list by a reference.
  @inlinable
  init(list: OpaquePointer, arguments: UnsafeMutablePointer<Arguments>) {
    self.init(
      call: annot_call(view: annot_advice_list_view(list), place: nil), arguments: arguments)
  }

  /// The advice at a place of the list.
  @inlinable @inline(__always)
  func entry(_ index: Int) -> Entry { view.pointee.entries[index].unsafelyUnwrapped }

  @inlinable @inline(__always)
  var view: UnsafePointer<annot_advice_view> { call.view.unsafelyUnwrapped }

  @usableFromInline typealias Entry = UnsafePointer<annot_advice>

  @usableFromInline typealias Extras = () -> WovenExtras<Arguments, Output>
  @usableFromInline typealias Original = (inout Arguments) throws -> Output

  /// Runs all advice and the body.
  @inlinable @inline(__always)
  func outermost(_ target: Target, _ extras: Extras, _ original: Original) throws -> Output {
    // Before advice of one precedence alone, which is what most calls have.
    if view.pointee.first_level.before_end == view.pointee.count {
      var index = 0
      while index < view.pointee.count {
        try before(index, target)
        index += 1
      }
      return try original(&arguments.pointee)
    }
    return try level(view.pointee.first_level, 0, target, extras, original)
  }

  /// Runs the advice of one precedence and all that it encloses.
  @inlinable @inline(never)
  func level(
    _ level: annot_advice_level, _ first: Int, _ target: Target, _ extras: Extras, _ original: Original
  ) throws -> Output {
    guard level.around_end < level.end else {
      return try beforeAndAround(level, first, target, extras, original)
    }
    var outcome: Result<Output, any Error>
    do {
      outcome = .success(try beforeAndAround(level, first, target, extras, original))
    } catch {
      outcome = .failure(error)
    }
    var index = level.end
    while index > level.around_end {
      index -= 1
      do { try after(index, &outcome, target) } catch { outcome = .failure(error) }
    }
    return try outcome.get()
  }

  @inlinable @inline(__always)
  func beforeAndAround(
    _ level: annot_advice_level, _ first: Int, _ target: Target, _ extras: Extras, _ original: Original
  ) throws -> Output {
    var index = first
    while index < level.before_end {
      try before(index, target)
      index += 1
    }
    return try around(
      AdvicePlace(around: level.before_end, aroundEnd: level.around_end, nextLevel: level.end), target,
      extras,
      original)
  }

  /// Goes on from a place: the remaining around advice, then the enclosed levels, then the body.
  @inlinable @inline(never)
  func around(_ place: AdvicePlace, _ target: Target, _ extras: Extras, _ original: Original) throws -> Output
  {
    guard place.around < place.aroundEnd else {
      guard place.nextLevel < view.pointee.count else { return try original(&arguments.pointee) }
      return try level(
        annot_advice_list_level(annot_advice_list_of(view), place.nextLevel), place.nextLevel, target, extras,
        original
      )
    }
    let entry = entry(place.around)
    var inside = place
    inside.around += 1
    guard entry.isPlain else {
      let advice = TargetAdvice<Target>.at(entry)
      guard applies(advice, target) else { return try around(inside, target, extras, original) }
      if advice.isDynamic {
        return try dynamicAround(
          unsafeDowncast(advice, to: DynamicAdvice<Target>.self), inside, target, extras, original)
      }
      return try typedAround(entry, inside, target, extras, original)
    }
    return try typedAround(entry, inside, target, extras, original)
  }

  @inlinable @inline(__always)
  func typedAround(
    _ entry: Entry, _ inside: AdvicePlace, _ target: Target, _ extras: Extras, _ original: Original
  ) throws -> Output {
    try entry.typed(TypedAround<Target, Arguments, Output>.self)._withUnsafeGuaranteedRef {
      try $0.run(target, arguments.pointee) {
        arguments.pointee = $0
        return try around(inside, target, extras, original)
      }
    }
  }

  @inlinable @inline(__always)
  func before(_ index: Int, _ target: Target) throws {
    let entry = entry(index)
    guard entry.isPlain else { return try rareBefore(entry, target) }
    try entry.typed(TypedBefore<Target, Arguments>.self)._withUnsafeGuaranteedRef {
      try $0.run(target, &arguments.pointee)
    }
  }

  @inlinable @inline(never)
  func rareBefore(_ entry: Entry, _ target: Target) throws {
    try entry.typed(TargetAdvice<Target>.self)._withUnsafeGuaranteedRef { advice in
      guard applies(advice, target) else { return }
      if advice.isDynamic {
        try entry.typed(DynamicAdvice<Target>.self)._withUnsafeGuaranteedRef { try dynamicBefore($0, target) }
      } else {
        try entry.typed(TypedBefore<Target, Arguments>.self)._withUnsafeGuaranteedRef {
          try $0.run(target, &arguments.pointee)
        }
      }
    }
  }

  @inlinable
  func after(_ index: Int, _ outcome: inout Result<Output, any Error>, _ target: Target) throws {
    let entry = entry(index)
    guard entry.isPlain else { return try rareAfter(entry, &outcome, target) }
    try entry.typed(TypedAfter<Target, Arguments, Output>.self)._withUnsafeGuaranteedRef {
      try $0.run(target, arguments.pointee, &outcome)
    }
  }

  @inlinable @inline(never)
  func rareAfter(_ entry: Entry, _ outcome: inout Result<Output, any Error>, _ target: Target) throws {
    let advice = TargetAdvice<Target>.at(entry)
    guard applies(advice, target) else { return }
    if advice.isDynamic {
      dynamicAfter(unsafeDowncast(advice, to: DynamicAdvice<Target>.self), &outcome, target)
    } else {
      try unsafeDowncast(advice, to: TypedAfter<Target, Arguments, Output>.self)
        .body(target, arguments.pointee, &outcome)
    }
  }

  /// Whether advice is for this call's target.
  @inlinable
  func applies(_ advice: TargetAdvice<Target>, _ target: Target) -> Bool {
    if let applies = advice.applies { applies(target) } else { true }
  }
}
