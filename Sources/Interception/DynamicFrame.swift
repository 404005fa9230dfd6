public import CAnnot

/// What dynamic advice of one call can read and change.
@usableFromInline
struct DynamicFrame<Target, Arguments, Output> {
  @usableFromInline let target: Target
  @usableFromInline let arguments: UnsafeMutablePointer<Arguments>
  @usableFromInline let position: AdvicePosition
  @usableFromInline var outcome: Result<Output, any Error>?
  // Of around advice only:
  @usableFromInline var goOn: (() throws -> Output)?
  @usableFromInline var place: AdvicePlace?
  @usableFromInline var extras: (() -> WovenExtras<Arguments, Output>)?
  @usableFromInline var list: OpaquePointer?

  @inlinable
  init(
    target: Target, arguments: UnsafeMutablePointer<Arguments>, position: AdvicePosition,
    outcome: Result<Output, any Error>? = nil
  ) {
    self.target = target
    self.arguments = arguments
    self.position = position
    self.outcome = outcome
  }
}

extension WovenFrame {
  /// Runs dynamic advice over a frame.
  @inlinable
  func run(_ advice: DynamicAdvice<Target>, _ frame: inout DynamicFrame<Target, Arguments, Output>) {
    withUnsafeMutablePointer(to: &frame) { frame in
      let invocation = Invocation.take(call.spare, advice.shape, UnsafeMutableRawPointer(frame))
      do {
        try advice.body(invocation)
      } catch {
        // An error that the join point cannot throw is reported and goes no further.
        if advice.shape.admits(error) { frame.pointee.outcome = .failure(error) }
      }
      Invocation.end(invocation, call.spare)
    }
  }

  @inlinable @inline(never)
  func dynamicBefore(_ advice: DynamicAdvice<Target>) throws {
    var frame = DynamicFrame<Target, Arguments, Output>(
      target: target, arguments: arguments, position: .before)
    run(advice, &frame)
    if case .failure(let error) = frame.outcome { throw error }
  }

  @inlinable @inline(never)
  func dynamicAfter(_ advice: DynamicAdvice<Target>, _ outcome: inout Result<Output, any Error>) {
    var frame = DynamicFrame<Target, Arguments, Output>(
      target: target, arguments: arguments, position: .after, outcome: outcome)
    run(advice, &frame)
    if let new = frame.outcome { outcome = new }
  }

  @usableFromInline
  func dynamicAround(
    _ advice: DynamicAdvice<Target>, _ inside: AdvicePlace, _ extras: Extras, _ original: Original
  ) throws -> Output {
    try withoutActuallyEscaping(extras) { extras in
      try withoutActuallyEscaping(original) { original in
        var frame = DynamicFrame<Target, Arguments, Output>(
          target: target, arguments: arguments, position: .around)
        frame.goOn = { try self.around(inside, extras, original) }
        frame.place = inside
        frame.extras = extras
        frame.list = call.list
        run(advice, &frame)
        defer { (frame.goOn, frame.extras) = (nil, nil) }
        return try advice.shape.outcome(frame.outcome, fallback: extras().fallback)
      }
    }
  }
}

extension JoinPointShape {
  /// Whether callers can be thrown an error of advice; else it is reported.
  @usableFromInline
  func admits(_ error: any Error) -> Bool {
    if canThrow(error) { return true }
    InterceptionRegistry.shared.report(.adviceThrew(self, error))
    return false
  }

  /// What a call whose around advice ended returns or throws.
  @usableFromInline
  func outcome<Output>(
    _ outcome: Result<Output, any Error>?, fallback: @autoclosure () -> (() -> Output)?
  ) throws -> Output {
    if let outcome { return try outcome.get() }
    if let nothing = () as? Output { return nothing }
    if let fallback = fallback() { return fallback() }
    let noResult = InterceptionError(
      .noResult, name, "its around advice neither proceeded nor gave a result, and it has no fallback")
    if canThrow(noResult) { throw noResult }
    fatalError("\(noResult)")
  }
}
