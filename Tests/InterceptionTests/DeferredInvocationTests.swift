import Interception
import InterceptionFixtures
import Synchronization
import Testing
import ThreadSupport

@Suite("Deferred invocations", .serialized)
struct DeferredInvocationTests {
  private let registry = InterceptionRegistry.shared
  private let later = JoinPointName(module: "C", cls: "Later", sel: "add")

  @Test("A deferred C call owns its arguments, proceeds on another thread, and once only")
  func ownsArguments() throws {
    let kept = Mutex<[DeferredInvocation]>([])
    let token = try registry.around(later) { invocation in
      let call = try! invocation.defer()
      kept.withLock { $0.append(call) }
    }
    let start = later_count()
    for value in 1...3 { Later_add(CInt(value), Point(x: Double(value) / 2, y: 0, tag: 0)) }
    token.remove()
    #expect(later_count() == start)
    let calls = kept.withLock { $0 }
    #expect(try calls.map { try $0.argument(0, as: CInt.self) } == [1, 2, 3])
    inParallel(1) { _ in for call in calls.reversed() { try! call.proceed() } }
    #expect((start..<later_count()).map { later_at($0) } == [3, 2, 1])
    #expect((start..<later_count()).map { later_x_at($0) } == [1.5, 1, 0.5])
    let error = #expect(throws: InterceptionError.self) { try calls[0].proceed() }
    #expect(error?.code == .alreadyProceeded)
    #expect(later_count() == start + 3)
  }

  @Test("A deferred call goes on inside its around advice: what that encloses runs, the rest does not")
  func goesOnInside() throws {
    let kept = Mutex<[DeferredInvocation]>([])
    let log = Mutex<[String]>([])
    let tokens = try [
      registry.before(later, precedence: 2) { _ in log.withLock { $0.append("outer") } },
      registry.around(later, precedence: 1) { invocation in
        let call = try! invocation.defer()
        kept.withLock { $0.append(call) }
      },
      registry.before(later) { _ in log.withLock { $0.append("inner") } },
    ]
    defer { for token in tokens { token.remove() } }
    Later_add(9, Point())
    #expect(log.withLock { $0 } == ["outer"])
    try kept.withLock { $0[0] }.proceed()
    #expect(log.withLock { $0 } == ["outer", "inner"])
  }

  @Test("Text of a parameter declared annot_string is copied")
  func text() throws {
    let kept = Mutex<[DeferredInvocation]>([])
    let token = try registry.around(JoinPointName(cls: "Later", sel: "say")) { invocation in
      let call = try! invocation.defer()
      kept.withLock { $0.append(call) }
    }
    defer { token.remove() }
    var text = Array("hello".utf8CString)
    Later_say(&text)
    text = Array("wrong".utf8CString)
    try kept.withLock { $0[0] }.proceed()
    #expect(String(cString: later_said()) == "hello")
  }
}
