import FoundationEssentials
import Interception
import Synchronization
import Testing
import ThreadSupport

final class Track: Sendable {
  @JoinPoint func run(_ n: Int) -> Int { n }
  @JoinPoint func first(_ n: Int) -> Int { n }
  @JoinPoint func slow(_ n: Int) async -> Int { n }
}

extension WeavingSuites {
  @Suite("Woven functions under races")
  struct RaceTests {
    private let registry = InterceptionRegistry.shared
    /// How long the long race takes, in seconds; ANNOT_RACE_SECONDS makes it longer.
    private let seconds = ProcessInfo.processInfo.environment["ANNOT_RACE_SECONDS"].flatMap(Double.init) ?? 2

    @Test("44 · eight callers while two threads add and remove: each call sees a consistent list")
    func callersAndWriters() throws {
      let registry = registry
      let end = ContinuousClock.now + .seconds(seconds)
      let key = #joinPoint(Track.run(_:))
      let calls = Atomic(0)
      let torn = Atomic(0)
      let changes = Atomic(0)
      inParallel(10) { thread in
        let track = Track()
        while ContinuousClock.now < end {
          if thread < 2 {
            let token = try? registry.around(key) { proceed, _, n in proceed(n + 1) + 1000 }
            changes.add(1, ordering: .relaxed)
            if thread == 1 {
              token?.pause()
              token?.resume()
            }
            token?.remove()
          } else {
            for n in 0..<100 where (track.run(n) - n) % 1001 != 0 || track.run(n) - n > 2002 {
              torn.add(1, ordering: .relaxed)
            }
            calls.add(100, ordering: .relaxed)
          }
        }
      }
      #expect(torn.load(ordering: .relaxed) == 0)
      #expect(calls.load(ordering: .relaxed) > 0 && changes.load(ordering: .relaxed) > 0)
      #expect(Track().run(1) == 1)
    }

    @Test("Once-only advice fires once over all threads; a first call on many threads misses no advice")
    func once() throws {
      let fired = Atomic(0)
      let seen = Atomic(0)
      let tokens = try registry.add([
        AdviceRequest.dynamic(.before, "Track.first(_:)") { _ in fired.add(1, ordering: .relaxed) }.once(),
        AdviceRequest.dynamic(.before, "Track.first(_:)") { _ in seen.add(1, ordering: .relaxed) },
      ])
      inParallel(8) { _ in for n in 0..<1000 { _ = Track().first(n) } }
      #expect(fired.load(ordering: .relaxed) == 1)
      #expect(seen.load(ordering: .relaxed) == 8000)
      #expect(!tokens[0].remove() && tokens[1].remove())
    }

    @Test("Async calls while advice is added and removed see a consistent list")
    func asyncCallers() async throws {
      let registry = registry
      let key = #asyncJoinPoint(Track.slow(_:))
      let end = ContinuousClock.now + .seconds(seconds / 2)
      let torn = await withTaskGroup(of: Int.self) { group in
        for task in 0..<6 {
          group.addTask {
            let track = Track()
            var torn = 0
            while ContinuousClock.now < end {
              if task == 0 {
                let token = try? registry.around(key) { proceed, _, n in
                  await Task.yield()
                  return await proceed(n + 1) + 1000
                }
                await Task.yield()
                token?.remove()
              } else {
                let result = await track.slow(5) - 5
                if result != 0 && result != 1001 { torn += 1 }
              }
            }
            return torn
          }
        }
        return await group.reduce(0, +)
      }
      #expect(torn == 0)
    }

    @Test("45 · what a closure captures is released after removal and after the last running call")
    func captures() async throws {
      final class Captured: Sendable {}
      weak var weakly: Captured?
      let (inside, goOn) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
      let token: AdviceToken
      do {
        let captured = Captured()
        weakly = captured
        token = try registry.around(#asyncJoinPoint(Track.slow(_:))) { proceed, _, n in
          withExtendedLifetime(captured) {}
          inside.continuation.yield()
          for await _ in goOn.stream { break }
          return await proceed(n)
        }
      }
      let call = Task { await Track().slow(7) }
      for await _ in inside.stream { break }
      #expect(token.remove())
      #expect(weakly != nil)
      goOn.continuation.yield()
      #expect(await call.value == 7)
      #expect(weakly == nil)
    }
  }
}
