import Aspects
import Glibc
import InterceptionFixtures
import Synchronization
import Testing
import ThreadSupport

/// A session that tests log in and out by hand.
final class GateTestSession: LoginSession {
  private struct State {
    var isLoggedIn = false
    var timesAsked = 0
    var answers: [@Sendable (LoginAnswer) -> Void] = []
  }
  private let state = Mutex(State())

  /// What stands in for `admits`, if anything.
  let judge = Mutex<(@Sendable (LoginRequest) -> Bool)?>(nil)

  var isLoggedIn: Bool { state.withLock { $0.isLoggedIn } }
  func admits(_ request: LoginRequest) -> Bool { judge.withLock { $0 }?(request) ?? isLoggedIn }
  var timesAsked: Int { state.withLock { $0.timesAsked } }

  func requestLogin(_ answer: @escaping @Sendable (LoginAnswer) -> Void) {
    state.withLock {
      $0.timesAsked += 1
      $0.answers.append(answer)
    }
  }

  func answer(_ answer: LoginAnswer) {
    let answers = state.withLock { state in
      state.isLoggedIn = answer == .loggedIn
      return state.answers
    }
    for each in answers { each(answer) }
  }

  func set(loggedIn: Bool) { state.withLock { $0.isLoggedIn = loggedIn } }
}

private final class Vault: Sendable {
  let opened = Mutex<[String]>([])

  private static let openPoint = JoinPoint(cls: "Vault", sel: "open(_:)") {
    (vault: Vault, who: String) in vault.opened.withLock { $0.append(who) }
  }
  func open(_ who: String) { Self.openPoint(self, who) }

  private static let countPoint = JoinPoint(cls: "Vault", sel: "count()") {
    (vault: Vault) throws -> Int in vault.opened.withLock { $0.count }
  }
  func count() throws -> Int { try Self.countPoint(self) }
}

/// All suites that install a gate: one gate stops every gated call of the process, so they run one by one.
@Suite("The login gate", .serialized)
enum GateSuites {}

extension GateSuites {
  @Suite("Calls and logins")
  struct LoginGateTests {
    private let session = GateTestSession()
    private let outcomes = Outcomes()

    private final class Outcomes: Sendable {
      private let list = Mutex<[GatedCallOutcome]>([])
      func add(_ call: GatedCall) { list.withLock { $0.append(call.outcome) } }
      var all: [GatedCallOutcome] { list.withLock { $0 } }
    }

    private func withGate<Result>(_ body: (LoginGate) throws -> Result) throws -> Result {
      gate_clear()
      let outcomes = outcomes
      let gate = LoginGate(session: session, onOutcome: { outcomes.add($0) })
      try gate.install()
      defer { gate.uninstall() }
      return try body(gate)
    }

    private var entered: [CInt] { (0..<gate_count()).map { gate_at($0) } }

    @Test("Calls made logged out wait; one login is asked for; they resume in order with their arguments")
    func resumes() throws {
      try withGate { gate in
        for who in 1...5 { Gate_enter(CInt(who)) }
        #expect(entered == [])
        #expect(gate.waitingCount == 5)
        #expect(session.timesAsked == 1)
        session.answer(.loggedIn)
        #expect(entered == [1, 2, 3, 4, 5])
        #expect(gate.waitingCount == 0)
        #expect(outcomes.all == Array(repeating: .resumed, count: 5))
        Gate_enter(6)
        #expect(entered == [1, 2, 3, 4, 5, 6])
        #expect(session.timesAsked == 1)
      }
    }

    @Test("A cancelled login drops the calls and tells each caller's handler; the next call asks again")
    func cancelled() throws {
      try withGate { gate in
        let first = Outcomes()
        let second = Outcomes()
        LoginGate.withHandler({ first.add($0) }) {
          Gate_enter(1)
          Gate_enter(2)
        }
        LoginGate.withHandler({ second.add($0) }) { Gate_enter(3) }
        session.answer(.cancelled)
        #expect(entered == [])
        #expect(first.all == [.dropped, .dropped])
        #expect(second.all == [.dropped])
        #expect(outcomes.all == [.dropped, .dropped, .dropped])
        Gate_enter(4)
        #expect(session.timesAsked == 2)
        session.answer(.loggedIn)
        #expect(entered == [4])
      }
    }

    @Test("Swift methods are gated by a C record: void ones wait, throwing ones throw LoginRequired")
    func swiftMethods() throws {
      try withGate { gate in
        let vault = Vault()
        vault.open("Ada")
        vault.open("Bob")
        #expect(throws: LoginRequired.self) { try vault.count() }
        #expect(session.timesAsked == 1)
        session.answer(.loggedIn)
        #expect(vault.opened.withLock { $0 } == ["Ada", "Bob"])
        let count = try vault.count()
        #expect(count == 2)
      }
    }

    @Test("A gated C function with a result returns zero and runs after login all the same")
    func zero() throws {
      try withGate { gate in
        #expect(Gate_price(3) == 0)
        #expect(gate.waitingCount == 1)
        session.answer(.loggedIn)
        #expect(outcomes.all == [.resumed])
        #expect(Gate_price(3) == 300)
      }
    }

    @Test("A second answer to one login is ignored")
    func secondAnswer() throws {
      try withGate { gate in
        Gate_enter(1)
        session.answer(.loggedIn)
        session.set(loggedIn: false)
        Gate_enter(2)
        // The session answers its first request once more, which must not drop the call of the second.
        #expect(session.timesAsked == 2)
        #expect(gate.waitingCount == 1)
        session.answer(.loggedIn)
        #expect(entered == [1, 2])
      }
    }

    @Test("Advice of lower precedence sees a gated call only when it goes on")
    func innerAdvice() throws {
      try withGate { gate in
        let seen = Atomic(0)
        let token = try InterceptionRegistry.shared.before(JoinPointName(cls: "Gate", sel: "enter")) { _ in
          seen.add(1, ordering: .relaxed)
        }
        defer { token.remove() }
        Gate_enter(1)
        #expect(seen.load(ordering: .relaxed) == 0)
        session.answer(.loggedIn)
        #expect(seen.load(ordering: .relaxed) == 1)
      }
    }

    @Test("Waiting calls go on where the app says")
    func resumeElsewhere() throws {
      gate_clear()
      let work = Mutex<[@Sendable () -> Void]>([])
      let gate = LoginGate(session: session, resume: { job in work.withLock { $0.append(job) } })
      try gate.install()
      defer { gate.uninstall() }
      Gate_enter(7)
      session.answer(.loggedIn)
      #expect(entered == [])
      for job in work.withLock({ $0 }) { job() }
      #expect(entered == [7])
    }

    @Test("Many threads at once: one login, every call resumes once")
    func manyThreads() throws {
      try withGate { gate in
        inParallel(8) { thread in
          for call in 0..<100 { Gate_enter(CInt(thread * 100 + call)) }
        }
        #expect(gate.waitingCount == 800)
        #expect(session.timesAsked == 1)
        session.answer(.loggedIn)
        #expect(Set(entered) == Set(0..<800))
        #expect(entered.count == 800)
        // The calls of one thread keep their order.
        for thread in 0..<8 {
          let own = entered.filter { $0 / 100 == CInt(thread) }
          #expect(own == own.sorted())
        }
      }
    }

    @Test("A gate that is not installed, or no longer, lets everything through")
    func uninstalled() throws {
      try withGate { _ in }
      Gate_enter(9)
      #expect(entered == [9])
      #expect(session.timesAsked == 0)
    }

    @Test("A login that is there by the time it would be asked for lets the call go on at once")
    func alreadyLoggedIn() throws {
      /// Reports logged out once, then logged in.
      final class Late: LoginSession {
        let reads = Atomic(0)
        var isLoggedIn: Bool { reads.add(1, ordering: .relaxed).oldValue > 0 }
        func requestLogin(_ answer: @escaping @Sendable (LoginAnswer) -> Void) {
          Issue.record("a login was asked for")
        }
      }
      gate_clear()
      let gate = LoginGate(session: Late())
      try gate.install()
      defer { gate.uninstall() }
      Gate_enter(1)
      #expect(entered == [1])
    }
  }
}
