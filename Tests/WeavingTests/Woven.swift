// One function of every construct that can be woven; ConstructTests calls each with and without advice.

import Interception

enum Trouble: Error, Equatable { case some, other }

@propertyWrapper struct Doubled {
  var wrappedValue: Int
  init(wrappedValue: Int) { self.wrappedValue = 2 * wrappedValue }
}

protocol Greeter {
  func greet(_ name: String) -> String
}

class Base: Greeter {
  var value = 1
  init() {}
  @JoinPoint func instance(_ n: Int) -> String { "\(value + n)" }
  @JoinPoint static func fixed(_ n: Int) -> String { "s\(n)" }
  @JoinPoint class func perClass(_ n: Int) -> String { "\(Self.self) \(n)" }
  @JoinPoint func overridden(_ n: Int) -> String { "base \(n)" }
  @JoinPoint func slowlyOverridden(_ n: Int) async -> String { "base \(n)" }
  @JoinPoint func nothing() { value += 1 }
  @JoinPoint func noParameters() -> String { "none" }
  @JoinPoint func greet(_ name: String) -> String { "hello \(name)" }
  @JoinPoint func labels(_ a: Int, to b: String, `in` c: Bool, for _: Int) -> String { "\(a)\(b)\(c)" }
  @JoinPoint func quoted(`class`: Int, `repeat` times: Int) -> String { "\(`class` * times)" }
  @JoinPoint func wrapped(@Doubled n: Int) -> String { "\(n)" }
  @JoinPoint func defaults(_ a: Int = 5, b: String = "b") -> String { "\(a)\(b)" }
  @JoinPoint func variadic(_ values: Int...) -> String { "\(values)" }
  @JoinPoint func changes(_ n: inout Int, by m: Int) { n += m }
  @JoinPoint func escaping(_ body: @escaping (Int) -> Int) -> String { "\(body(1))" }
  @JoinPoint func closure(_ n: Int, _ body: (Int) -> Int) -> String { "\(body(n))" }
  @JoinPoint func optionalClosure(_ body: ((Int) -> Int)?) -> String { "\(body?(1) ?? 0)" }
  @JoinPoint func auto(_ value: @autoclosure () -> Int) -> String { "\(value())" }
  @JoinPoint func fails(_ n: Int) throws -> String {
    if n < 0 { throw Trouble.some }
    return "\(n)"
  }
  @JoinPoint(fallback: "") func failsTyped(_ n: Int) throws(Trouble) -> String {
    if n < 0 { throw .some }
    return "\(n)"
  }
  @JoinPoint func passesErrorsOn(_ n: Int, _ body: (Int) throws -> Int) rethrows -> String {
    "\(try body(n))"
  }
  @JoinPoint func tuple(_ pair: (Int, String)) -> (a: Int, b: String) { (pair.0, pair.1) }
  @JoinPoint func optional(_ n: Int?) -> Int? { n.map { $0 + 1 } }
  @JoinPoint func implicit(_ n: Int) -> Int! { n }
  @JoinPoint func existential(_ value: any CustomStringConvertible) -> any CustomStringConvertible { value }
  @JoinPoint func some(_ value: some CustomStringConvertible) -> String { value.description }
  @JoinPoint func opaque(_ n: Int) -> some CustomStringConvertible { n }
  @JoinPoint func generic<T: CustomStringConvertible>(_ value: T) -> String { value.description }
  @JoinPoint func metatype(_ type: Any.Type) -> String { "\(type)" }
  @JoinPoint func oneExpression(_ n: Int) -> String { if n > 0 { "plus" } else { "minus" } }
  @JoinPoint func recursive(_ n: Int) -> Int { n == 0 ? 0 : 1 + recursive(n - 1) }
  @JoinPoint func shadows(slot: Int, original: Int, arguments: Int) -> String {
    let WovenCall = slot + original + arguments
    return "\(WovenCall)"
  }
  @JoinPoint func early(_ n: Int) -> String {
    defer { value += 1 }
    guard n > 0 else { return "early" }
    return "late"
  }
  @JoinPoint fileprivate func hidden(_ n: Int) -> String { "\(n)" }
  func callHidden() -> String { hidden(3) }
  @JoinPoint func waits(_ n: Int) async -> String {
    await Task.yield()
    return "\(n + value)"
  }
  @JoinPoint func waitsAndFails(_ n: Int) async throws -> String {
    await Task.yield()
    if n < 0 { throw Trouble.some }
    return "\(n)"
  }
  @JoinPoint func waitsAndChanges(_ n: inout Int) async { n += 1 }
  @MainActor @JoinPoint func onMain(_ n: Int) -> String { "main \(n)" }
  @MainActor @JoinPoint func onMainWaiting(_ n: Int) async -> String {
    MainActor.assertIsolated()
    await Task.yield()
    MainActor.assertIsolated()
    return "main \(n)"
  }
  func local(_ n: Int) -> String {
    @JoinPoint func inner(_ m: Int) -> String { "\(m + n)" }
    return inner(1)
  }
  func inTask(_ n: Int) async -> String { await Task { Base.fixed(n) }.value }
}

final class Derived: Base {
  override init() { super.init() }
  @JoinPoint override func overridden(_ n: Int) -> String { "derived " + super.overridden(n) }
  @JoinPoint override func slowlyOverridden(_ n: Int) async -> String {
    "derived " + (await super.slowlyOverridden(n))
  }
}

struct Value: Equatable {
  var count = 0
  @JoinPoint init(count: Int) { self.count = count }
  @JoinPoint init?(positive: Int) {
    guard positive > 0 else { return nil }
    count = positive
  }
  @JoinPoint mutating func add(_ n: Int) { count += n }
  @JoinPoint mutating func addAndTell(_ n: Int) -> Int {
    count += n
    return count
  }
  @JoinPoint func plus(_ other: Value) -> Value { Value(count: count + other.count) }
  @JoinPoint static func + (a: Value, b: Value) -> Value { a.plus(b) }
  @JoinPoint func own() -> Self { self }
}

enum Choice {
  case a, b
  @JoinPoint func name() -> String {
    switch self {
    case .a: "A"
    case .b: "B"
    }
  }
}

actor Counter {
  var count = 0
  @JoinPoint func increase(by n: Int) -> Int {
    count += n
    return count
  }
  @JoinPoint func increaseLater(by n: Int) async -> Int {
    await Task.yield()
    count += n
    return count
  }
  @JoinPoint nonisolated func label() -> String { "counter" }
}

@MainActor final class View {
  var count = 0
  @JoinPoint func tap(_ n: Int) -> Int {
    count += n
    return count
  }
}

struct Pair<First, Second> {
  var first: First
  var second: Second
  @JoinPoint func swapped() -> Pair<Second, First> { Pair<Second, First>(first: second, second: first) }
  @JoinPoint mutating func replace(_ first: First) { self.first = first }
  @JoinPoint static func make(_ first: First, _ second: Second) -> Self { Pair(first: first, second: second) }
}

extension Array {
  @JoinPoint func middle(_ offset: Int) -> Element { self[count / 2 + offset] }
}

protocol Shape { var sides: Int { get } }
extension Shape {
  @JoinPoint(generic: true) func describe(_ prefix: String) -> String { prefix + "\(sides)" }
}
struct Square: Shape { var sides: Int { 4 } }

extension Base {
  @JoinPoint func inExtension(_ n: Int) -> String { "x\(n)" }
}

@JoinPoint func free(_ n: Int, label: String) -> String { label + "\(n)" }
@JoinPoint func freeWaiting(_ n: Int) async throws -> String { "\(n)" }
@JoinPoint func isolatedTo(_ actor: isolated Counter, _ n: Int) -> Int { n }

extension Base {
  @JoinPoint nonisolated(nonsending) func nonsending(_ n: Int) async -> String { "\(n)" }
  @JoinPoint @concurrent func concurrent(_ n: Int) async -> String { "\(n)" }
  @JoinPoint func sendingClosure(_ body: @escaping @Sendable (Int) async -> Int) async -> String {
    "\(await body(1))"
  }
}
