@_exported public import Interception

internal import Synchronization

/// Lets the join points that carry a ``NeedLogin`` annotation run only while someone is logged in.
///
/// A call made logged out does not run. The session's login is asked for, once for all calls that wait for it.
/// When it succeeds, the waiting calls run in the order they were made, with the arguments they were made
/// with; when it is cancelled, they are dropped. Either way the handler of each call is told
/// (``withHandler(_:_:)``), and the gate's own.
///
/// What a stopped call returns to its caller depends on the join point: an async function suspends until the answer
/// and then goes on, or throws ``LoginRequired`` when the login is cancelled and `CancellationError` when its task
/// is; else nothing if it returns nothing; zero if it is a C function, which then runs after login all the same; a
/// Swift method that throws throws ``LoginRequired`` and does not wait; another Swift method returns its fallback.
///
/// A login that does not answer in time drops the calls that wait, and no more than so many wait at once, if the gate
/// was made so. When the user is logged out again while the calls resume, those that are left wait for another login.
/// Code of the login itself that calls gated functions does so in ``exempt(_:)``.
///
/// Everything here is thread-safe.
public final class LoginGate: Sendable {
  /// Told what became of a call.
  public typealias Handler = @Sendable (GatedCall) -> Void

  /// The precedence of the gate's advice: above that of all advice that should see only calls let through.
  public static let precedence: Int32 = 1_000_000

  @TaskLocal private static var handler: Handler?
  @TaskLocal private static var isExempt = false

  private let session: any LoginSession
  private let onOutcome: Handler?
  private let resume: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let timeout: Duration?
  private let limit: Int
  private let requests = LoginRequests()
  private let state = Mutex(State())

  private struct State: Sendable {
    var waiting: [Waiting] = []
    var isAsking = false
    /// Counts the logins asked for, so that a late answer or timeout is known.
    var login = 0
    var token: AnnotationPointcutToken?
    var door: Door?
  }

  /// What the installed advice holds: a waiting call holds its advice, which would hold the gate for good.
  private final class Door: Sendable {
    private let gate: Mutex<LoginGate?>

    init(_ gate: LoginGate) { self.gate = Mutex(gate) }

    func pass(_ invocation: Invocation) {
      if let gate = gate.withLock({ $0 }) {
        gate.pass(invocation)
      } else {
        LoginGate.attempt { () throws(InterceptionError) in try invocation.proceed() }
      }
    }

    nonisolated(nonsending) func pass(
      _ invocation: Invocation, _ proceed: nonisolated(nonsending) () async -> Void
    ) async throws {
      if let gate = gate.withLock({ $0 }) {
        try await gate.pass(invocation, proceed)
      } else {
        await proceed()
      }
    }

    func remove() { gate.withLock { $0 = nil } }
  }

  private struct Waiting: Sendable {
    enum Call: Sendable {
      /// Goes on from here.
      case deferred(DeferredInvocation)
      /// Goes on by itself once it is told how the login ended.
      case suspended(SuspendedCall)
    }

    let joinPoint: JoinPointName
    let call: Call
    let handler: Handler?

    func isSuspended(_ other: SuspendedCall) -> Bool {
      if case .suspended(let call) = call { call === other } else { false }
    }
  }

  /// Makes a gate, which is open until ``install(in:)``.
  ///
  /// - Parameters:
  ///   - session: the app's session.
  ///   - resume: runs a piece of work where the waiting calls are to go on, for instance on the main queue;
  ///     called once for each login. The thread that answers the login if nil.
  ///   - timeout: how long a login may take to answer; then the calls that wait are dropped with the outcome
  ///     ``GatedCallOutcome/timedOut``, and a later answer counts for none of them. For ever if nil.
  ///   - limit: how many calls may wait at once; more are refused.
  ///   - onOutcome: told what became of each call that was stopped.
  public init(
    session: any LoginSession,
    resume: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil,
    timeout: Duration? = nil, limit: Int = .max,
    onOutcome: Handler? = nil
  ) {
    self.session = session
    self.timeout = timeout
    self.limit = limit
    self.resume = resume ?? { work in work() }
    self.onOutcome = onOutcome
  }

  /// Puts the gate before every join point that carries a ``NeedLogin``, those of images loaded later included.
  ///
  /// Does nothing if it is installed.
  /// - Throws: ``InterceptionError`` when memory runs out.
  public func install(in registry: InterceptionRegistry = .shared) throws(InterceptionError) {
    let door = Door(self)
    let token = try registry.add(
      AdviceRequest.around(
        .annotated(NeedLogin.self), { invocation in door.pass(invocation) },
        async: { invocation, proceed in try await door.pass(invocation, proceed) }
      ).precedence(Self.precedence).at())
    let extra = state.withLock { state in
      guard state.token == nil else { return token as AnnotationPointcutToken? }
      state.token = token
      state.door = door
      return nil
    }
    extra?.remove()
  }

  /// Opens the gate for good; calls that wait go on waiting for their login.
  ///
  /// If that never answers, they are dropped when the gate and the answer's closure are gone.
  public func uninstall() {
    let (token, door) = state.withLock { state in
      defer { (state.token, state.door) = (nil, nil) }
      return (state.token, state.door)
    }
    token?.remove()
    door?.remove()
  }

  /// How many calls wait for the login's answer now.
  public var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Makes gated calls whose outcome is told to `handler`.
  ///
  /// - Parameters:
  ///   - handler: told once for each call that the gate stops within `body`; calls that go straight through are
  ///     not reported.
  ///   - body: makes the calls, on this thread.
  public static func withHandler<Result, Failure: Error>(
    _ handler: @escaping Handler, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result: Swift.Result<Result, Failure> = $handler.withValue(handler) {
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Makes gated calls that pass although nobody is logged in: for the login itself.
  ///
  /// - Parameter body: makes the calls, on this thread or task.
  public static func exempt<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result: Swift.Result<Result, Failure> = $isExempt.withValue(true) {
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Makes gated async calls that pass although nobody is logged in; see ``exempt(_:)-(()->Result)``.
  ///
  /// - Parameter body: makes the calls.
  public nonisolated(nonsending) static func exempt<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await $isExempt.withValue(true) { try await body() }
  }

  // MARK: The advice

  private func admits(_ joinPoint: JoinPointName) -> Bool {
    Self.isExempt || session.admits(requests.request(for: joinPoint))
  }

  private func pass(_ invocation: Invocation) {
    guard !admits(invocation.joinPoint) else {
      Self.attempt { () throws(InterceptionError) in try invocation.proceed() }
      return
    }
    if !invocation.hasDefaultResult && invocation.canThrow {
      refuse(invocation, LoginRequired(joinPoint: invocation.joinPoint))
    } else {
      wait(invocation)
    }
  }

  /// Ends the call with an error; asks for the login, so that the caller's next try can pass.
  private func refuse(_ invocation: Invocation, _ error: LoginRequired) {
    do {
      try invocation.fail(error)
      tell(Self.handler, invocation.joinPoint, .refused(reason: "\(error)"))
    } catch {
      tell(Self.handler, invocation.joinPoint, .refused(reason: error.message))
    }
    askForLogin()
  }

  private func wait(_ invocation: Invocation) {
    do {
      let waiting = Waiting(
        joinPoint: invocation.joinPoint, call: .deferred(try invocation.defer()), handler: Self.handler)
      guard enqueue(waiting) else { return }
    } catch {
      tell(Self.handler, invocation.joinPoint, .refused(reason: error.message))
    }
    askForLogin()
  }

  /// Lets a call wait, or tells that too many do; false then.
  private func enqueue(_ waiting: Waiting) -> Bool {
    let hasRoom = state.withLock { state in
      guard state.waiting.count < limit else { return false }
      state.waiting.append(waiting)
      return true
    }
    if !hasRoom {
      tell(waiting.handler, waiting.joinPoint, .refused(reason: "\(limit) calls wait for the login already"))
    }
    return hasRoom
  }

  /// The same for an async function, which waits where it is.
  private nonisolated(nonsending) func pass(
    _ invocation: Invocation, _ proceed: nonisolated(nonsending) () async -> Void
  ) async throws {
    let handler = Self.handler
    let joinPoint = invocation.joinPoint
    guard !admits(joinPoint) else {
      await proceed()
      return
    }
    let call = SuspendedCall()
    guard enqueue(Waiting(joinPoint: joinPoint, call: .suspended(call), handler: handler)) else {
      if invocation.canThrow { throw LoginRequired(joinPoint: joinPoint) }
      return
    }
    askForLogin()
    switch await call.outcome() {
    case .loggedIn:
      await proceed()
      tell(handler, joinPoint, .resumed)
    case .cancelled:
      // Whoever ended the wait has told the handler.
      if invocation.canThrow { throw LoginRequired(joinPoint: joinPoint) }
    case nil:
      // Its task was cancelled: nobody waits for it any more.
      state.withLock { $0.waiting.removeAll { $0.isSuspended(call) } }
      tell(handler, joinPoint, .dropped)
      if invocation.canThrow { throw CancellationError() }
    }
  }

  // MARK: The login

  private func askForLogin() {
    let login = state.withLock { state -> Int? in
      guard !state.isAsking else { return nil }
      state.isAsking = true
      state.login += 1
      return state.login
    }
    guard let login else { return }
    let answered = OneAnswer()
    let answer: @Sendable (LoginAnswer) -> Void = { [self] answer in
      if answered.take() { end(login, answer == .loggedIn ? nil : .dropped) }
    }
    if let timeout {
      Task { [weak self] in
        try? await Task.sleep(for: timeout)
        if answered.take() { self?.end(login, .timedOut) }
      }
    }
    // Someone may have logged in between the check of the call and here; then nobody would be asked.
    let waiting = state.withLock { $0.waiting.map(\.joinPoint) }
    if waiting.contains(where: { session.admits(requests.request(for: $0)) }) {
      answer(.loggedIn)
    } else {
      session.requestLogin(answer)
    }
  }

  /// Ends a login and hands over the calls that waited for it; calls stopped from now on ask for another.
  ///
  /// - Parameter failure: what becomes of the calls; nil for those of a user who logged in.
  private func end(_ login: Int, _ failure: GatedCallOutcome?) {
    let calls = state.withLock { state -> [Waiting] in
      guard state.login == login else { return [] }
      defer {
        state.waiting = []
        state.isAsking = false
      }
      return state.waiting
    }
    resume { [self] in
      guard let failure else {
        goOn(calls[...])
        return
      }
      for waiting in calls {
        tell(waiting.handler, waiting.joinPoint, failure)
        if case .suspended(let call) = waiting.call { call.end(.cancelled) }
      }
    }
  }

  /// Lets calls go on in their order; when the user is logged out on the way, the rest wait for another login.
  private func goOn(_ calls: ArraySlice<Waiting>) {
    for (index, waiting) in zip(calls.indices, calls) {
      let isLoggedIn = session.isLoggedIn
      // The first goes on by the answer's word, so that every login lets one go on at least.
      guard isLoggedIn || index == calls.startIndex else {
        let rest = calls[index...]
        state.withLock { $0.waiting.insert(contentsOf: rest, at: 0) }
        askForLogin()
        return
      }
      guard !isLoggedIn || session.admits(requests.request(for: waiting.joinPoint)) else {
        // Logged in, but without what its annotation asks for: another login would be no help.
        tell(waiting.handler, waiting.joinPoint, .refused(reason: "the login does not admit it"))
        if case .suspended(let call) = waiting.call { call.end(.cancelled) }
        continue
      }
      switch waiting.call {
      case .suspended(let call): call.end(.loggedIn)
      case .deferred(let call): goOn(call, waiting)
      }
    }
  }

  /// Lets a deferred call go on, on its function's actor if it has one.
  private func goOn(_ call: DeferredInvocation, _ waiting: Waiting) {
    guard let isolation = call.isolation else {
      Self.attempt { () throws(InterceptionError) in try call.proceed() }
      tell(waiting.handler, waiting.joinPoint, .resumed)
      return
    }
    Task {
      await Self.goOn(call, on: isolation)
      tell(waiting.handler, waiting.joinPoint, .resumed)
    }
  }

  private static func goOn(_ call: DeferredInvocation, on isolation: isolated any Actor) {
    attempt { () throws(InterceptionError) in try call.proceed() }
  }

  private func tell(_ handler: Handler?, _ joinPoint: JoinPointName, _ outcome: GatedCallOutcome) {
    let call = GatedCall(joinPoint: joinPoint, outcome: outcome)
    handler?(call)
    onOutcome?(call)
  }

  /// Does what can fail only by an error in the gate itself.
  private static func attempt(_ body: () throws(InterceptionError) -> Void) {
    do { try body() } catch { fatalError("the login gate: \(error)") }
  }
}
