internal import CAnnot
internal import Synchronization

/// Names the advice added for every join point that carries an annotation of one kind, for its removal.
public struct AnnotationPointcutToken: Sendable, Hashable {
  let id: Int

  /// Removes the advice from all join points; thread-safe.
  ///
  /// - Returns: false when it was removed before.
  @discardableResult
  public func remove() -> Bool { InterceptionRegistry.shared.pointcuts.remove(id) }
}

/// The pointcuts by annotation, kept in step with the annotations of the loaded images.
///
/// They are brought up to date when one is added and before any join point is settled by its first call. So a
/// join point that comes with a library is advised from its first call on.
final class AnnotationPointcuts: Sendable {
  /// Adds the advice for one annotation's target; nil if the annotation could not be read.
  typealias Attach = @Sendable (JoinPointName) throws(InterceptionError) -> AdviceToken

  private struct Pointcut {
    /// The targets now annotated.
    let targets: @Sendable () -> Set<JoinPointName>
    let attach: Attach
    var tokens: [JoinPointName: AdviceToken] = [:]
  }

  private struct State {
    var pointcuts: [Int: Pointcut] = [:]
    var lastID = 0
    /// Of the annotations that the pointcuts are in step with.
    var generation: UInt64 = 0
  }

  private let state = Mutex(State())
  /// Set while this thread brings the pointcuts up to date: a join point settled by that very work cannot wait
  /// for its end.
  @TaskLocal private static var isUpdating = false

  func add(
    targets: @escaping @Sendable () -> Set<JoinPointName>, attach: @escaping Attach
  ) throws(InterceptionError) -> AnnotationPointcutToken {
    annot_set_settle_function { _ in InterceptionRegistry.shared.pointcuts.updateBeforeSettling() }
    return try locked { state throws(InterceptionError) in
      var pointcut = Pointcut(targets: targets, attach: attach)
      try Self.update(&pointcut)
      state.lastID += 1
      state.pointcuts[state.lastID] = pointcut
      return AnnotationPointcutToken(id: state.lastID)
    }
  }

  func remove(_ id: Int) -> Bool {
    guard let pointcut = locked({ $0.pointcuts.removeValue(forKey: id) }) else { return false }
    for token in pointcut.tokens.values { token.remove() }
    return true
  }

  /// Brings every pointcut in step with the annotations.
  func update() throws(InterceptionError) {
    try locked { state throws(InterceptionError) in
      // Read first: what changes from here on is seen next time.
      let generation = AnnotationRegistry.shared.generation
      guard generation != state.generation else { return }
      for id in state.pointcuts.keys { try Self.update(&state.pointcuts[id]!) }
      state.generation = generation
    }
  }

  private func updateBeforeSettling() {
    guard !Self.isUpdating else { return }
    do {
      try update()
    } catch {
      // To go on would be to let a call pass that an advice should stop.
      fatalError("\(error)")
    }
  }

  private func locked<Result, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> Result {
    let result: Swift.Result<Result, Failure> = Self.$isUpdating.withValue(true) {
      do throws(Failure) { return .success(try state.withLock(body)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private static func update(_ pointcut: inout Pointcut) throws(InterceptionError) {
    let targets = pointcut.targets()
    for (name, token) in pointcut.tokens where !targets.contains(name) {
      token.remove()
      pointcut.tokens[name] = nil
    }
    for name in targets where pointcut.tokens[name] == nil {
      pointcut.tokens[name] = try pointcut.attach(name)
    }
  }
}

extension InterceptionRegistry {
  /// Adds advice to every join point that carries an annotation of one kind.
  ///
  /// Join points and annotations of images loaded later are included: a join point that comes together with its
  /// annotation is advised from its first call on, one that existed before from the next ``update()`` or first
  /// call of any join point on. Annotations of one target count once.
  ///
  /// - Parameters:
  ///   - kind: the annotation's type; its records name their target by `cls` and `sel`.
  ///   - position: when the advice runs.
  ///   - precedence: higher encloses lower.
  ///   - body: the advice.
  /// - Returns: the token that removes the advice from all.
  /// - Throws: ``InterceptionError`` with ``InterceptionError/Code/noMemory``.
  public func add<Kind: Annotation>(
    _ position: AdvicePosition, every kind: Kind.Type, precedence: Int32 = 0,
    _ body: @escaping @Sendable (Invocation) -> Void
  ) throws(InterceptionError) -> AnnotationPointcutToken {
    try pointcuts.add(
      targets: {
        // The records, not the decoded annotations: one that lacks some member still names its target.
        Set(AnnotationRegistry.shared.records(ofKind: kind.kind).compactMap { JoinPointName($0) })
      },
      attach: { [self] (name) throws(InterceptionError) in
        try add(position, name, precedence: precedence, body)
      })
  }

  /// Brings advice by annotation in step with the annotations of the images loaded now.
  ///
  /// Needed only where an image brings an annotation for a join point that was called before it came.
  /// - Throws: ``InterceptionError`` with ``InterceptionError/Code/noMemory``.
  public func update() throws(InterceptionError) {
    try pointcuts.update()
  }
}

extension JoinPointName {
  /// The target that a record names; nil if it names none.
  public init?(_ record: AnnotationRecord) {
    guard let cls = record.cls, let sel = record.sel else { return nil }
    self.init(module: record.module, cls: cls, sel: sel)
  }
}
