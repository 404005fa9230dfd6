import FoundationEssentials
import TestSupport
import Testing

/// A record as a test compares it: the members that do not depend on where the sources lie.
private struct Target: Hashable, Decodable {
  var kind: String
  var cls: String
  var sel: String
  var module: String
}

private struct Line: Decodable {
  var file: String
  var record: Target
}

/// What the demo's sources declare, by hand.
private let declared: [String: Set<Target>] = [
  "annot-demo": [
    Target(kind: "needlogin", cls: "ShopController", sel: "checkout(cart:)", module: "annot_demo"),
    Target(kind: "joinpoint", cls: "ShopController", sel: "checkout(cart:)", module: "annot_demo"),
    Target(kind: "joinpoint", cls: "ShopController", sel: "price(of:discount:)", module: "annot_demo"),
    Target(kind: "needlogin", cls: "Router", sel: "open", module: "C"),
    Target(kind: "joinpoint", cls: "Router", sel: "open", module: "C"),
    Target(kind: "joinpoint", cls: "Router", sel: "price", module: "C"),
  ],
  "libShopPlugin.so": [
    Target(kind: "needlogin", cls: "GiftCard", sel: "redeem", module: "C"),
    Target(kind: "joinpoint", cls: "GiftCard", sel: "redeem", module: "C"),
  ],
]

// The demo and annot are built with the tests, being products of the package; linking the demo into the test
// bundle would mix its records with others.
@Suite("The demo")
struct DemoTests {
  @Test("It tells its story to the end")
  func story() throws {
    let result = try run(builtExecutable("annot-demo"))
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.hasSuffix("\nAll as told.\n"))
    #expect(result.output.contains("The C call went on by itself and opened orders/7."))
  }

  @Test("Started by the loader, it still finds its own annotations")
  func startedByLoader() throws {
    let loader = "/lib64/ld-linux-x86-64.so.2"
    guard FileManager.default.isExecutableFile(atPath: loader) else { return }
    let result = try run(loader, [try builtExecutable("annot-demo")])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test(
    "annot dump prints exactly the annotations that the sources declare, in this build configuration",
    arguments: declared.keys.sorted())
  func dump(_ name: String) throws {
    let path = "\(builtProductsDirectory())/\(name)"
    let result = try run(builtExecutable("annot"), ["dump", "--format", "jsonl", path])
    #expect(result.status == 0)
    let lines = try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(Set(lines.map(\.record)) == declared[name])
    #expect(lines.count == declared[name]?.count)
  }

  @Test("The registry of the running demo and annot dump of its files agree record for record")
  func agreement() throws {
    let running = try run(builtExecutable("annot-demo"), ["--records"])
    #expect(running.status == 0, "\(running.output)\(running.errors)")
    var registered: [String: [String]] = [:]
    for line in running.output.split(separator: "\n") {
      let fields = line.split(separator: "\t", maxSplits: 1).map(String.init)
      registered[String(fields[0].split(separator: "/").last ?? ""), default: []].append(fields[1])
    }
    #expect(Set(registered.keys) == Set(declared.keys))
    for name in declared.keys {
      let path = "\(builtProductsDirectory())/\(name)"
      let dumped = try run(builtExecutable("annot"), ["dump", "--format", "jsonl", path])
      let records = dumped.output.split(separator: "\n").map { line in
        // The line's last member is the record as it stands in the file.
        String(line[line.range(of: "\"record\":")!.upperBound...].dropLast())
      }
      #expect(records == registered[name])
    }
  }
}
