public import CAnnot

extension WovenCall {
  /// Runs a call of an async function with the advice that applies to it; see
  /// ``run(_:_:target:arguments:extras:original:)``.
  ///
  /// The advice is held by a count and not by the thread, as the call may go on on another.
  @inlinable @inline(never)
  public nonisolated(nonsending) static func runAsync<Target, Arguments, Output>(
    _ slot: UnsafeMutableRawPointer, _ declaration: () -> WovenDeclaration, target: Target,
    arguments: inout Arguments, fallback: (() -> Output)?,
    original: (inout Arguments) async throws -> Output
  ) async throws -> Output {
    let joinPoint = slot.assumingMemoryBound(to: annot_joinpoint.self)
    if annot_joinpoint_state(joinPoint) == 1 {
      InterceptionRegistry.shared.settle(
        joinPoint, SwiftJoinPointShape<Target, Arguments, Output>.self, declaration)
    }
    guard let hook = annot_joinpoint_hook(joinPoint), UInt(bitPattern: hook) != 1,
      let list = annot_hook_acquire(hook)
    else {
      return try await callOriginal(original, &arguments)
    }
    defer { annot_advice_list_release(list) }
    let frame = AsyncWovenFrame<Target, Arguments, Output>(
      view: annot_advice_list_view(list), target: target, fallback: fallback)
    return try await frame.level(frame.view.pointee.first_level, 0, &arguments, original)
  }
}

extension WovenCall {
  /// Calls the body from wherever its function runs, as the function's caller would have.
  ///
  /// The body is the function's own and the arguments are its caller's: that they go to where it runs is no more
  /// than what the call without advice does, which the compiler has checked.
  @inlinable @inline(__always)
  nonisolated(nonsending) static func callOriginal<Arguments, Output>(
    _ original: (inout Arguments) async throws -> Output, _ arguments: inout Arguments
  ) async throws -> Output {
    nonisolated(unsafe) let original = original
    nonisolated(unsafe) var current = arguments
    defer { arguments = current }
    return try await original(&current)
  }
}

/// One async call under way.
@usableFromInline
struct AsyncWovenFrame<Target, Arguments, Output> {
  @usableFromInline let view: UnsafePointer<annot_advice_view>
  @usableFromInline let target: Target
  @usableFromInline let fallback: (() -> Output)?

  @inlinable
  init(view: UnsafePointer<annot_advice_view>, target: Target, fallback: (() -> Output)?) {
    self.view = view
    self.target = target
    self.fallback = fallback
  }

  @usableFromInline typealias Original = (inout Arguments) async throws -> Output

  /// Runs the advice of one precedence and all that it encloses.
  @inlinable
  nonisolated(nonsending) func level(
    _ level: annot_advice_level, _ first: Int, _ arguments: inout Arguments, _ original: Original
  ) async throws -> Output {
    guard level.around_end < level.end else {
      return try await beforeAndAround(level, first, &arguments, original)
    }
    var outcome: Result<Output, any Error>
    do {
      outcome = .success(try await beforeAndAround(level, first, &arguments, original))
    } catch {
      outcome = .failure(error)
    }
    var index = level.end
    while index > level.around_end {
      index -= 1
      do { try after(index, &outcome, &arguments) } catch { outcome = .failure(error) }
    }
    return try outcome.get()
  }

  @inlinable
  nonisolated(nonsending) func beforeAndAround(
    _ level: annot_advice_level, _ first: Int, _ arguments: inout Arguments, _ original: Original
  ) async throws -> Output {
    var index = first
    while index < level.before_end {
      try await before(index, &arguments)
      index += 1
    }
    return try await around(
      AdvicePlace(around: level.before_end, aroundEnd: level.around_end, nextLevel: level.end), &arguments,
      original)
  }

  /// Goes on from a place: the remaining around advice, then the enclosed levels, then the body.
  @inlinable
  nonisolated(nonsending) func around(
    _ place: AdvicePlace, _ arguments: inout Arguments, _ original: Original
  ) async throws -> Output {
    guard place.around < place.aroundEnd else {
      guard place.nextLevel < view.pointee.count else {
        return try await WovenCall.callOriginal(original, &arguments)
      }
      return try await level(
        annot_advice_list_level(annot_advice_list_of(view), place.nextLevel), place.nextLevel, &arguments,
        original)
    }
    var inside = place
    inside.around += 1
    let advice = advice(place.around)
    guard begins(advice) else { return try await around(inside, &arguments, original) }
    guard !advice.isDynamic else {
      return try await dynamicAround(
        unsafeDowncast(advice, to: AsyncDynamicAdvice<Target>.self), inside, &arguments, original)
    }
    var current = arguments
    let output = try await unsafeDowncast(advice, to: AsyncAround<Target, Arguments, Output>.self)
      .body(target, arguments) {
        current = $0
        return try await around(inside, &current, original)
      }
    arguments = current
    return output
  }

  @inlinable
  nonisolated(nonsending) func before(_ index: Int, _ arguments: inout Arguments) async throws {
    let advice = advice(index)
    guard begins(advice) else { return }
    if advice.isDynamic {
      try synchronous(&arguments) { frame in
        try frame.dynamicBefore(unsafeDowncast(advice, to: DynamicAdvice<Target>.self), target)
      }
    } else if advice.isAsync {
      try await unsafeDowncast(advice, to: AsyncBefore<Target, Arguments>.self).body(target, arguments)
    } else {
      try unsafeDowncast(advice, to: TypedBefore<Target, Arguments>.self).body(target, &arguments)
    }
  }

  @inlinable
  func after(_ index: Int, _ outcome: inout Result<Output, any Error>, _ arguments: inout Arguments) throws {
    try synchronous(&arguments) { frame in try frame.after(index, &outcome, target) }
  }

  /// Hands over the frame through which advice that does not suspend sees the call.
  @inlinable
  func synchronous(
    _ arguments: inout Arguments, _ body: (WovenFrame<Target, Arguments, Output>) throws -> Void
  ) rethrows {
    try withUnsafeMutablePointer(to: &arguments) { arguments in
      try body(WovenFrame(list: annot_advice_list_of(view), arguments: arguments))
    }
  }

  @inlinable
  func advice(_ index: Int) -> TargetAdvice<Target> {
    TargetAdvice<Target>.at(view.pointee.entries[index].unsafelyUnwrapped)
  }

  @inlinable
  func begins(_ advice: TargetAdvice<Target>) -> Bool {
    advice.applies?(target) ?? true
  }

  /// Runs around advice that reads its call through an ``AsyncInvocation``.
  @usableFromInline
  nonisolated(nonsending) func dynamicAround(
    _ advice: AsyncDynamicAdvice<Target>, _ inside: AdvicePlace, _ arguments: inout Arguments,
    _ original: Original
  ) async throws -> Output {
    let room = AsyncRoom<Target, Arguments, Output>(
      target, arguments, inside, { WovenExtras(fallback: fallback) })
    let invocation = Invocation()
    invocation.shape = advice.shape
    invocation.frame = UnsafeMutableRawPointer(room.frame)
    do {
      try await advice.body(invocation) {
        do {
          room.outcome.pointee = .success(try await around(inside, &room.arguments.pointee, original))
        } catch {
          room.outcome.pointee = .failure(error)
        }
      }
    } catch {
      if advice.shape.admits(error) { room.outcome.pointee = .failure(error) }
    }
    Invocation.end(invocation, nil)
    arguments = room.arguments.pointee
    return try advice.shape.outcome(room.outcome.pointee, fallback: fallback)
  }
}

/// A dynamic frame and what it points to, at a place that outlives a suspension.
final class AsyncRoom<Target, Arguments, Output> {
  let target: UnsafeMutablePointer<Target>
  let arguments: UnsafeMutablePointer<Arguments>
  let outcome: UnsafeMutablePointer<Result<Output, any Error>?>
  let rest: UnsafeMutablePointer<DynamicRest<Arguments, Output>>
  let frame: UnsafeMutablePointer<DynamicFrame<Target, Arguments, Output>>

  init(
    _ target: Target, _ arguments: Arguments, _ place: AdvicePlace,
    _ extras: @escaping () -> WovenExtras<Arguments, Output>
  ) {
    self.target = Self.place(target)
    self.arguments = Self.place(arguments)
    outcome = Self.place(nil)
    rest = Self.place(DynamicRest(goOn: nil, place: place, extras: extras, list: nil))
    frame = Self.place(
      DynamicFrame(
        target: UnsafePointer(self.target), arguments: self.arguments, position: .around, outcome: outcome,
        rest: rest))
  }

  deinit {
    Self.free(frame)
    Self.free(rest)
    Self.free(outcome)
    Self.free(arguments)
    Self.free(target)
  }

  private static func place<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    place.initialize(to: value)
    return place
  }

  private static func free<Value>(_ place: UnsafeMutablePointer<Value>) {
    place.deinitialize(count: 1)
    place.deallocate()
  }
}
