import Aspects
import Synchronization
import Testing

/// Functions of every shape that the gate treats in a way of its own.
private final class Safe: Sendable {
  let done = Mutex<[String]>([])
  private func note(_ what: String) { done.withLock { $0.append(what) } }

  @NeedLogin func open(_ who: String) { note(who) }
  @NeedLogin func count() throws -> Int { done.withLock { $0.count } }
  @NeedLogin(fallback: -1) func size() -> Int { done.withLock { $0.count } }
  @NeedLogin func fetch(_ what: String) async throws -> String {
    note(what)
    return what
  }
  @NeedLogin func send(_ what: String) async { note(what) }
  @NeedLogin(["role": "admin", "level": 3]) func audit() { note("audit") }
  @NeedLogin @Track("closed") func close() { note("closed") }
}

private let freeCalls = Mutex<[String]>([])
@NeedLogin func freelyGated(_ who: String) { freeCalls.withLock { $0.append(who) } }

@MainActor private final class Screen {
  var shown: [String] = []
  @NeedLogin func show(_ what: String) {
    MainActor.assertIsolated()
    shown.append(what)
  }
}

extension GateSuites {
  @Suite("Gated functions by macro")
  struct WovenGateTests {
    private let session = GateTestSession()

    private func withGate<Result>(
      timeout: Duration? = nil, limit: Int = .max, _ told: (@Sendable (GatedCall) -> Void)? = nil,
      _ body: (Safe, LoginGate) async throws -> Result
    ) async throws -> Result {
      let gate = LoginGate(session: session, timeout: timeout, limit: limit, onOutcome: told)
      try gate.install()
      defer { gate.uninstall() }
      return try await body(Safe(), gate)
    }

    /// Waits until so many calls wait for the login.
    private func waits(_ gate: LoginGate, for count: Int) async {
      while gate.waitingCount < count { await Task.yield() }
    }

    @Test(
      "A void function returns at once and resumes with its own arguments; logged in it goes straight through"
    )
    func resumes() async throws {
      try await withGate { safe, _ in
        safe.open("a")
        safe.open("b")
        #expect(safe.done.withLock { $0 } == [])
        session.answer(.loggedIn)
        #expect(safe.done.withLock { $0 } == ["a", "b"])
        safe.open("c")
        #expect(safe.done.withLock { $0 } == ["a", "b", "c"])
        #expect(session.timesAsked == 1)
      }
    }

    @Test("A throwing function throws LoginRequired, another returns its fallback")
    func others() async throws {
      try await withGate { safe, _ in
        let error = #expect(throws: LoginRequired.self) { try safe.count() }
        #expect(error?.joinPoint.sel == "count()")
        #expect(safe.size() == -1)
        session.answer(.loggedIn)
        let count = try safe.count()
        #expect(count == 0)
        #expect(safe.size() == 0)
      }
    }

    @Test("Async functions suspend until the login and go on in the order they were made")
    func suspends() async throws {
      try await withGate { safe, gate in
        let first = Task { try await safe.fetch("one") }
        await waits(gate, for: 1)
        let second = Task { await safe.send("two") }
        await waits(gate, for: 2)
        #expect(safe.done.withLock { $0 } == [])
        session.answer(.loggedIn)
        let fetched = try await first.value
        #expect(fetched == "one")
        await second.value
        #expect(Set(safe.done.withLock { $0 }) == ["one", "two"])
        #expect(session.timesAsked == 1)
      }
    }

    @Test(
      "When the login is cancelled, async functions that throw throw LoginRequired and others drop the call")
    func cancelled() async throws {
      try await withGate { safe, gate in
        let first = Task { try await safe.fetch("one") }
        let second = Task { await safe.send("two") }
        await waits(gate, for: 2)
        session.answer(.cancelled)
        await #expect(throws: LoginRequired.self) { try await first.value }
        await second.value
        #expect(safe.done.withLock { $0 } == [])
      }
    }

    @Test("A waiting call whose task is cancelled ends with CancellationError and waits no more")
    func taskCancelled() async throws {
      try await withGate { safe, gate in
        let task = Task { try await safe.fetch("one") }
        await waits(gate, for: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(gate.waitingCount == 0)
        session.answer(.loggedIn)
        #expect(safe.done.withLock { $0 } == [])
      }
    }

    @Test("A function on an actor resumes on that actor")
    func onActor() async throws {
      try await withGate { _, _ in
        let screen = Screen()
        await screen.show("page")
        #expect(await screen.shown == [])
        session.answer(.loggedIn)
        while await screen.shown.isEmpty { await Task.yield() }
        #expect(await screen.shown == ["page"])
      }
    }

    @Test(
      "A login that never answers: the calls that wait are dropped in time and each is told; the next asks again"
    )
    func timeout() async throws {
      let told = Mutex<[String]>([])
      try await withGate(timeout: .milliseconds(50)) { call in
        told.withLock { $0.append("\(call.joinPoint.sel) \(call.outcome)") }
      } _: { safe, _ in
        safe.open("a")
        await #expect(throws: LoginRequired.self) { try await safe.fetch("b") }
        #expect(told.withLock { $0 } == ["open(_:) timedOut", "fetch(_:) timedOut"])
        session.answer(.loggedIn)
        #expect(safe.done.withLock { $0 } == [])
        session.set(loggedIn: false)
        safe.open("c")
        #expect(session.timesAsked == 2)
      }
    }

    @Test("More calls than may wait are refused")
    func limited() async throws {
      let told = Mutex<[GatedCallOutcome]>([])
      try await withGate(limit: 2) { call in
        told.withLock { $0.append(call.outcome) }
      } _: { safe, gate in
        for who in ["a", "b", "c"] { safe.open(who) }
        await #expect(throws: LoginRequired.self) { try await safe.fetch("d") }
        #expect(gate.waitingCount == 2)
        let refused = GatedCallOutcome.refused(reason: "2 calls wait for the login already")
        #expect(told.withLock { $0 } == [refused, refused])
        session.answer(.loggedIn)
        #expect(safe.done.withLock { $0 } == ["a", "b"])
      }
    }

    @Test("What an annotation asks for is the session's to judge")
    func requirements() async throws {
      let asked = Mutex<[LoginRequest]>([])
      session.judge.withLock { judge in
        judge = { request in
          asked.withLock { $0.append(request) }
          return request.requirements["role"] != .text("admin")
        }
      }
      try await withGate { safe, _ in
        session.set(loggedIn: true)
        safe.open("a")
        safe.audit()
        #expect(safe.done.withLock { $0 } == ["a"])
        #expect(
          asked.withLock { $0 }.first { $0.joinPoint.sel == "audit()" }?.requirements
            == ["role": .text("admin"), "level": .number(3)])
        // A login that brings the role.
        session.judge.withLock { $0 = nil }
        session.answer(.loggedIn)
        #expect(safe.done.withLock { $0 } == ["a", "audit"])
      }
    }

    @Test("A logout while the calls resume lets the rest wait for another login")
    func logoutOnTheWay() async throws {
      let session = session
      try await withGate { call in
        if case .resumed = call.outcome { session.set(loggedIn: false) }
      } _: { safe, gate in
        for who in ["a", "b", "c"] { safe.open(who) }
        session.answer(.loggedIn)
        #expect(safe.done.withLock { $0 } == ["a"])
        #expect(gate.waitingCount == 2 && session.timesAsked == 2)
        session.answer(.loggedIn)
        #expect(safe.done.withLock { $0 } == ["a", "b"])
      }
    }

    @Test("The login's own code may call gated functions")
    func exempt() async throws {
      try await withGate { safe, _ in
        LoginGate.exempt { safe.open("a") }
        let fetched = try await LoginGate.exempt { try await safe.fetch("b") }
        #expect(fetched == "b")
        #expect(safe.done.withLock { $0 } == ["a", "b"] && session.timesAsked == 0)
      }
    }

    @Test("A function at file scope is gated, too")
    func atFileScope() async throws {
      try await withGate { _, _ in
        freelyGated("a")
        #expect(freeCalls.withLock { $0 } == [])
        session.answer(.loggedIn)
        #expect(freeCalls.withLock { $0 } == ["a"])
        #expect(InterceptionRegistry.shared.unbound.allSatisfy { $0.target.sel != "freelyGated(_:)" })
      }
    }

    @Test("Two macros that weave make one join point, gated once")
    func both() async throws {
      try await withGate { safe, _ in
        safe.close()
        session.answer(.loggedIn)
        #expect(safe.done.withLock { $0 } == ["closed"])
        #expect(
          InterceptionRegistry.shared.unbound(kinds: ["track"]).allSatisfy { $0.target.sel != "close()" })
      }
    }
  }
}
