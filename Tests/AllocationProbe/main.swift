// Prints how many heap allocations 1000 calls of a woven function make with advice of each kind.

import AllocationCounter
import Interception

final class Probe: Sendable {
  @JoinPoint @inline(never) func work(_ a: Int, _ b: String) -> Int { a + b.utf8.count }
  @JoinPoint @inline(never) func risky(_ a: Int) throws -> Int { a }
}

@inline(never) func consume(_ value: Int) {}

func measure(_ name: String, _ requests: [AdviceRequest], _ call: (Int) -> Void) throws {
  let tokens = try InterceptionRegistry.shared.add(requests)
  for index in 0..<10 { call(index) }
  let before = allocation_count()
  for index in 0..<1000 { call(index) }
  let made = allocation_count() - before
  for token in tokens { token.remove() }
  print("\(name): \(made)")
}

/// Not at the top level, whose closures belong to the main actor.
func run() throws {
  let probe = Probe()
  let work: (Int) -> Void = { consume(probe.work($0, "text")) }
  let risky: (Int) -> Void = { consume((try? probe.risky($0)) ?? 0) }
  let key = #joinPoint(Probe.work(_:_:))
  let riskyKey = #joinPoint(Probe.risky(_:))
  // That the counter counts.
  try measure("an array", []) { consume([Int](repeating: $0, count: $0 + 1).count) }
  try measure("none", [], work)
  try measure("before", [.before(key) { _, a, _ in consume(a) }], work)
  try measure("around", [.around(key) { proceed, _, arguments in proceed(arguments) }], work)
  try measure("after", [.afterReturning(key) { result, _, _, _ in consume(result) }], work)
  try measure("before on one object", [AdviceRequest.before(key) { _, a, _ in consume(a) }.on(probe)], work)
  try measure(
    "all positions twice",
    [
      .before(key) { _, a, _ in consume(a) }, .around(key) { proceed, _, arguments in proceed(arguments) },
      .after(key) { _, _, _, _ in }, .before(key) { _, a, _ in consume(a) },
      .around(key) { proceed, _, arguments in proceed(arguments) }, .after(key) { _, _, _, _ in },
    ], work)
  try measure("throwing before", [.before(riskyKey) { _, a in consume(a) }], risky)
  try measure("throwing around", [.around(riskyKey) { proceed, _, a in try proceed(a) }], risky)
  try measure("dynamic before", [.dynamic(.before, "Probe.work(_:_:)") { _ in }], work)
}

try run()
