// Makes as many calls as it is told, of one kind; scripts/instructions counts what one costs.

import BenchmarkBaselines
import CAnnot
import Interception

final class Probe: Sendable {
  @inline(never) func plain(_ a: Int, _ b: Int) -> Int { a ^ b }
  @JoinPoint @inline(never) func woven(_ a: Int, _ b: Int) -> Int { a ^ b }
}

@inline(never) func consume(_ value: Int) {}

/// Not at the top level, whose closures belong to the main actor.
func run(_ kind: String, _ count: Int) throws {
  let probe = Probe()
  let registry = InterceptionRegistry.shared
  let key = #joinPoint(Probe.woven(_:_:))
  switch kind {
  case "plain", "unadvised", "c-plain", "c-unadvised": break
  case "before": _ = try registry.before(key) { _, a, _ in consume(a) }
  case "around": _ = try registry.around(key) { proceed, _, arguments in proceed(arguments) }
  case "dynamic": _ = try registry.add(.before, "Probe.woven(_:_:)") { _ in }
  case "c-before": _ = baseline_advise(Int32(ANNOT_BEFORE.rawValue))
  case "c-around": _ = baseline_advise(Int32(ANNOT_AROUND.rawValue))
  default: fatalError("unknown kind \(kind)")
  }
  switch kind {
  case "plain": for n in 0..<count { consume(probe.plain(n, 3)) }
  case "c-plain": for n in 0..<count { consume(Int(baseline_plain(Int64(n), 3))) }
  case "c-unadvised", "c-before", "c-around":
    for n in 0..<count { consume(Int(baseline_joinpoint(Int64(n), 3))) }
  default: for n in 0..<count { consume(probe.woven(n, 3)) }
  }
}

try run(CommandLine.arguments[1], Int(CommandLine.arguments[2])!)
