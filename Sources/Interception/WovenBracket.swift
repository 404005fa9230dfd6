public import CAnnot

extension WovenCall {
  /// Runs the before advice of a function whose body cannot be a function of its own.
  ///
  /// Arguments that advice replaces stay as they are in the body.
  /// - Returns: what runs the after advice; nil when there is none.
  @inlinable @inline(never)
  public static func enter<Target, Arguments>(
    _ slot: UnsafeMutableRawPointer, _ declaration: () -> WovenDeclaration, target: Target,
    arguments: Arguments
  ) -> WovenBracket? {
    let joinPoint = slot.assumingMemoryBound(to: annot_joinpoint.self)
    if annot_joinpoint_state(joinPoint) == 1 {
      InterceptionRegistry.shared.settle(
        joinPoint, SwiftJoinPointShape<Target, Arguments, Void>.self, declaration)
    }
    guard let hook = annot_joinpoint_hook(joinPoint), UInt(bitPattern: hook) != 1,
      let list = annot_hook_acquire(hook)
    else { return nil }
    return TypedBracket(list, target, arguments)
  }
}

/// A call whose after advice is still to run.
public class WovenBracket {
  @usableFromInline
  init() {}

  /// Runs the after advice.
  public func leave() {}
}

/// The same over the types of a call.
@usableFromInline
final class TypedBracket<Target, Arguments>: WovenBracket {
  private let list: OpaquePointer
  private let target: Target
  private let arguments: UnsafeMutablePointer<Arguments>

  @usableFromInline
  init(_ list: OpaquePointer, _ target: Target, _ arguments: Arguments) {
    self.list = list
    self.arguments = .allocate(capacity: 1)
    self.arguments.initialize(to: arguments)
    self.target = target
    super.init()
    each(reversed: false) { frame, level, first in
      for index in first..<level.before_end { try? frame.before(index, target) }
    }
  }

  deinit {
    arguments.deinitialize(count: 1)
    arguments.deallocate()
    annot_advice_list_release(list)
  }

  override func leave() {
    each(reversed: true) { frame, level, _ in
      for index in (level.around_end..<level.end).reversed() {
        var outcome: Result<Void, any Error> = .success(())
        try? frame.after(index, &outcome, target)
      }
    }
  }

  /// Goes through the levels from the outermost inwards, or back.
  private func each(
    reversed: Bool, _ body: (WovenFrame<Target, Arguments, Void>, annot_advice_level, Int) -> Void
  ) {
    var levels: [(level: annot_advice_level, first: Int)] = []
    var first = 0
    let frame = WovenFrame<Target, Arguments, Void>(list: list, arguments: arguments)
    while first < frame.view.pointee.count {
      let level = annot_advice_list_level(list, first)
      levels.append((level, first))
      first = level.end
    }
    for it in reversed ? levels.reversed() : levels { body(frame, it.level, it.first) }
  }
}
