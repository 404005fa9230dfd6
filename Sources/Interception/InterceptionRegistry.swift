@_exported public import Annotations

public import CAnnot
internal import Glibc
internal import Synchronization

/// The registry of advice of the running process.
///
/// Advice names its join points by a ``Pointcut`` and applies to every one that it selects: C functions defined by
/// `ANNOT_METHOD`, Swift functions with `@JoinPoint` and hand-written ``JoinPoint``s, those of images loaded later
/// included, from their first call on. At one join point, advice of higher precedence encloses advice of lower
/// precedence. Among equals, before advice runs first in the order of registration, around advice nests in that
/// order, the first outermost, and after advice runs last, in reverse order. A call keeps the advice it started
/// with.
///
/// Everything here is thread-safe and may be called from advice.
public final class InterceptionRegistry: Sendable {
  /// The process's registry.
  public static let shared = InterceptionRegistry()

  struct State {
    /// In the order of registration.
    var rules: [Rule] = []
    var lastID: UInt64 = 0
    /// The Swift join points that have been called, by slot.
    var shapes: [UnsafeMutableRawPointer: JoinPointShape] = [:]
    /// Of the annotations that the rules are in step with.
    var generation: UInt64 = 0
    /// Removed, to be let go of when the lock was given back.
    var removed: [Rule] = []

    mutating func takeGarbage() -> (rules: [Rule], advice: [Advice]) {
      defer { removed = [] }
      return (removed, (rules + removed).flatMap { $0.takeDetached() })
    }
  }

  private let lock = Mutex(())
  /// Guarded by the lock.
  private nonisolated(unsafe) var state = State()
  let problemList = ProblemList()
  /// Set while this thread changes the registry: a join point that is called for the first time by that very
  /// work cannot wait for its end, and passes without advice.
  @TaskLocal static var isUpdating = false

  private init() {
    annot_set_settle_function { info in InterceptionRegistry.shared.settle(info!) }
  }

  /// Adds advice.
  ///
  /// - Parameter request: what to add, where and when.
  /// - Returns: the token that removes it.
  /// - Throws: ``InterceptionError``; nothing was added then.
  public func add(_ request: AdviceRequest) throws(InterceptionError) -> AdviceToken {
    try add([request])[0]
  }

  /// Adds several pieces of advice, or none when one of them cannot be added.
  ///
  /// - Parameter requests: what to add, in the order of registration.
  /// - Returns: the tokens, in the same order.
  /// - Throws: ``InterceptionError`` for the first that cannot be added.
  public func add(_ requests: [AdviceRequest]) throws(InterceptionError) -> [AdviceToken] {
    // Shims get their advice before any call, so that what they catch can be told.
    annot_joinpoint_settle_shims()
    return try locked { state throws(InterceptionError) in
      state.dropSpent()
      let shapes = state.knownShapes()
      let prepared = try AdvicePreparation.prepare(requests, state.rules, shapes)
      var added: [Rule] = []
      do throws(InterceptionError) {
        for it in prepared { added.append(try state.add(it)) }
      } catch {
        for rule in added { state.remove(rule.id) }
        throw error
      }
      return added.map { AdviceToken(id: $0.id) }
    }
  }

  /// Removes all advice that was added here.
  ///
  /// - Returns: how many pieces of advice there were.
  @discardableResult
  public func removeAll() -> Int {
    locked { state in
      let count = state.rules.count
      for rule in state.rules { state.remove(rule.id) }
      return count
    }
  }

  /// Brings advice by annotation in step with the annotations of the images loaded now.
  ///
  /// Needed only where an image brings an annotation for a join point that was called before it came, and no join
  /// point is called for the first time after that.
  /// - Throws: ``InterceptionError`` when memory runs out.
  public func update() throws(InterceptionError) {
    try locked { state throws(InterceptionError) in try state.followAnnotations() }
  }

  func remove(_ id: UInt64) -> Bool { locked { $0.remove(id) } }

  /// Removes once-only advice that ran; where the registry is at work, it stays listed and runs no more.
  func forget(_ id: UInt64) {
    if !Self.isUpdating { _ = remove(id) }
  }

  func setPaused(_ id: UInt64, _ isPaused: Bool) -> Bool {
    locked { state in
      guard let rule = state.rules.first(where: { $0.id == id }), rule.isPaused != isPaused else {
        return false
      }
      rule.isPaused = isPaused
      for shape in state.knownShapes() { state.attempt(rule, shape) }
      return true
    }
  }

  /// Settles a Swift join point at its first call: gives it the advice that is for it.
  @usableFromInline
  func settle<Target, Arguments, Output>(
    _ slot: UnsafeMutablePointer<annot_joinpoint>,
    _ type: SwiftJoinPointShape<Target, Arguments, Output>.Type,
    _ declaration: () -> WovenDeclaration
  ) {
    guard !Self.isUpdating else { return }
    let declaration = declaration()
    locked { state in
      guard annot_joinpoint_state(slot) == UInt(ANNOT_JOINPOINT_UNRESOLVED) else { return }
      annot_joinpoint_prepare(slot)
      let shape = type.init(declaration)
      state.settle(shape)
      state.shapes[UnsafeMutableRawPointer(slot)] = shape
      guard annot_joinpoint_register(slot, shape.info) else {
        fatalError("no memory to register the join point \(shape.name)")
      }
    }
  }

  /// Gives a C join point that is about to be settled the advice that is for it.
  private func settle(_ info: UnsafePointer<annot_joinpoint_info>) {
    guard !Self.isUpdating else { return }
    locked { state in
      guard !state.rules.isEmpty else { return }
      state.settle(CJoinPointShape(info))
    }
  }

  func locked<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    guard !Self.isUpdating else {
      fatalError("the interception registry was used from a pointcut's predicate")
    }
    nonisolated(unsafe) let body = body
    let (result, garbage) = Self.$isUpdating.withValue(true) {
      lock.withLock { _ in
        let result: Swift.Result<Result, Failure>
        do throws(Failure) { result = .success(try body(&state)) } catch { result = .failure(error) }
        annot_binding_watch(!state.rules.isEmpty)
        return (result, state.takeGarbage())
      }
    }
    withExtendedLifetime(garbage) {}
    return try result.get()
  }
}

extension InterceptionRegistry.State {
  /// The join points that have been settled: any other gets its advice at its first call.
  func knownShapes() -> [JoinPointShape] {
    var shapes = Array(self.shapes.values)
    var count = 0
    let infos = annot_joinpoint_settled(&count)
    defer { free(infos) }
    guard let infos else {
      guard count == 0 else { fatalError("no memory to look at the join points") }
      return shapes
    }
    for index in 0..<count { shapes.append(CJoinPointShape(infos[index]!)) }
    return shapes
  }

  mutating func add(_ prepared: AdvicePreparation) throws(InterceptionError) -> Rule {
    lastID += 1
    let rule = Rule(id: lastID, prepared.request)
    do throws(InterceptionError) {
      let mayWait = prepared.request.mayWait || prepared.request.pointcut.name == nil
      for (shape, advice) in prepared.advice { try rule.attach(advice, to: shape, mayWait: mayWait) }
    } catch {
      rule.detachAll()
      removed.append(rule)
      throw error
    }
    rules.append(rule)
    let id = rule.id
    prepared.request.condition.once?.onFire { InterceptionRegistry.shared.forget(id) }
    return rule
  }

  @discardableResult
  mutating func remove(_ id: UInt64) -> Bool {
    guard let index = rules.firstIndex(where: { $0.id == id }) else { return false }
    let rule = rules.remove(at: index)
    rule.detachAll()
    removed.append(rule)
    return true
  }

  /// Removes advice whose object is gone.
  mutating func dropSpent() {
    for rule in rules where rule.isSpent { remove(rule.id) }
  }

  mutating func settle(_ shape: JoinPointShape) {
    do throws(InterceptionError) {
      try followAnnotations()
    } catch {
      InterceptionRegistry.shared.report(error)
    }
    for rule in rules { attempt(rule, shape) }
  }

  /// Updates a rule at a join point, and reports what cannot be attached: nobody waits for an answer here.
  func attempt(_ rule: Rule, _ shape: JoinPointShape) {
    do throws(InterceptionError) {
      try rule.update(shape)
    } catch {
      // To go on would be to let a call pass that an advice should stop.
      if error.code == .noMemory { fatalError("\(error)") }
      InterceptionRegistry.shared.report(error)
    }
  }

  mutating func followAnnotations() throws(InterceptionError) {
    // Read first: what changes from here on is seen next time.
    let now = AnnotationRegistry.shared.generation
    guard now != generation else { return }
    generation = now
    let following = rules.filter { $0.request.pointcut.readsAnnotations && !$0.isPaused }
    guard !following.isEmpty else { return }
    let shapes = knownShapes()
    for rule in following { for shape in shapes { attempt(rule, shape) } }
  }
}
