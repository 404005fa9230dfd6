internal import Interception

/// What is called in the benchmarks of calls.
final class Bench: Sendable {
  @inline(never) func plain(_ a: Int, _ b: Int) -> Int { a ^ b }
  @inline(never) static func plainStatic(_ a: Int, _ b: Int) -> Int { a ^ b }
  @inline(never) func plainGeneric<T: FixedWidthInteger>(_ a: T, _ b: T) -> T { a ^ b }
  @inline(never) func plainThrowing(_ a: Int, _ b: Int) throws -> Int {
    if a < 0 { throw BenchmarkError(message: "negative") }
    return a ^ b
  }
  @inline(never) func plainAsync(_ a: Int, _ b: Int) async -> Int { a ^ b }

  @JoinPoint @inline(never) func woven(_ a: Int, _ b: Int) -> Int { a ^ b }
  @JoinPoint @inline(never) static func wovenStatic(_ a: Int, _ b: Int) -> Int { a ^ b }
  @JoinPoint @inline(never) func wovenGeneric<T: FixedWidthInteger>(_ a: T, _ b: T) -> T { a ^ b }
  @JoinPoint @inline(never) func wovenThrowing(_ a: Int, _ b: Int) throws -> Int {
    if a < 0 { throw BenchmarkError(message: "negative") }
    return a ^ b
  }
  @JoinPoint @inline(never) func wovenAsync(_ a: Int, _ b: Int) async -> Int { a ^ b }
}

extension Bench {
  private static let point = JoinPoint(cls: "Bench", sel: "byHand(_:_:)") { (_: Bench, a: Int, b: Int) in
    a ^ b
  }
  @inline(never) func byHand(_ a: Int, _ b: Int) -> Int { Self.point(self, (a, b)) }
}
