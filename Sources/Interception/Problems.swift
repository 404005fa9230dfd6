internal import CAnnot
internal import Synchronization

/// What went wrong where nobody waits for an answer.
final class ProblemList: Sendable {
  private struct State {
    var problems: [InterceptionError] = []
    var handler: (@Sendable (InterceptionError) -> Void)?
  }

  /// More are counted, not kept: a failing advice may run a million times.
  static let limit = 1000
  private let state = Mutex(State())

  func add(_ problem: InterceptionError) {
    let handler = state.withLock { state in
      if state.problems.count < Self.limit { state.problems.append(problem) }
      return state.handler
    }
    handler?(problem)
  }

  var all: [InterceptionError] { state.withLock { $0.problems } }

  func setHandler(_ handler: (@Sendable (InterceptionError) -> Void)?) {
    state.withLock { $0.handler = handler }
  }
}

extension InterceptionRegistry {
  /// What went wrong where nobody waited for an answer, in order.
  ///
  /// That is advice whose types do not fit a join point that came later, and errors of advice that its join point
  /// cannot throw. The first 1000 are kept.
  public var problems: [InterceptionError] { problemList.all }

  /// Sets what is told of each problem as it comes, nil for nothing.
  ///
  /// - Parameter handler: called on the thread that met the problem, within the call of the join point.
  public func onProblem(_ handler: (@Sendable (InterceptionError) -> Void)?) {
    problemList.setHandler(handler)
  }

  func report(_ problem: InterceptionError) { problemList.add(problem) }
}

extension InterceptionError {
  static func adviceThrew(_ shape: JoinPointShape, _ error: any Error) -> InterceptionError {
    InterceptionError(
      .adviceThrew, shape.name,
      "its advice threw \(error), which the join point cannot throw; the call went on without it")
  }
}
