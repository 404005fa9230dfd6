import Foundation
import Testing

@Suite("Shims are declared with the headers alone")
struct ShimTests {
  @Test("They compile without a warning in every language mode", arguments: Mode.all)
  func compilesCleanly(_ mode: Mode) throws {
    let scratch = try Scratch()
    let outcome = try scratch.run(
      [mode.compiler.path] + mode.compiler.language + ["-std=\(mode.standard)", "-fsyntax-only"]
        + Sources.strict + ["-Wredundant-decls", "-D_DEFAULT_SOURCE", Sources.fixture("shims.c")])
    #expect(outcome.status == 0)
    #expect(outcome.output == "")
  }

  @Test("Disabled they leave nothing", arguments: Compiler.all)
  func disabled(_ compiler: Compiler) throws {
    let scratch = try Scratch()
    try scratch.compile(compiler, ["-DANNOT_DISABLE", "-c", Sources.fixture("shims.c"), "-o", "a.o"])
    let sections = try SectionReader(path: scratch.path("a.o")).sections.map(\.name)
    #expect(!sections.contains { $0.hasPrefix("annot") }, "\(sections)")
  }

  @Test("Each leaves a record that names the symbol", arguments: Compiler.all)
  func records(_ compiler: Compiler) throws {
    let scratch = try Scratch()
    try scratch.write(
      "#include <annot/joinpoint.h>\n\nANNOT_SHIM(int, Output, print:, puts, (const char *, text));\n",
      to: "a.c")
    try scratch.compile(compiler, ["-c", "a.c", "-o", "a.o"])
    #expect(
      try SectionReader(path: scratch.path("a.o")).records == [
        #"{"kind":"joinpoint","cls":"Output","sel":"print:","module":"C","symbol":"puts","file":"a.c","line":3}"#
      ])
  }

  @Test("A library with a shim asks for no symbol of ours, nor for the function", arguments: Compiler.all)
  func alone(_ compiler: Compiler) throws {
    let readelf = try #require(find("readelf"))
    let scratch = try Scratch()
    try scratch.write(
      "#include <annot/joinpoint.h>\nANNOT_SHIM(int, Shop, none, shop_none);\n", to: "a.c")
    try scratch.compile(
      compiler, ["-O2", "-fPIC", "-shared", "-Wl,-z,defs", "-Wl,--gc-sections", "a.c", "-o", "a.so"])
    let symbols = try scratch.run([readelf, "-W", "--dyn-syms", "a.so"]).output
    let undefined = symbols.split(separator: "\n").filter { $0.contains(" UND ") }
    #expect(!undefined.contains { $0.contains("annot") || $0.contains("shop") }, "\(undefined)")
    #expect(try SectionReader(path: scratch.path("a.so")).records.count == 1)
  }
}
