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

@Suite("Selector patterns")
struct SelectorPatternTests {
  private func matches(_ pattern: String, _ actual: String, isStatic: Bool = false) -> Bool {
    withText(pattern) { pattern in
      withText(actual) { annot_selector_matches_pattern(pattern, $0, isStatic) }
    }
  }

  @Test(
    "match in each spelling, with a star for any text",
    arguments: [
      ("transfer*", "transfer"), ("transfer*", "transferAll(_:to:)"), ("*", "transfer"), ("*", "init(name:)"),
      ("*fer", "transfer(_:)"), ("t*s*r", "transfer"), ("t**r", "transfer"), ("*ab", "aab"), ("*aab", "aaab"),
      ("transfer(*)", "transfer(_:to:)"), ("transfer(*)", "transfer()"), ("transfer(_:*)", "transfer:to:"),
      ("transfer(*:)", "transfer:to:"), ("transfer:*", "transfer(_:to:)"),
      ("transfer:t*:", "transfer(_:to:)"),
      ("transfer*:to:", "transferAll(_:to:)"), ("transfer*(_:to:)", "transferAll:to:"),
      ("*(_:_:)", "pay::"), ("*(_:_:)", "*(_:_:)"), ("transfer", "transfer(_:to:)"),
    ])
  func match(pattern: String, actual: String) { #expect(matches(pattern, actual)) }

  @Test(
    "do not match what the text around the stars is not",
    arguments: [
      ("transfer*", "transfe"), ("*fer", "ferry"), ("t*s*x", "transfer"), ("a*a", "a"), ("", "transfer"),
      ("*", ""), ("transfer(_:*)", "transfer(to:)"), ("transfer(*:)", "transfer()"),
      ("transfer*:to:", "transfer(_:from:)"), ("*to:", "transfer(_:to:)"), ("*:", "transfer(_:to:)"),
      ("Transfer*", "transfer"),
    ])
  func differ(pattern: String, actual: String) { #expect(!matches(pattern, actual)) }

  @Test("take a sign in front of a star")
  func signs() {
    #expect(matches("+*", "open(_:)", isStatic: true) && !matches("+*", "open(_:)", isStatic: false))
    #expect(matches("-o*n", "open(_:)", isStatic: false) && !matches("-o*n", "open(_:)", isStatic: true))
  }

  @Test("give up in time that grows with the product of the lengths")
  func longText() {
    let text = String(repeating: "a", count: 2000)
    #expect(!matches(String(repeating: "a*", count: 500) + "b", text))
    #expect(matches(String(repeating: "a*", count: 500), text))
  }

  @Test("star in class and module; a plain target's star is a character")
  func targets() {
    func target(_ pattern: [String], _ actual: [String]) -> (pattern: Bool, plain: Bool) {
      withText(pattern[0]) { module in
        withText(pattern[1]) { cls in
          withText(pattern[2]) { sel in
            withText(actual[0]) { actualModule in
              withText(actual[1]) { actualCls in
                withText(actual[2]) {
                  var wanted = annot_target(module: module, cls: cls, sel: sel, is_static: false)
                  var name = annot_target(module: actualModule, cls: actualCls, sel: $0, is_static: false)
                  return (
                    annot_target_matches_pattern(&wanted, &name), annot_target_matches(&wanted, &name)
                  )
                }
              }
            }
          }
        }
      }
    }
    #expect(target(["*", "Shop.*", "pay*"], ["Store", "Shop.Account", "payAll(_:)"]) == (true, false))
    #expect(target(["Sto*", "*", "*"], ["Store", "Shop.Account", "pay"]) == (true, false))
    #expect(target(["C*", "*", "*"], ["OC", "R", "jump"]) == (true, false))
    #expect(target(["Store", "Shop.*", "pay"], ["Store", "Shop", "pay"]) == (false, false))
    #expect(target(["X*", "*", "*"], ["Store", "Shop", "pay"]) == (false, false))
    #expect(target(["C", "R", "jump"], ["C", "R", "jump(_:)"]) == (true, true))
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
