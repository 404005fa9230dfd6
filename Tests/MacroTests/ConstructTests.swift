import Aspects
import FoundationEssentials
import TestSupport
import Testing

@Suite("Records of Swift macros")
struct ConstructTests {
  /// kind, cls, sel, and `+` for a static member.
  private static let annotations: Set<String> = [
    "shape Shape -", "shape Shape area", "needlogin Shape plain()", "needlogin Shape labels(_:to:in:)",
    "needlogin Shape +shared()", "needlogin Shape change()", "track Shape init(size:)",
    "needlogin Shape hidden()", "needlogin Shape repeat()", "needlogin Shape over(_:)",
    "needlogin Shape generic(_:)", "needlogin Shape both(a:)", "track Shape both(a:)",
    "needlogin Shape ++(_:_:)", "needlogin Shape slow()",
    "needlogin Shape.Inner nested()", "needlogin Shape.Inner.Deep deeper()", "needlogin Shape extended()",
    "needlogin Shape.Inner extendedInner()", "needlogin Screen +typeMethod()", "needlogin Screen isolated()",
    "box Box -", "needlogin Box open()", "needlogin Named show()", "needlogin - free(at:)",
    "track - buy(item:for:)",
  ]

  /// What the macros make a join point of: all but types, properties and what `#annotation` names.
  private static let joinPoints: Set<String> = Set(
    annotations.compactMap { line in
      let words = line.split(separator: " ", maxSplits: 1)
      guard words[0] == "needlogin" || words[0] == "track", !line.contains("Box"), !line.contains("Named")
      else {
        return nil
      }
      return "joinpoint \(words[1])"
    } + ["joinpoint Shape point()"])
  private static let expected = annotations.union(joinPoints)

  private var records: [AnnotationRecord] {
    AnnotationRegistry.shared.records.filter { $0.module == "MacroTests" }
  }

  @Test("Every construct leaves its record in the running program, none more and none less")
  func everyConstruct() {
    let found = records.map { "\($0.kind) \($0.cls ?? "-") \($0.isStatic ? "+" : "")\($0.sel ?? "-")" }
    #expect(Set(found) == Self.expected)
    // The two overloads have one name and two lines, each with two records.
    #expect(found.count == Self.expected.count + 2)
    #expect(
      records.allSatisfy { $0.file?.hasSuffix("MacroTests/Constructs.swift") == true && $0.line != nil })
    #expect(records.allSatisfy { $0.isCanonical })
  }

  @Test("Members are written with their JSON types")
  func members() throws {
    let shape = try #require(records.first { $0.kind == "shape" && $0.sel == nil })
    #expect(
      shape.json.contains(#""cost":3,"rate":-0.5,"is":true,"text":"quote \" backslash \\ tab \u0009 é""#))
    let bought = try #require(records.first { $0.kind == "track" && $0.sel == "buy(item:for:)" })
    #expect(bought.json.contains(#""event":"bought","parameters":["item","price"]"#))
    let shared = try #require(records.first { $0.kind == "needlogin" && $0.sel == "shared()" })
    #expect(shared.json.contains(#""static":true,"role":"admin""#))
  }

  @Test("The line is the attribute's own")
  func line() throws {
    let path = String(#filePath.dropLast("ConstructTests.swift".count)) + "Constructs.swift"
    let lines = try text(ofFile: path).split(separator: "\n", omittingEmptySubsequences: false)
    let plain = try #require(records.first { $0.sel == "plain()" })
    let line = try #require(plain.line)
    #expect(lines[line - 1].contains("@NeedLogin func plain()"))
  }

  @Test("annot dump finds the same records in the file")
  func dump() throws {
    let bundle = try #require(records.first).source.image
    let result = try run(builtExecutable("annot"), ["dump", "--format", "jsonl", bundle])
    let found = result.output.split(separator: "\n").filter { $0.contains(#""module":"MacroTests""#) }
    #expect(found.count == records.count)
  }
}
