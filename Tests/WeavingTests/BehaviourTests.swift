import Interception
import WeavingFixtures
import Observation
import Synchronization
import Testing

extension WeavingSuites {
  /// What users of Aspects expect of advice, in the order of its own tests, and what its peers get wrong.
  @Suite("Behaviours of advice")
  struct BehaviourTests {
    private let registry = InterceptionRegistry.shared

    @Test("1 · after advice on one object fires for it alone, and is removed once")
    func afterOnInstance() throws {
      let (one, two) = (Clerk(), Clerk())
      let log = Log()
      let token = try registry.add(
        AdviceRequest.afterReturning(#joinPoint(Clerk.take(_:))) { result, _, n in log.add("\(n) \(result)") }
          .on(one))
      _ = (one.take(1), two.take(2))
      #expect(log.all == ["1 1"])
      #expect(token.remove())
      _ = one.take(3)
      #expect(log.count == 1)
    }

    @Test("2 · advice that takes no arguments is accepted on a method that has some")
    func noArguments() throws {
      let log = Log()
      let token = try registry.before(#joinPoint(Clerk.take(_:))) { log.add("called") }
      defer { token.remove() }
      _ = Clerk().take(1)
      #expect(log.all == ["called"])
    }

    @Test(
      "3 · advice that takes more arguments than the method is an error that names both, and leaves nothing")
    func tooManyArguments() throws {
      _ = Clerk().take(1)
      let before = ownAdvice.count
      let key = joinPointKey(
        "Clerk.take(_:)", on: Clerk.self, taking: Int.self, Int.self, returning: Int.self)
      let error = #expect(throws: InterceptionError.self) {
        _ = try registry.before(key) { _, _, _ in Issue.record("called") }
      }
      #expect(error?.code == .typeMismatch)
      #expect(
        error?.message
          == "the advice is for (Clerk) -> (Int, Int) -> Int, the join point is (Clerk) -> (Int) -> Int")
      #expect(ownAdvice.count == before)
      _ = Clerk().take(1)
    }

    @Test(
      "4 · advice over other types is an error that names both, before the first call where the record tells")
    func otherTypes() throws {
      _ = Clerk().take(1)
      let key = joinPointKey("Clerk.take(_:)", on: Clerk.self, taking: String.self, returning: Int.self)
      let error = #expect(throws: InterceptionError.self) {
        _ = try registry.before(key) { _, _ in Issue.record("called") }
      }
      #expect(error?.code == .typeMismatch)
      #expect(
        error?.message.contains("(String) -> Int") == true && error?.message.contains("(Int) -> Int") == true)
      let uncalled = joinPointKey("Unused.never(_:)", on: Unused.self, returning: Void.self)
      let early = #expect(throws: InterceptionError.self) {
        _ = try registry.before(uncalled) { (_: Unused) in }
      }
      #expect(early?.code == .typeMismatch)
      #expect(early?.message.contains("has the parameters (n)") == true)
    }

    @Test("5 · after advice on a class of another module fires and is removed")
    func otherModule() throws {
      let log = Log()
      let token = try registry.after(#joinPoint(OtherModuleClerk.take(_:))) { _, _, n in log.add("\(n)") }
      _ = OtherModuleClerk().take(4)
      #expect(log.all == ["4"])
      #expect(token.remove())
    }

    @Test("6, 7 · around on one object replaces its result and leaves others alone")
    func aroundOnInstance() throws {
      let (one, two, three) = (Clerk(), Clerk(), Clerk())
      let key = #joinPoint(Clerk.take(_:))
      let tokens = try registry.add([
        AdviceRequest.around(key) { _, _, _ in 100 }.on(one),
        AdviceRequest.around(key) { _, _, _ in 200 }.on(two),
      ])
      #expect([one.take(1), two.take(1), three.take(1)] == [100, 200, 1])
      #expect(tokens[0].remove())
      #expect([one.take(1), two.take(1), three.take(1)] == [1, 200, 1])
      #expect(tokens[1].remove())
    }

    @Test(
      "8–10 · class-wide after advice that sets the result wins over the object's around, for later objects too"
    )
    func classWide() throws {
      let one = Clerk()
      let key = #joinPoint(Clerk.take(_:))
      let around = try registry.add(AdviceRequest.around(key) { _, _, _ in 100 }.on(one))
      let after = try registry.after(key) { outcome, _, _ in outcome = .success(7) }
      let later = Clerk()
      #expect([one.take(1), later.take(1)] == [7, 7])
      #expect(after.remove())
      #expect([one.take(1), later.take(1)] == [100, 1])
      #expect(around.remove())
      #expect([one.take(1), later.take(1)] == [1, 1])
      #expect(!after.remove() && !around.remove())
    }

    @Test("11 · advice on an object is that object's")
    func perObject() throws {
      let clerks = (0..<5).map { _ in Clerk() }
      let log = Log()
      let tokens = try clerks.enumerated().map { index, clerk in
        try registry.add(
          AdviceRequest.before(#joinPoint(Clerk.take(_:))) { _, _ in log.add("\(index)") }.on(clerk))
      }
      for clerk in clerks.reversed() { _ = clerk.take(1) }
      #expect(log.all == ["4", "3", "2", "1", "0"])
      for token in tokens { token.remove() }
    }

    @Test("12 · before has run inside the original and after has not; both have at the end")
    func order() throws {
      let log = Log()
      let tokens = try [
        registry.before(#joinPoint(Clerk.take(_:))) { _, _ in log.add("before") },
        registry.after(#joinPoint(Clerk.take(_:))) { _, _, _ in log.add("after") },
      ]
      _ = Clerk(log: log).take(1)
      #expect(log.all == ["before", "take", "after"])
      for token in tokens { token.remove() }
    }

    @Test("13 · each of three pieces of advice on one method is removed once")
    func threeTokens() throws {
      let key = #joinPoint(Clerk.take(_:))
      let tokens = try (0..<3).map { _ in try registry.before(key) { _, _ in } }
      for token in tokens { #expect(token.remove()) }
      for token in tokens { #expect(!token.remove()) }
    }

    @Test("14 · a call from inside another object's method fires the advice")
    func nested() throws {
      let log = Log()
      let token = try registry.before(#joinPoint(Clerk.take(_:))) { _, n in log.add("\(n)") }
      defer { token.remove() }
      #expect(Desk().serve(9) == 9)
      #expect(log.all == ["9"])
    }

    @Test("15, 16, 18 · struct, double and 64-bit results are unchanged by advice that does nothing")
    func results() throws {
      let log = Log()
      let tokens = try [
        registry.after(#joinPoint(Clerk.money)) { _, _ in log.add("money") },
        registry.after(#joinPoint(Clerk.rate)) { _, _ in log.add("rate") },
        registry.after(#joinPoint(Clerk.big)) { _, _ in log.add("big") },
      ]
      defer { for token in tokens { token.remove() } }
      let clerk = Clerk()
      #expect(clerk.money() == Money(units: 1, cents: 50))
      #expect(clerk.rate() == 0.25)
      #expect(clerk.big() == 1 << 40)
      #expect(log.all == ["money", "rate", "big"])
    }

    @Test("17 · around that returns another double: the caller sees it")
    func otherDouble() throws {
      let token = try registry.around(#joinPoint(Clerk.rate)) { proceed, _, _ in proceed(()) * 2 }
      #expect(Clerk().rate() == 0.5)
      token.remove()
    }

    @Test("19, 36 · what no call can reach is refused at registration, and nothing is called")
    func notInterceptable() throws {
      _ = Value(count: 1)
      let error = #expect(throws: InterceptionError.self) {
        _ = try registry.add(.around, "Value.init(count:)") { _ in Issue.record("called") }
      }
      #expect(error?.code == .notInterceptable)
      _ = Value(count: 1)
      _ = Choice.a.name()
      let noObject = #expect(throws: InterceptionError.self) {
        _ = try registry.add(AdviceRequest.dynamic(.before, "Choice.name()") { _ in }.on(Clerk()))
      }
      #expect(noObject?.code == .notInterceptable)
      #expect(noObject?.message == "its target is Choice, not an object: advise all its calls")
    }

    @Test("Around advice that cannot await is refused at an async function, called before or not")
    func needsAwait() throws {
      for name in ["Clerk.slow(_:)", "UnusedWaiting.never()"] {
        let error = #expect(throws: InterceptionError.self) {
          _ = try registry.add(.around, Pointcut.named(name)) { try $0.proceed() }
        }
        #expect(error?.code == .notInterceptable)
        #expect(error?.message.contains("AdviceRequest.around(_:_:async:)") == true)
      }
    }

    @Test("20, 21 · before advice on the end of an object's life fires at its end; around is refused")
    func endOfLife() throws {
      _ = Lamp(name: "first")
      let log = Log()
      let token = try registry.add(.before, "Lamp.deinit") { invocation in
        log.add((invocation.target as? Lamp)?.name ?? "")
      }
      defer { token.remove() }
      do {
        let lamp = Lamp(name: "second")
        #expect(log.count == 0)
        withExtendedLifetime(lamp) {}
      }
      #expect(log.all == ["second"])
      let error = #expect(throws: InterceptionError.self) {
        _ = try registry.add(.around, "Lamp.deinit") { _ in Issue.record("called") }
      }
      #expect(error?.code == .notInterceptable)
    }

    @Test("22, 23 · an unknown selector of a known class is an error, on one object or all")
    func unknownSelector() throws {
      for request in [
        AdviceRequest.dynamic(.before, "Clerk.teak(_:)") { _ in },
        AdviceRequest.dynamic(.before, "Clerk.teak(_:)") { _ in }.on(Clerk()),
      ] {
        let error = #expect(throws: InterceptionError.self) { _ = try registry.add(request) }
        #expect(error?.code == .unknownJoinPoint)
        #expect(error?.message.contains("take(_:)") == true)
      }
    }

    @Test("24–27 · after the last removal everything is as before, and silent")
    func residue() throws {
      let clerk = Clerk()
      let log = Log()
      let (advice, problems) = (ownAdvice.count, ownProblems.count)
      let tokens = try [
        registry.add(
          AdviceRequest.before(#joinPoint(Clerk.take(_:))) { _, _ in log.add("object") }.on(clerk)),
        registry.before(#joinPoint(Clerk.take(_:))) { _, _ in log.add("class") },
        registry.before(#joinPoint(Meter.raise(_:))) { _, _ in log.add("observable") },
      ]
      for token in tokens { #expect(token.remove()) }
      let meter = Meter()
      meter.raise(1)
      #expect(clerk.take(1) == 1 && meter.value == 1)
      #expect(log.all == [])
      #expect((ownAdvice.count, ownProblems.count) == (advice, problems))
      for token in tokens { #expect(!token.remove()) }
    }

    @Test("28 · once-only advice fires once, and is gone then")
    func once() throws {
      let log = Log()
      let token = try registry.add(
        AdviceRequest.before(#joinPoint(Clerk.take(_:))) { _, n in log.add("\(n)") }.once())
      _ = Clerk().take(1)
      _ = Clerk().take(2)
      #expect(log.all == ["1"])
      #expect(!token.remove())
    }

    @Test("29 · observation of the object works with the advice, in either order of installing")
    func observation() throws {
      for observeFirst in [true, false] {
        let meter = Meter()
        let log = Log()
        func observe() {
          withObservationTracking {
            _ = meter.value
          } onChange: {
            log.add("changed")
          }
        }
        if observeFirst { observe() }
        let token = try registry.add(
          AdviceRequest.before(#joinPoint(Meter.raise(_:))) { _, _ in log.add("before") }.on(meter))
        if !observeFirst { observe() }
        meter.raise(1)
        #expect(log.all == ["before", "changed"])
        token.remove()
      }
    }

    @Test("30 · advising one method leaves the others alone")
    func otherMethods() throws {
      let token = try registry.around(#joinPoint(Clerk.take(_:))) { _, _, _ in 0 }
      #expect(Clerk().other() == "other")
      token.remove()
    }

    @Test("34, 50 · a rejected registration leaves no trace; a batch with one bad entry applies none")
    func batch() throws {
      _ = Clerk().take(1)
      let before = ownAdvice.count
      let log = Log()
      let bad = joinPointKey("Clerk.take(_:)", on: Clerk.self, taking: String.self, returning: Int.self)
      #expect(throws: InterceptionError.self) {
        _ = try registry.add([
          .before(#joinPoint(Clerk.take(_:))) { _, _ in log.add("first") },
          .before(bad) { _, _ in log.add("bad") },
          .before(#joinPoint(Clerk.other)) { _ in log.add("last") },
        ])
      }
      #expect(ownAdvice.count == before)
      _ = (Clerk().take(1), Clerk().other())
      #expect(log.all == [])
    }

    @Test("35 · an identifier is one advice's: a second is refused and the first keeps its place")
    func identifiers() throws {
      let log = Log()
      let key = #joinPoint(Clerk.take(_:))
      let tokens = try [
        registry.add(AdviceRequest.before(key) { _, _ in log.add("one") }.identified("log").at()),
        registry.add(AdviceRequest.before(key) { _, _ in log.add("two") }),
      ]
      let error = #expect(throws: InterceptionError.self) {
        _ = try registry.add(AdviceRequest.before(key) { _, _ in log.add("three") }.identified("log"))
      }
      #expect(error?.code == .duplicateIdentifier)
      #expect(error?.message.contains("WeavingTests/BehaviourTests.swift") == true)
      _ = Clerk().take(1)
      #expect(log.all == ["one", "two"])
      #expect(registry.token(identifiedBy: "log") == tokens[0])
      for token in tokens { token.remove() }
      #expect(registry.token(identifiedBy: "log") == nil)
    }
  }
}

/// A class whose method is never called.
final class Unused {
  @JoinPoint func never(_ n: Int) {}
}

/// The same, async.
final class UnusedWaiting {
  @JoinPoint func never() async {}
}
