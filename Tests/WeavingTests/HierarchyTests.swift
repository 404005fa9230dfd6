import Interception
import Testing

extension WeavingSuites {
  @Suite("Advice in class hierarchies")
  struct HierarchyTests {
    private let registry = InterceptionRegistry.shared

    @Test(
      "31 · advice on parent, child and sibling at once fires as declared, once per call of each implementation"
    )
    func hierarchy() throws {
      let log = Log()
      let tokens = try [
        registry.before(#joinPoint(Clerk.overridden(_:))) { _, _ in log.add("clerk") },
        registry.before(#joinPoint(SeniorClerk.overridden(_:))) { _, _ in log.add("senior") },
        registry.before(#joinPoint(JuniorClerk.overridden(_:))) { _, _ in log.add("junior") },
      ]
      defer { for token in tokens { token.remove() } }
      #expect(Clerk().overridden(1) == 1)
      #expect(log.all == ["clerk"])
      log.clear()
      #expect(JuniorClerk().overridden(1) == 10)
      #expect(log.all == ["junior"])
      log.clear()
      // 32: the child's call of super fires the parent's advice, once.
      #expect(SeniorClerk().overridden(1) == 2)
      #expect(log.all == ["senior", "clerk"])
      log.clear()
      #expect(ChiefClerk().overridden(1) == 2)
      #expect(log.all == ["senior", "clerk"])
    }

    @Test("33 · removing one of several never restores the original under the others")
    func removeOne() throws {
      let log = Log()
      let key = #joinPoint(Clerk.overridden(_:))
      let tokens = try (0..<3).map { index in try registry.before(key) { _, _ in log.add("\(index)") } }
      #expect(tokens[1].remove())
      _ = Clerk().overridden(1)
      #expect(log.all == ["0", "2"])
      tokens[0].remove()
      _ = Clerk().overridden(1)
      #expect(log.all == ["0", "2", "2"])
      tokens[2].remove()
      _ = Clerk().overridden(1)
      #expect(log.count == 3)
    }

    @Test("Advice on a subclass for a method that it inherits runs for it and its subclasses only")
    func inherited() throws {
      let log = Log()
      let token = try registry.before(#joinPoint(SeniorClerk.inherited(_:))) { (clerk: SeniorClerk, _) in
        log.add("\(type(of: clerk))")
      }
      defer { token.remove() }
      for clerk in [Clerk(), SeniorClerk(), ChiefClerk(), JuniorClerk()] { #expect(clerk.inherited(3) == 3) }
      #expect(log.all == ["SeniorClerk", "ChiefClerk"])
    }

    @Test("Advice within a class runs for its objects and those of its subclasses")
    func within() throws {
      let log = Log()
      let token = try registry.add(
        AdviceRequest.dynamic(.before, "Clerk.*") { log.add("\(type(of: $0.target!))") }.within(
          JuniorClerk.self))
      defer { token.remove() }
      for clerk in [Clerk(), SeniorClerk(), JuniorClerk()] { _ = clerk.inherited(3) }
      #expect(log.all == ["JuniorClerk"])
    }

    @Test("37 · removing a child's advice leaves the inherited method working")
    func childRemoved() throws {
      let token = try registry.around(#joinPoint(SeniorClerk.inherited(_:))) { proceed, _, n in
        proceed(n) + 100
      }
      #expect(SeniorClerk().inherited(1) == 101)
      #expect(token.remove())
      #expect(SeniorClerk().inherited(1) == 1)
      #expect(Clerk().inherited(1) == 1)
    }

    @Test("Advice on an object ends with it, and does not keep it alive")
    func endsWithObject() throws {
      let before = ownAdvice.count
      weak var weakly: Clerk?
      do {
        let clerk = Clerk()
        weakly = clerk
        _ = try registry.add(AdviceRequest.before(#joinPoint(Clerk.take(_:))) { _, _ in }.on(clerk))
        #expect(ownAdvice.count == before + 1)
      }
      #expect(weakly == nil)
      #expect(ownAdvice.count == before)
    }
  }
}
