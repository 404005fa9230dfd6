import Interception
import InterceptionFixtures
import Synchronization
import Testing

@Suite("The order of advice", .serialized)
struct AdviceOrderTests {
  private let registry = InterceptionRegistry.shared
  private let order = JoinPointName(module: "C", cls: "Order", sel: "run")

  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    func take() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  @Test("Before runs in order of registration, around nests, after runs in reverse")
  func equals() throws {
    let log = Log()
    let tokens = try [
      registry.after(order) { _ in log.add("after 1") },
      registry.around(order) {
        log.add("around 1 in")
        try! $0.proceed()
        log.add("around 1 out")
      },
      registry.before(order) { _ in log.add("before 1") },
      registry.before(order) { _ in log.add("before 2") },
      registry.around(order) {
        log.add("around 2 in")
        try! $0.proceed()
        log.add("around 2 out")
      },
      registry.after(order) { _ in log.add("after 2") },
    ]
    #expect(Order_run(1) == 10)
    #expect(
      log.take() == [
        "before 1", "before 2", "around 1 in", "around 2 in", "around 2 out", "around 1 out", "after 2",
        "after 1",
      ])
    for token in tokens { #expect(token.remove()) }
    #expect(Order_run(1) == 10)
    #expect(log.take() == [])
  }

  @Test("Higher precedence encloses lower: an around that does not proceed hides what it encloses")
  func precedence() throws {
    let log = Log()
    let isOpen = Mutex(false)
    let tokens = try [
      registry.before(order) { _ in log.add("before") },
      registry.after(order) { _ in log.add("after") },
      registry.around(order, precedence: 10) { invocation in
        log.add("gate")
        if isOpen.withLock({ $0 }) { try! invocation.proceed() }
      },
      registry.before(order, precedence: 20) { _ in log.add("outermost") },
    ]
    defer { for token in tokens { token.remove() } }
    #expect(Order_run(1) == 0)
    #expect(log.take() == ["outermost", "gate"])
    isOpen.withLock { $0 = true }
    #expect(Order_run(1) == 10)
    #expect(log.take() == ["outermost", "gate", "before", "after"])
  }

  @Test("Removing one of several advices leaves the others in place")
  func removingOne() throws {
    let log = Log()
    let first = try registry.before(order) { _ in log.add("first") }
    let second = try registry.before(order) { _ in log.add("second") }
    let third = try registry.before(order) { _ in log.add("third") }
    #expect(second.remove())
    _ = Order_run(1)
    #expect(log.take() == ["first", "third"])
    #expect(first.remove() && third.remove())
    #expect(!first.remove() && !second.remove() && !third.remove())
    _ = Order_run(1)
    #expect(log.take() == [])
  }

  @Test("Proceeding twice runs the original twice; arguments may change in between")
  func proceedTwice() throws {
    let token = try registry.around(order) { invocation in
      try! invocation.proceed()
      let first = try! invocation.result(as: CInt.self)!
      try! invocation.setArgument(0, to: CInt(2))
      try! invocation.proceed()
      let second = try! invocation.result(as: CInt.self)!
      try! invocation.setResult(first + second)
    }
    defer { token.remove() }
    #expect(Order_run(1) == 30)
  }
}
