// The classes that BehaviourTests advises.

import Interception
import Observation
import Synchronization

struct Money: Equatable, Sendable {
  var units = 0
  var cents = 0
}

/// Notes what happens, in order, from any thread.
final class Log: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
  var count: Int { lines.withLock { $0.count } }
  func clear() { lines.withLock { $0 = [] } }
}

class Clerk {
  let log: Log?
  init(log: Log? = nil) { self.log = log }
  @JoinPoint func take(_ n: Int) -> Int {
    log?.add("take")
    return n
  }
  @JoinPoint func money() -> Money { Money(units: 1, cents: 50) }
  @JoinPoint func rate() -> Double { 0.25 }
  @JoinPoint func big() -> Int64 { 1 << 40 }
  @JoinPoint func other() -> String { "other" }
  @JoinPoint func inherited(_ n: Int) -> Int { n }
  @JoinPoint func overridden(_ n: Int) -> Int { n }
  @JoinPoint func risky(_ n: Int) throws -> Int {
    log?.add("risky")
    if n < 0 { throw Trouble.some }
    return n
  }
  @JoinPoint func slow(_ n: Int) async throws -> Int {
    try Task.checkCancellation()
    await Task.yield()
    return n
  }
}

class SeniorClerk: Clerk {
  @JoinPoint override func overridden(_ n: Int) -> Int { super.overridden(n) + 1 }
}

final class ChiefClerk: SeniorClerk {}

class JuniorClerk: Clerk {
  @JoinPoint override func overridden(_ n: Int) -> Int { n * 10 }
}

final class Desk {
  let clerk = Clerk()
  func serve(_ n: Int) -> Int { clerk.take(n) }
}

/// A join point at the end of an object's life, written by hand: macros do not stand on deinitializers.
final class Lamp {
  let name: String
  init(name: String) { self.name = name }
  private static let end = JoinPoint(cls: "Lamp", sel: "deinit", form: .isBracket) { (_: Lamp) in }
  deinit { Self.end(self) }
}

@Observable final class Meter {
  var value = 0
  @JoinPoint func raise(_ n: Int) { value += n }
}
