import Interception
import Synchronization
import Testing

/// A construct, what calls it, and what the call gives.
struct Construct: CustomTestStringConvertible, Sendable {
  let pointcut: String
  let result: String
  /// Bodies that stand where they are, and so cannot be gone around.
  var isBracket = false
  /// How often its own code runs for one call.
  var count = 1
  let call: @Sendable () async throws -> String

  init(
    _ pointcut: String, _ result: String, isBracket: Bool = false, count: Int = 1,
    _ call: @escaping @Sendable () async throws -> String
  ) {
    self.pointcut = pointcut
    self.result = result
    self.isBracket = isBracket
    self.count = count
    self.call = call
  }

  var testDescription: String { pointcut }
}

let constructs: [Construct] = [
  Construct("Base.instance(_:)", "3") { Base().instance(2) },
  Construct("Base.fixed(_:)", "s2") { Base.fixed(2) },
  Construct("Base.perClass(_:)", "Derived 2") { Derived.perClass(2) },
  Construct("Base.overridden(_:)", "derived base 1") { Derived().overridden(1) },
  Construct("Derived.overridden(_:)", "derived base 1") { Derived().overridden(1) },
  Construct("Base.slowlyOverridden(_:)", "derived base 1") { await Derived().slowlyOverridden(1) },
  Construct("Derived.slowlyOverridden(_:)", "derived base 1") { await Derived().slowlyOverridden(1) },
  Construct("Base.nothing()", "2") {
    let it = Base()
    it.nothing()
    return "\(it.value)"
  },
  Construct("Base.noParameters()", "none") { Base().noParameters() },
  Construct("Base.greet(_:)", "hello you") { (Base() as any Greeter).greet("you") },
  Construct("Base.labels(_:to:in:for:)", "1btrue") { Base().labels(1, to: "b", in: true, for: 2) },
  Construct("Base.quoted(class:repeat:)", "6") { Base().quoted(class: 2, repeat: 3) },
  Construct("Base.wrapped(n:)", "6") { Base().wrapped(n: 3) },
  Construct("Base.defaults(_:b:)", "5b") { Base().defaults() },
  Construct("Base.variadic(_:)", "[1, 2, 3]") { Base().variadic(1, 2, 3) },
  Construct("Base.changes(_:by:)", "5") {
    var n = 2
    Base().changes(&n, by: 3)
    return "\(n)"
  },
  Construct("Base.escaping(_:)", "2") { Base().escaping { $0 + 1 } },
  Construct("Base.closure(_:_:)", "4") { Base().closure(3) { $0 + 1 } },
  Construct("Base.optionalClosure(_:)", "2") { Base().optionalClosure { $0 + 1 } },
  Construct("Base.auto(_:)", "3") { Base().auto(1 + 2) },
  Construct("Base.fails(_:)", "1") { try Base().fails(1) },
  Construct("Base.fails(_:)", "some") {
    do { return try Base().fails(-1) } catch { return "\(error)" }
  },
  Construct("Base.failsTyped(_:)", "some") {
    do throws(Trouble) { return try Base().failsTyped(-1) } catch { return "\(error)" }
  },
  Construct("Base.passesErrorsOn(_:_:)", "2", isBracket: true) { Base().passesErrorsOn(1) { $0 + 1 } },
  Construct("Base.passesErrorsOn(_:_:)", "other", isBracket: true) {
    do { return try Base().passesErrorsOn(1) { _ in throw Trouble.other } } catch { return "\(error)" }
  },
  Construct("Base.tuple(_:)", "(a: 1, b: \"x\")") { "\(Base().tuple((1, "x")))" },
  Construct("Base.optional(_:)", "Optional(2)") { "\(Base().optional(1) as Any)" },
  Construct("Base.implicit(_:)", "1") { "\(Base().implicit(1) as Int)" },
  Construct("Base.existential(_:)", "7") { "\(Base().existential(7))" },
  Construct("Base.some(_:)", "7") { Base().some(7) },
  Construct("Base.opaque(_:)", "7") { "\(Base().opaque(7))" },
  Construct("Base.generic(_:)", "7") { Base().generic(7) },
  Construct("Base.metatype(_:)", "Int") { Base().metatype(Int.self) },
  Construct("Base.oneExpression(_:)", "plus") { Base().oneExpression(1) },
  Construct("Base.recursive(_:)", "3", count: 4) { "\(Base().recursive(3))" },
  Construct("Base.shadows(slot:original:arguments:)", "6") {
    Base().shadows(slot: 1, original: 2, arguments: 3)
  },
  Construct("Base.early(_:)", "early 2") {
    let it = Base()
    return it.early(0) + " \(it.value)"
  },
  Construct("Base.hidden(_:)", "3") { Base().callHidden() },
  Construct("Base.waits(_:)", "3") { await Base().waits(2) },
  Construct("Base.waitsAndFails(_:)", "2") { try await Base().waitsAndFails(2) },
  Construct("Base.waitsAndFails(_:)", "some") {
    do { return try await Base().waitsAndFails(-2) } catch { return "\(error)" }
  },
  Construct("Base.waitsAndChanges(_:)", "2") {
    var n = 1
    await Base().waitsAndChanges(&n)
    return "\(n)"
  },
  Construct("Base.onMain(_:)", "main 1") { await MainActor.run { Base().onMain(1) } },
  Construct("Base.onMainWaiting(_:)", "main 1") { await callOnMain() },
  Construct("Base.inner(_:)", "3") { Base().local(2) },
  Construct("Base.fixed(_:)", "s3") { await Base().inTask(3) },
  Construct("Value.init(count:)", "3", isBracket: true) { "\(Value(count: 3).count)" },
  Construct("Value.init(positive:)", "nil", isBracket: true) { "\(Value(positive: -1) as Any)" },
  Construct("Value.add(_:)", "3") {
    var it = Value(count: 1)
    it.add(2)
    return "\(it.count)"
  },
  Construct("Value.addAndTell(_:)", "3 3") {
    var it = Value(count: 1)
    let told = it.addAndTell(2)
    return "\(told) \(it.count)"
  },
  Construct("Value.plus(_:)", "3") { "\(Value(count: 1).plus(Value(count: 2)).count)" },
  Construct("Value.+(_:_:)", "3") { "\((Value(count: 1) + Value(count: 2)).count)" },
  Construct("Value.own()", "1") { "\(Value(count: 1).own().count)" },
  Construct("Choice.name()", "B") { Choice.b.name() },
  Construct("Counter.increase(by:)", "2") { "\(await Counter().increase(by: 2))" },
  Construct("Counter.increaseLater(by:)", "2") { "\(await Counter().increaseLater(by: 2))" },
  Construct("Counter.label()", "counter") { Counter().label() },
  Construct("View.tap(_:)", "2") { await MainActor.run { "\(View().tap(2))" } },
  Construct("Pair.swapped()", "a 1") {
    let it = Pair(first: 1, second: "a").swapped()
    return "\(it.first) \(it.second)"
  },
  Construct("Pair.replace(_:)", "2") {
    var it = Pair(first: 1, second: "a")
    it.replace(2)
    return "\(it.first)"
  },
  Construct("Pair.make(_:_:)", "1") { "\(Pair.make(1, "a").first)" },
  Construct("Array.middle(_:)", "3") { "\([1, 2, 3].middle(1))" },
  Construct("Shape.describe(_:)", "n4") { Square().describe("n") },
  Construct("Base.inExtension(_:)", "x1") { Base().inExtension(1) },
  Construct("free(_:label:)", "a1") { free(1, label: "a") },
  Construct("freeWaiting(_:)", "1") { try await freeWaiting(1) },
  Construct("isolatedTo(_:_:)", "2") { "\(await isolatedTo(Counter(), 2))" },
  Construct("Base.nonsending(_:)", "1") { await Base().nonsending(1) },
  Construct("Base.concurrent(_:)", "1") { await Base().concurrent(1) },
  Construct("Base.sendingClosure(_:)", "2") { await Base().sendingClosure { $0 + 1 } },
]

@MainActor private func callOnMain() async -> String { await Base().onMainWaiting(1) }

extension WeavingSuites {
  @Suite("Woven Swift functions")
  struct ConstructTests {
    private let registry = InterceptionRegistry.shared

    @Test("A woven function does the same without advice, with it, and after it", arguments: constructs)
    func advised(_ construct: Construct) async throws {
      let problems = ownProblems.count
      #expect(try await construct.call() == construct.result)

      let before = Atomic(0)
      let around = Atomic(0)
      let after = Atomic(0)
      let pointcut = Pointcut.named(construct.pointcut) && .where { $0.name.module == "WeavingTests" }
      var requests: [AdviceRequest] = [
        .dynamic(.before, pointcut) { _ in before.add(1, ordering: .relaxed) },
        .dynamic(.after, pointcut) { _ in after.add(1, ordering: .relaxed) },
      ]
      if !construct.isBracket {
        requests.append(
          .around(
            pointcut,
            { invocation in
              around.add(1, ordering: .relaxed)
              try invocation.proceed()
            },
            async: { _, proceed in
              around.add(1, ordering: .relaxed)
              await proceed()
            }))
      }
      let tokens = try registry.add(requests)
      #expect(try await construct.call() == construct.result)
      #expect(before.load(ordering: .relaxed) == construct.count)
      #expect(around.load(ordering: .relaxed) == (construct.isBracket ? 0 : construct.count))
      #expect(after.load(ordering: .relaxed) == construct.count)

      for token in tokens { #expect(token.remove()) }
      #expect(try await construct.call() == construct.result)
      #expect(before.load(ordering: .relaxed) == construct.count)
      #expect(ownProblems.count == problems)
    }
  }
}
