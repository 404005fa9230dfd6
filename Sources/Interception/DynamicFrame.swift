public import CAnnot

/// What dynamic advice of one call can read and change, by pointers, so that it costs nothing to make and to drop.
@usableFromInline
struct DynamicFrame<Target, Arguments, Output> {
  @usableFromInline let target: UnsafePointer<Target>
  @usableFromInline let arguments: UnsafeMutablePointer<Arguments>
  @usableFromInline let position: AdvicePosition
  /// What before advice ended the call with.
  @usableFromInline let failure: UnsafeMutablePointer<(any Error)?>?
  /// What around and after advice has and leaves.
  @usableFromInline let outcome: UnsafeMutablePointer<Result<Output, any Error>?>?
  /// What around advice can go on with.
  @usableFromInline let rest: UnsafeMutablePointer<DynamicRest<Arguments, Output>>?

  @inlinable
  init(
    target: UnsafePointer<Target>, arguments: UnsafeMutablePointer<Arguments>, position: AdvicePosition,
    failure: UnsafeMutablePointer<(any Error)?>? = nil,
    outcome: UnsafeMutablePointer<Result<Output, any Error>?>? = nil,
    rest: UnsafeMutablePointer<DynamicRest<Arguments, Output>>? = nil
  ) {
    self.target = target
    self.arguments = arguments
    self.position = position
    self.failure = failure
    self.outcome = outcome
    self.rest = rest
  }
}

/// What dynamic around advice can go on with.
@usableFromInline
struct DynamicRest<Arguments, Output> {
  /// Nil where only `await` can go on.
  let goOn: (() throws -> Output)?
  let place: AdvicePlace
  let extras: () -> WovenExtras<Arguments, Output>
  let list: OpaquePointer?
}

extension WovenFrame {
  @inlinable @inline(never)
  func dynamicBefore(_ advice: DynamicAdvice<Target>, _ target: Target) throws {
    var failure: (any Error)?
    withUnsafePointer(to: target) { target in
      withUnsafeMutablePointer(to: &failure) { failure in
        var frame = DynamicFrame<Target, Arguments, Output>(
          target: target, arguments: arguments, position: .before, failure: failure)
        withUnsafeMutablePointer(to: &frame) {
          advice.run(UnsafeMutableRawPointer($0), annot_call_spare(call))
        }
      }
    }
    if let failure { throw failure }
  }

  @inlinable @inline(never)
  func dynamicAfter(
    _ advice: DynamicAdvice<Target>, _ outcome: inout Result<Output, any Error>, _ target: Target
  ) {
    var current: Result<Output, any Error>? = outcome
    withUnsafePointer(to: target) { target in
      withUnsafeMutablePointer(to: &current) { current in
        var frame = DynamicFrame<Target, Arguments, Output>(
          target: target, arguments: arguments, position: .after, outcome: current)
        withUnsafeMutablePointer(to: &frame) {
          advice.run(UnsafeMutableRawPointer($0), annot_call_spare(call))
        }
      }
    }
    if let current { outcome = current }
  }

  @usableFromInline
  func dynamicAround(
    _ advice: DynamicAdvice<Target>, _ inside: AdvicePlace, _ target: Target, _ extras: Extras,
    _ original: Original
  ) throws -> Output {
    var outcome: Result<Output, any Error>?
    withoutActuallyEscaping(extras) { extras in
      withoutActuallyEscaping(original) { original in
        withUnsafeMutablePointer(to: &outcome) { outcome in
          withUnsafePointer(to: target) { pointer in
            var rest = DynamicRest<Arguments, Output>(
              goOn: { try self.around(inside, target, extras, original) }, place: inside, extras: extras,
              list: annot_advice_list_of(view))
            withUnsafeMutablePointer(to: &rest) { rest in
              var frame = DynamicFrame<Target, Arguments, Output>(
                target: pointer, arguments: arguments, position: .around, outcome: outcome, rest: rest)
              withUnsafeMutablePointer(to: &frame) {
                advice.run(UnsafeMutableRawPointer($0), annot_call_spare(call))
              }
            }
          }
        }
      }
    }
    return try advice.shape.outcome(outcome, fallback: extras().fallback)
  }
}

extension DynamicAdvice {
  /// Runs the advice over a frame.
  @inlinable @inline(__always)
  func run(_ frame: UnsafeMutableRawPointer, _ spare: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
    let invocation = Invocation.take(spare, shape, frame)
    do {
      try call(invocation)
    } catch {
      // An error that the join point cannot throw is reported and goes no further.
      if shape.admits(error) { shape.end(frame, error) }
    }
    Invocation.end(invocation, spare)
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
