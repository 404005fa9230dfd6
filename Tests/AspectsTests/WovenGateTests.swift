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
      _ body: (Safe, LoginGate) async throws -> Result
    ) async throws -> Result {
      let gate = LoginGate(session: session)
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
