import Interception
import InterceptionFixtures
import Synchronization
import Testing

@Suite("Advice on C functions", .serialized)
struct CJoinPointTests {
  private let registry = InterceptionRegistry.shared

  private func point(_ sel: String) -> JoinPointName { JoinPointName(module: "C", cls: "Calls", sel: sel) }

  @Test("Every number of parameters from 0 to 8 passes its arguments and result through unchanged")
  func arities() throws {
    let count = Mutex(0)
    let tokens = try ["none", "one", "two", "three", "four", "five", "six", "seven", "eight"].map {
      try registry.around(point($0)) { invocation in
        count.withLock { $0 += 1 }
        try? invocation.proceed()
      }
    }
    defer { for token in tokens { token.remove() } }
    let before = calls_none_count()
    Calls_none()
    #expect(calls_none_count() == before + 1)
    #expect(Calls_one(1) == 2)
    #expect(Calls_two(-1, 1 << 40) == (1 << 40) - 1)
    #expect(Calls_three(0.5, 0.25, 2) == 2.75)
    #expect("abcdefgh".withCString { String(cString: Calls_four($0, 1, 2, 1)) } == "efgh")
    let moved = Calls_five(Point(x: 1, y: 2, tag: 0), 10, 20, 7, true)
    #expect((moved.x, moved.y, moved.tag) == (-11, -22, 7))
    #expect(Calls_six(1, 2, 3, 4, 5, 6) == 91)
    #expect(Calls_seven(1, 2, 3, 4, 5, 6, 7) == 140)
    #expect(Calls_eight(1, 2, 3, 4, 5, 6, 7, 8) == 204)
    #expect(count.withLock { $0 } == 9)
    #expect(tokens.allSatisfy { $0.reach == 1 })
  }

  @Test("Before advice reads and replaces arguments")
  func arguments() throws {
    let seen = Mutex<[Int64]>([])
    let token = try registry.before(JoinPointName(cls: "Calls", sel: "two")) { invocation in
      let a = try! invocation.argument(0, as: Int32.self)
      let b = try! invocation.argument(1, as: Int64.self)
      seen.withLock { $0 += [Int64(a), b] }
      try! invocation.setArgument(1, to: Int64(100))
    }
    #expect(Calls_two(1, 2) == 101)
    #expect(seen.withLock { $0 } == [1, 2])
    #expect(token.remove())
    #expect(!token.remove())
    #expect(Calls_two(1, 2) == 3)
  }

  @Test("Around advice that does not proceed replaces the call; a result not set is zero")
  func replaced() throws {
    let before = calls_none_count()
    let none = try registry.around(point("none")) { _ in }
    let five = try registry.around(point("five")) { invocation in
      try! invocation.setResult(Point(x: 3, y: 4, tag: 5))
    }
    let six = try registry.around(point("six")) { _ in }
    defer { for token in [none, five, six] { token.remove() } }
    Calls_none()
    #expect(calls_none_count() == before)
    let result = Calls_five(Point(x: 1, y: 2, tag: 0), 0, 0, 0, false)
    #expect((result.x, result.y, result.tag) == (3, 4, 5))
    #expect(Calls_six(1, 1, 1, 1, 1, 1) == 0)
  }

  @Test("After advice sees the result and may replace it")
  func after() throws {
    let token = try registry.after(point("one")) { invocation in
      let result = try! invocation.result(as: CInt.self)
      try! invocation.setResult(result! * 2)
    }
    defer { token.remove() }
    #expect(Calls_one(4) == 10)
  }

  @Test("A type that does not fit the declared one is an error naming both, and changes nothing")
  func mismatch() throws {
    let errors = Mutex<[InterceptionError]>([])
    let token = try registry.before(point("one")) { invocation in
      func expectError(_ body: () throws(InterceptionError) -> Void) {
        do throws(InterceptionError) { try body() } catch { errors.withLock { $0.append(error) } }
      }
      expectError { () throws(InterceptionError) in _ = try invocation.argument(0, as: String.self) }
      expectError { () throws(InterceptionError) in _ = try invocation.argument(0, as: Int64.self) }
      expectError { () throws(InterceptionError) in _ = try invocation.argument(0, as: UInt32.self) }
      expectError { () throws(InterceptionError) in _ = try invocation.argument(0, as: Float.self) }
      expectError { () throws(InterceptionError) in _ = try invocation.argument(1, as: CInt.self) }
      expectError { () throws(InterceptionError) in _ = try invocation.argument(-1, as: CInt.self) }
      expectError { () throws(InterceptionError) in try invocation.setArgument(0, to: 1.0) }
      expectError { () throws(InterceptionError) in try invocation.setResult("x") }
      expectError { () throws(InterceptionError) in try invocation.proceed() }
      expectError { () throws(InterceptionError) in _ = try invocation.defer() }
    }
    defer { token.remove() }
    #expect(Calls_one(1) == 2)
    let codes = errors.withLock { $0.map(\.code) }
    #expect(
      codes == [
        .typeMismatch, .typeMismatch, .typeMismatch, .typeMismatch, .noSuchArgument, .noSuchArgument,
        .typeMismatch, .typeMismatch, .notNow, .notSupported,
      ])
    let first = errors.withLock { $0[0].description }
    #expect(first == "C.Calls.one: argument 0 is declared int, not String")
  }

  @Test("An invocation kept beyond its advice says so instead of reading freed memory")
  func kept() throws {
    final class Keeper: @unchecked Sendable { var invocation: Invocation? }
    let keeper = Keeper()
    let token = try registry.before(point("one")) { keeper.invocation = $0 }
    defer { token.remove() }
    _ = Calls_one(1)
    let error = #expect(throws: InterceptionError.self) {
      _ = try keeper.invocation?.argument(0, as: CInt.self)
    }
    #expect(error?.code == .notNow)
  }

  @Test("Advice whose join point does not exist waits: it reaches nothing and can be removed")
  func waiting() throws {
    let token = try registry.before(JoinPointName(module: "C", cls: "Nowhere", sel: "run")) { _ in }
    #expect(token.reach == 0)
    #expect(token.remove())
  }

  @Test("A module other than the join point's own does not match")
  func otherModule() throws {
    let token = try registry.around(JoinPointName(module: "Other", cls: "Calls", sel: "one")) { _ in }
    defer { token.remove() }
    #expect(token.reach == 0)
    #expect(Calls_one(1) == 2)
  }

  @Test("Advice added before a function's first call meets that call")
  func firstCall() throws {
    let token = try registry.around(JoinPointName(cls: "Fresh", sel: "run")) { invocation in
      try! invocation.setResult(CInt(42))
    }
    defer { token.remove() }
    #expect(Fresh_run(1) == 42)
  }

  @Test("Advice that calls the advised function is bounded by the function's own recursion")
  func recursion() throws {
    let count = Mutex(0)
    let token = try registry.before(JoinPointName(cls: "Deep", sel: "down")) { invocation in
      count.withLock { $0 += 1 }
      if try! invocation.argument(0, as: CInt.self) == 5 { _ = Deep_down(3) }
    }
    defer { token.remove() }
    #expect(Deep_down(5) == 5)
    #expect(count.withLock { $0 } == 10)
  }
}
