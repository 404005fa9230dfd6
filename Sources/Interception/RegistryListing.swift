/// Advice as the registry lists it.
public struct AdviceListing: Sendable {
  /// The token that removes it.
  public let token: AdviceToken
  /// The name it was given.
  public let identifier: String?
  /// When it runs.
  public let position: AdvicePosition
  /// Where it runs.
  public let pointcut: Pointcut
  /// Higher encloses lower.
  public let precedence: Int32
  /// Whether it ends with its first call.
  public let isOnce: Bool
  /// Whether it is paused.
  public let isPaused: Bool
  /// The join points it is attached to now.
  public let joinPoints: [JoinPointName]
  /// Where it was added, as `#fileID` has it; empty when not known.
  public let file: String
  /// The line where it was added, 0 when not known.
  public let line: UInt32
}

extension InterceptionRegistry {
  /// All advice added here, in the order of registration.
  public var advice: [AdviceListing] {
    locked { state in
      state.dropSpent()
      return state.rules.map { rule in
        AdviceListing(
          token: AdviceToken(id: rule.id), identifier: rule.request.identifier,
          position: rule.request.position,
          pointcut: rule.request.pointcut, precedence: rule.request.precedence, isOnce: rule.request.isOnce,
          isPaused: rule.isPaused, joinPoints: rule.reached, file: rule.request.file, line: rule.request.line)
      }
    }
  }

  /// The advice that was given an identifier; nil when there is none.
  ///
  /// - Parameter identifier: the name it was given.
  public func token(identifiedBy identifier: String) -> AdviceToken? {
    locked { state in
      state.rules.first { $0.request.identifier == identifier }.map { AdviceToken(id: $0.id) }
    }
  }

  /// The join points that have been called, in no order.
  public var joinPoints: [JoinPointInfo] {
    locked { state in state.knownShapes().map { JoinPointInfo($0) } }
  }

  func reach(_ id: UInt64) -> Int {
    let found = locked { state in
      state.rules.first { $0.id == id }.map { (pointcut: $0.request.pointcut, reached: $0.reached) }
    }
    guard let found else { return 0 }
    let declared = AnnotationRegistry.shared.records(ofKind: "joinpoint").compactMap { JoinPointInfo($0) }
    let selected = declared.filter { found.pointcut.selects($0) }
    let undeclared = found.reached.filter { name in
      !declared.contains { $0.name.matches(name, isStatic: false) || $0.name.matches(name, isStatic: true) }
    }
    return selected.count + undeclared.count
  }
}
