import CAnnotRecords
import Testing

@Suite("Selectors")
struct SelectorTests {
  private func matches(_ wanted: String, _ actual: String, isStatic: Bool = false) -> Bool {
    withText(wanted) { wanted in withText(actual) { annot_selector_matches(wanted, $0, isStatic) } }
  }

  @Test(
    "match in each spelling of one thing",
    arguments: [
      ("transfer", "transfer(_:to:)"), ("transfer", "transfer:to:"), ("transfer", "transfer"),
      ("transfer", "transfer()"),
      ("transfer(_:to:)", "transfer:to:"), ("transfer:to:", "transfer(_:to:)"),
      ("transfer(:to:)", "transfer(_:to:)"),
      ("pay()", "pay"), ("pay(for:)", "pay(for:)"), ("init(name:)", "init(name:)"), ("==(_:_:)", "==(_:_:)"),
      ("-(_:_:)", "-(_:_:)"), ("+", "+(_:_:)"), ("größe(_:)", "größe:"),
    ])
  func match(wanted: String, actual: String) { #expect(matches(wanted, actual)) }

  @Test(
    "do not match another name or other labels",
    arguments: [
      ("transfer", "transfers"), ("transfers", "transfer"), ("Transfer", "transfer"),
      ("transfer(_:to:)", "transfer(_:)"),
      ("transfer:to:", "transfer:to:for:"), ("transfer:to:", "transfer:from:"),
      ("transfer(_:to:)", "transfer"),
      ("transfer()", "transfer(_:)"), ("pay(for:)", "pay:"), ("", "transfer"), ("transfer", ""),
      ("transfer(", "transfer"),
    ])
  func differ(wanted: String, actual: String) { #expect(!matches(wanted, actual)) }

  @Test("tell static from instance methods by their sign")
  func signs() {
    for spelling in ["open", "open(_:)", "open:"] {
      #expect(matches(spelling, "open(_:)", isStatic: true))
      #expect(matches(spelling, "open(_:)", isStatic: false))
      #expect(matches("+" + spelling, "open(_:)", isStatic: true))
      #expect(!matches("+" + spelling, "open(_:)", isStatic: false))
      #expect(!matches("-" + spelling, "open(_:)", isStatic: true))
      #expect(matches("-" + spelling, "open(_:)", isStatic: false))
    }
    #expect(matches("+open", "+open"))
    #expect(!matches("-open", "+open"))
  }
}

@Suite("Targets")
struct TargetTests {
  private typealias Name = (module: String?, cls: String?, sel: String)

  private func matches(_ wanted: Name, _ actual: Name) -> Bool {
    func withTarget<R>(_ name: Name, _ body: (annot_target) -> R) -> R {
      withText(name.module) { module in
        withText(name.cls) { cls in
          withText(name.sel) { body(annot_target(module: module, cls: cls, sel: $0, is_static: false)) }
        }
      }
    }
    return withTarget(wanted) { wanted in
      withTarget(actual) { actual in
        var (wanted, actual) = (wanted, actual)
        return annot_target_matches(&wanted, &actual)
      }
    }
  }

  @Test("match on the module only when both give one, with OC read as C")
  func modules() {
    #expect(matches(("C", "R", "jump"), ("C", "R", "jump")))
    #expect(matches((nil, "R", "jump"), ("C", "R", "jump")))
    #expect(matches(("C", "R", "jump"), (nil, "R", "jump")))
    #expect(matches(("OC", "R", "jump"), ("C", "R", "jump")))
    #expect(matches(("C", "R", "jump"), ("OC", "R", "jump")))
    #expect(!matches(("Shop", "R", "jump"), ("C", "R", "jump")))
  }

  @Test("match on the whole class name")
  func classes() {
    #expect(matches((nil, "shop::Cart", "add"), (nil, "shop::Cart", "add")))
    #expect(!matches((nil, "Cart", "add"), (nil, "shop::Cart", "add")))
    #expect(!matches((nil, "R", "jump"), (nil, nil, "jump")))
    #expect(matches((nil, nil, "jump"), (nil, nil, "jump")))
  }
}
