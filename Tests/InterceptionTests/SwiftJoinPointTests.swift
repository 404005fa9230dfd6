import Interception
import Synchronization
import Testing

private struct Refused: Error, Equatable {
  let why: String
}

private class Account: @unchecked Sendable {
  var balance = 100

  private static let transferPoint = JoinPoint(cls: "Account", sel: "transfer(to:amount:)") {
    (account: Account, to: String, amount: Int) -> String in
    account.balance -= amount
    return "\(amount) to \(to)"
  }
  func transfer(to: String, amount: Int) -> String { Self.transferPoint(self, (to, amount)) }

  private static let closePoint = JoinPoint(cls: "Account", sel: "close()") { (account: Account) in
    account.balance = 0
  }
  func close() { Self.closePoint(self) }

  private static let takePoint = JoinPoint(cls: "Account", sel: "take(_:)") {
    (account: Account, amount: Int) throws(Refused) -> Int in
    guard amount <= account.balance else { throw Refused(why: "too much") }
    account.balance -= amount
    return account.balance
  }
  func take(_ amount: Int) throws(Refused) -> Int { try Self.takePoint(self, amount) }

  private static let checkPoint = JoinPoint(cls: "Account", sel: "check(_:)") {
    (account: Account, text: String) throws -> Bool in text.isEmpty
  }
  func check(_ text: String) throws -> Bool { try Self.checkPoint(self, text) }

  private static let namePoint = JoinPoint(
    cls: "Account", sel: "name()", fallback: { "nobody" }
  ) { (account: Account) -> String in "somebody" }
  func name() -> String { Self.namePoint(self) }

  private static let countPoint = JoinPoint(cls: "Account", sel: "count(_:)", isStatic: true) {
    (_: Void, step: Int) -> Int in step + 1
  }
  static func count(_ step: Int) -> Int { countPoint((), step) }
}

@Suite("Advice on Swift methods", .serialized)
struct SwiftJoinPointTests {
  private let registry = InterceptionRegistry.shared

  private func point(_ sel: String) -> JoinPointName {
    JoinPointName(module: "InterceptionTests", cls: "Account", sel: sel)
  }

  @Test(
    "All spellings of a selector find the method",
    arguments: ["transfer", "transfer(to:amount:)", "transfer:to:amount:", "-transfer"])
  func spellings(_ sel: String) throws {
    // `transfer:to:amount:` has one label too many and must find nothing.
    let expected = sel == "transfer:to:amount:" ? 0 : 1
    let count = Atomic(0)
    let token = try registry.before(point(sel)) { _ in count.add(1, ordering: .relaxed) }
    defer { token.remove() }
    #expect(Account().transfer(to: "B", amount: 1) == "1 to B")
    #expect(count.load(ordering: .relaxed) == expected)
  }

  @Test("Before advice sees the target and the arguments, and may replace an argument")
  func before() throws {
    let account = Account()
    let log = Mutex<[String]>([])
    let token = try registry.before(point("transfer")) { invocation in
      let to = try! invocation.argument(0, as: String.self)
      let amount = try! invocation.argument(1, as: Int.self)
      log.withLock { $0.append("\(to) \(amount) \((invocation.target as? Account)?.balance ?? -1)") }
      try! invocation.setArgument(1, to: amount * 2)
    }
    #expect(account.transfer(to: "B", amount: 10) == "20 to B")
    #expect(account.balance == 80)
    #expect(log.withLock { $0 } == ["B 10 100"])
    #expect(token.remove())
    #expect(account.transfer(to: "B", amount: 10) == "10 to B")
  }

  @Test("Around advice replaces the result, proceeds or not")
  func around() throws {
    let account = Account()
    let token = try registry.around(point("transfer")) { invocation in
      try! invocation.setResult("nothing to anybody")
    }
    #expect(account.transfer(to: "B", amount: 10) == "nothing to anybody")
    #expect(account.balance == 100)
    token.remove()
    let second = try registry.around(point("close")) { _ in }
    account.close()
    #expect(account.balance == 100)
    second.remove()
    account.close()
    #expect(account.balance == 0)
  }

  @Test("An error of the original reaches after advice and the caller unchanged")
  func originalThrows() throws {
    let account = Account()
    let seen = Mutex<[String]>([])
    let token = try registry.after(point("take")) { invocation in
      let result = try! invocation.result(as: Int.self)
      let error = invocation.error.map { "\($0)" }
      seen.withLock { $0.append("\(result.map(String.init) ?? "none") \(error ?? "ok")") }
    }
    defer { token.remove() }
    #expect(try account.take(30) == 70)
    #expect(throws: Refused(why: "too much")) { try account.take(1000) }
    #expect(seen.withLock { $0 } == ["70 ok", "none Refused(why: \"too much\")"])
  }

  @Test("Advice may make the call throw what the method can throw, and nothing else")
  func adviceThrows() throws {
    struct Other: Error {}
    let account = Account()
    let errors = Mutex<[InterceptionError]>([])
    let token = try registry.around(point("take")) { invocation in
      do throws(InterceptionError) {
        try invocation.fail(Other())
      } catch {
        errors.withLock { $0.append(error) }
      }
      try! invocation.fail(Refused(why: "advice"))
    }
    #expect(throws: Refused(why: "advice")) { try account.take(1) }
    #expect(errors.withLock { $0.map(\.code) } == [.notSupported])
    token.remove()
    #expect(try account.take(1) == 99)
  }

  @Test("A call without a result throws where the method can throw anything, and else uses the fallback")
  func noResult() throws {
    let account = Account()
    let tokens = try [registry.around(point("check")) { _ in }, registry.around(point("name")) { _ in }]
    defer { for token in tokens { token.remove() } }
    let error = #expect(throws: InterceptionError.self) { try account.check("") }
    #expect(error?.code == .noResult)
    #expect(account.name() == "nobody")
  }

  @Test("A static method's join point is found with + and without, and not with -")
  func statics() throws {
    let count = Atomic(0)
    let tokens = try ["+count", "count", "-count"].map {
      try registry.before(point($0)) { _ in count.add(1, ordering: .relaxed) }
    }
    defer { for token in tokens { token.remove() } }
    #expect(Account.count(1) == 2)
    #expect(count.load(ordering: .relaxed) == 2)
  }

  @Test("Types that do not fit are errors that name both")
  func mismatch() throws {
    let messages = Mutex<[String]>([])
    let token = try registry.before(point("transfer")) { invocation in
      func note(_ body: () throws(InterceptionError) -> Void) {
        do throws(InterceptionError) { try body() } catch { messages.withLock { $0.append(error.message) } }
      }
      note { () throws(InterceptionError) in _ = try invocation.argument(0, as: Int.self) }
      note { () throws(InterceptionError) in _ = try invocation.argument(2, as: Int.self) }
      note { () throws(InterceptionError) in try invocation.setArgument(1, to: "x") }
      note { () throws(InterceptionError) in try invocation.setResult(1) }
    }
    defer { token.remove() }
    #expect(Account().transfer(to: "B", amount: 1) == "1 to B")
    #expect(
      messages.withLock { $0 } == [
        "argument 0 is declared String, not Int", "there is no argument 2: the join point has 2",
        "argument 1 is declared Int, not String", "the result is declared String, not Int",
      ])
  }

  @Test("A deferred Swift call owns target and arguments and proceeds later, once")
  func deferred() throws {
    let kept = Mutex<[DeferredInvocation]>([])
    let token = try registry.around(point("close")) { invocation in
      let call = try! invocation.defer()
      kept.withLock { $0.append(call) }
    }
    weak var weakly: Account?
    do {
      let account = Account()
      weakly = account
      account.close()
      token.remove()
    }
    #expect(weakly?.balance == 100)
    let call = kept.withLock { $0.removeFirst() }
    try call.proceed()
    #expect(weakly?.balance == 0)
    #expect(throws: InterceptionError.self) { try call.proceed() }
  }
}
