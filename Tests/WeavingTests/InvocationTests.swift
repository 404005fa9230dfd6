import Interception
import Synchronization
import Testing

extension WeavingSuites {
  @Suite("Invocations of woven functions")
  struct InvocationTests {
    private let registry = InterceptionRegistry.shared

    @Test("38 · advice that calls its own method is bounded by the user's recursion")
    func recursion() throws {
      let log = Log()
      let token = try registry.before(#joinPoint(Clerk.take(_:))) { clerk, n in
        log.add("\(n)")
        if n > 0 { _ = clerk.take(n - 1) }
      }
      defer { token.remove() }
      #expect(Clerk().take(20) == 20)
      #expect(log.count == 21)
    }

    @Test("39 · a running call keeps its advice while that adds, and removes itself")
    func changesItself() throws {
      let log = Log()
      let key = #joinPoint(Clerk.take(_:))
      let added = Mutex<AdviceToken?>(nil)
      let own = Mutex<AdviceToken?>(nil)
      let token = try registry.before(key) { _, _ in
        log.add("first")
        own.withLock { $0 }?.remove()
        let more = try? InterceptionRegistry.shared.before(key) { _, _ in log.add("added") }
        added.withLock { $0 = more }
      }
      own.withLock { $0 = token }
      let last = try registry.before(key) { _, _ in log.add("last") }
      _ = Clerk().take(1)
      #expect(log.all == ["first", "last"])
      log.clear()
      _ = Clerk().take(1)
      #expect(log.all == ["last", "added"])
      last.remove()
      #expect(added.withLock { $0 }?.remove() == true)
    }

    @Test("40 · proceed not at all, twice, and after the call has returned")
    func proceeds() throws {
      let log = Log()
      let clerk = Clerk(log: log)
      let key = #joinPoint(Clerk.take(_:))
      let none = try registry.around(key) { _, _, _ in -1 }
      #expect(clerk.take(1) == -1)
      #expect(log.all == [])
      none.remove()
      let twice = try registry.around(key) { proceed, _, n in proceed(n) + proceed(n + 1) }
      #expect(clerk.take(1) == 3)
      #expect(log.count == 2)
      twice.remove()
      let kept = Mutex<DeferredInvocation?>(nil)
      let later = try registry.add(.around, "Clerk.take(_:)") { invocation in
        let call = try invocation.defer()
        kept.withLock { $0 = call }
        try invocation.setResult(0)
      }
      #expect(clerk.take(5) == 0)
      later.remove()
      let call = try #require(kept.withLock { $0 })
      #expect(try call.argument(0, as: Int.self) == 5)
      try call.proceed()
      #expect(try call.result(as: Int.self) == 5)
      #expect(throws: InterceptionError.self) { try call.proceed() }
    }

    @Test("41 · when the original throws, after throwing and finally run, after returning does not")
    func throwing() throws {
      let log = Log()
      let key = #joinPoint(Clerk.risky(_:))
      let tokens = try registry.add([
        .afterReturning(key) { _, _, _ in log.add("returning") },
        .afterThrowing(key) { error, _, _ in log.add("throwing \(error)") },
        .after(key) { _, _, _ in log.add("finally") },
      ])
      defer { for token in tokens { token.remove() } }
      #expect(throws: Trouble.some) { try Clerk().risky(-1) }
      #expect(log.all == ["finally", "throwing some"])
      log.clear()
      #expect(try Clerk().risky(1) == 1)
      #expect(log.all == ["finally", "returning"])
    }

    @Test("42 · advice that throws where the join point can: the caller sees it")
    func adviceThrows() throws {
      let log = Log()
      let clerk = Clerk(log: log)
      let key = #joinPoint(Clerk.risky(_:))
      let before = try registry.before(key) { _, _ in throw Trouble.other }
      #expect(throws: Trouble.other) { try clerk.risky(1) }
      #expect(log.all == [])
      before.remove()
      let around = try registry.around(key) { proceed, _, n in
        _ = try proceed(n)
        throw Trouble.other
      }
      #expect(throws: Trouble.other) { try clerk.risky(1) }
      #expect(log.all == ["risky"])
      around.remove()
      let dynamic = try registry.add(.before, "Clerk.risky(_:)") { _ in throw Trouble.other }
      #expect(throws: Trouble.other) { try clerk.risky(1) }
      dynamic.remove()
    }

    @Test("Dynamic advice that throws what the join point cannot is reported, and the call goes on")
    func cannotThrow() throws {
      let problems = ownProblems.count
      let token = try registry.add(.before, "Clerk.take(_:)") { _ in throw Trouble.other }
      defer { token.remove() }
      #expect(Clerk().take(1) == 1)
      #expect(ownProblems.count == problems + 1)
      #expect(ownProblems.last?.code == .adviceThrew)
      #expect(ownProblems.last?.description.contains("Clerk.take(_:): its advice threw other") == true)
    }

    @Test(
      "43 · async: before, around with suspension, after; cancellation reaches the original; calls do not mix"
    )
    func asynchronous() async throws {
      let log = Log()
      let key = #asyncJoinPoint(Clerk.slow(_:))
      let tokens = try registry.add([
        .before(key) { _, n in
          await Task.yield()
          log.add("before \(n)")
        },
        .around(key) { proceed, _, n in
          await Task.yield()
          let result = try await proceed(n * 2)
          await Task.yield()
          return result + 1
        },
        .after(key) { outcome, _, n in
          if case .success(let result) = outcome { log.add("after \(n) \(result)") }
        },
      ])
      defer { for token in tokens { token.remove() } }
      let results = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
        for n in 0..<100 { group.addTask { (n, try await Clerk().slow(n)) } }
        return try await group.reduce(into: [Int: Int]()) { $0[$1.0] = $1.1 }
      }
      #expect(results.allSatisfy { $0.value == $0.key * 2 + 1 })
      #expect(Set(log.all) == Set((0..<100).flatMap { ["before \($0)", "after \($0 * 2) \($0 * 2 + 1)"] }))
      let cancelled = Task {
        try await Task.sleep(for: .seconds(100))
      }
      cancelled.cancel()
      let task = Task {
        _ = await cancelled.result
        return try await Clerk().slow(1)
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("An invocation kept past its advice says so instead of reading what is gone")
    func kept() throws {
      /// What a user ought not to do.
      struct Kept: @unchecked Sendable { let invocation: Invocation }
      let kept = Mutex<[Kept]>([])
      let token = try registry.add(.before, "Clerk.take(_:)") { invocation in
        let it = Kept(invocation: invocation)
        kept.withLock { $0.append(it) }
      }
      _ = Clerk().take(1)
      _ = Clerk().take(2)
      token.remove()
      let all = kept.withLock { $0 }.map(\.invocation)
      #expect(all.count == 2 && all[0] !== all[1])
      for invocation in all {
        #expect(invocation.joinPoint.sel == "take(_:)")
        #expect(invocation.target == nil && invocation[0] == nil)
        #expect(throws: InterceptionError.self) { try invocation.argument(0, as: Int.self) }
      }
    }

    @Test(
      "49 · pause and resume keep the place in the order; the list tells what there is and where it was added"
    )
    func listing() throws {
      let log = Log()
      let key = #joinPoint(Clerk.take(_:))
      let first = try registry.add(
        AdviceRequest.before(key) { _, _ in log.add("first") }.identified("one").at())
      let line = UInt32(#line - 1)
      let second = try registry.add(AdviceRequest.before(key) { _, _ in log.add("second") }.precedence(-1))
      #expect(first.pause() && !first.pause())
      _ = Clerk().take(1)
      #expect(log.all == ["second"])
      log.clear()
      let listed = try #require(registry.advice.first { $0.identifier == "one" })
      #expect(listed.isPaused && listed.position == .before && listed.precedence == 0)
      #expect(listed.pointcut.description == "Clerk.take(_:)" && listed.line == line)
      #expect(listed.file == "WeavingTests/InvocationTests.swift")
      #expect(first.resume() && !first.resume())
      _ = Clerk().take(1)
      #expect(log.all == ["first", "second"])
      first.remove()
      second.remove()
      #expect(!first.pause() && !first.resume())
    }
  }
}
