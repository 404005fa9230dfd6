import Glibc
import Interception
import InterceptionFixtures
import Synchronization
import Testing
import ThreadSupport

@Suite("The life of advice", .serialized)
struct AdviceLifetimeTests {
  private let registry = InterceptionRegistry.shared
  private let change = JoinPointName(module: "C", cls: "Change", sel: "run")
  private let race = JoinPointName(module: "C", cls: "Race", sel: "run")

  private final class Tracked: Sendable {
    let alive: Atomic<Int>
    init() { alive = Atomic(1) }
  }

  @Test("What a closure captures is released when its advice is removed")
  func captures() throws {
    weak var weakly: Tracked?
    do {
      let tracked = Tracked()
      weakly = tracked
      let token = try registry.before(change) { _ in _ = tracked.alive.load(ordering: .relaxed) }
      _ = Change_run(1)
      #expect(weakly != nil)
      token.remove()
    }
    #expect(weakly == nil)
  }

  @Test("Once-only advice runs for one call, over all threads, and is then removed")
  func once() throws {
    let count = Atomic(0)
    let token = try registry.before(race, once: true) { _ in count.add(1, ordering: .relaxed) }
    inParallel(4) { _ in for _ in 0..<1000 { _ = Race_run(1) } }
    #expect(count.load(ordering: .relaxed) == 1)
    #expect(!token.remove())
  }

  @Test("Advice may remove itself and add other advice; the running call keeps its list")
  func changesInside() throws {
    let log = Mutex<[String]>([])
    let later = Mutex<AdviceToken?>(nil)
    let own = Mutex<AdviceToken?>(nil)
    let registry = registry
    let change = change
    let token = try registry.before(change) { _ in
      log.withLock { $0.append("first") }
      own.withLock { $0 }?.remove()
      let added = try? registry.before(change) { _ in log.withLock { $0.append("added") } }
      later.withLock { $0 = added }
    }
    own.withLock { $0 = token }
    _ = Change_run(1)
    #expect(log.withLock { $0 } == ["first"])
    _ = Change_run(1)
    #expect(log.withLock { $0 } == ["first", "added"])
    #expect(!token.remove())
    #expect(later.withLock { $0 }?.remove() == true)
  }

  @Test("Threads that add and remove advice at the same join point do not lose each other's")
  func racingRegistrations() throws {
    let missed = Atomic(0)
    let registry = registry
    let race = race
    inParallel(4) { _ in
      for _ in 0..<500 {
        let count = Atomic(0)
        let own = pthread_self()
        let token = try! registry.before(race) { _ in
          if pthread_equal(own, pthread_self()) != 0 { count.add(1, ordering: .relaxed) }
        }
        _ = Race_run(1)
        if count.load(ordering: .relaxed) != 1 || !token.remove() { missed.add(1, ordering: .relaxed) }
      }
    }
    #expect(missed.load(ordering: .relaxed) == 0)
  }

  @Test("Calls go on while two threads add and remove advice, and each sees a whole list")
  func racingWriters() throws {
    // Each pair of advices is added inner first and removed outer first, and cancels out: whoever sees the
    // result changed saw half of a list.
    let stop = Atomic(false)
    let wrong = Atomic(0)
    let calls = Atomic(0)
    let registry = registry
    let race = race
    inParallel(4) { index in
      if index < 2 {
        while !stop.load(ordering: .relaxed) {
          if Race_run(7) != 7 { wrong.add(1, ordering: .relaxed) }
          calls.add(1, ordering: .relaxed)
        }
      } else {
        for _ in 0..<300 {
          let token = try! registry.around(race) { invocation in
            let old = try! invocation.argument(0, as: CInt.self)
            try! invocation.setArgument(0, to: old + 1)
            try! invocation.proceed()
            let result = try! invocation.result(as: CInt.self)!
            try! invocation.setResult(result - 1)
          }
          if !token.remove() { wrong.add(1, ordering: .relaxed) }
        }
        if index == 2 { stop.store(true, ordering: .relaxed) }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
    #expect(calls.load(ordering: .relaxed) > 0)
    #expect(Race_run(7) == 7)
  }

  @Test("Calls nested deeper than a thread's hazard slots keep their lists, and release them in the end")
  func deepNesting() throws {
    weak var weakly: Tracked?
    do {
      let tracked = Tracked()
      weakly = tracked
      let token = try registry.before(JoinPointName(cls: "Nest", sel: "down")) { invocation in
        tracked.alive.add(1, ordering: .relaxed)
      }
      #expect(Nest_down(40) == 40)
      #expect(tracked.alive.load(ordering: .relaxed) == 42)
      token.remove()
    }
    #expect(weakly == nil)
  }

  @Test("Advice removed while it runs is released when that call ends")
  func releasedAtEndOfCall() throws {
    weak var weakly: Tracked?
    let own = Mutex<AdviceToken?>(nil)
    do {
      let tracked = Tracked()
      weakly = tracked
      let token = try registry.before(change) { [weak weakly] _ in
        own.withLock { $0 }?.remove()
        _ = tracked.alive.load(ordering: .relaxed)
        #expect(weakly != nil)
      }
      own.withLock { $0 = token }
    }
    #expect(weakly != nil)
    _ = Change_run(1)
    #expect(weakly == nil)
  }
}
