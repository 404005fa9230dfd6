import Testing

@Suite("The headers are free of warnings in every language mode")
struct HeaderWarningsTests {
  @Test("All macros compile without a warning", arguments: Mode.all)
  func compilesCleanly(_ mode: Mode) throws {
    let scratch = try Scratch()
    // The largest source only at both ends of each language's history.
    let ends = ["c99", "c2x", "c++11", "c++2b"]
    let arities = try scratch.write(Arities.source.text, to: "arities.c")
    let sources =
      (ends.contains(mode.standard) ? [arities] : []) + ["every_kind.c", "methods.c", "system_headers.c"].map(Sources.fixture)
      + (mode.compiler.compilesCXX ? [Sources.fixture("scopes.cpp")] : [])
    let outcome = try scratch.run(
      [mode.compiler.path] + mode.compiler.language + ["-std=\(mode.standard)", "-fsyntax-only"]
        + Sources.strict + sources)
    #expect(outcome.status == 0)
    #expect(outcome.output == "")
  }

  @Test(
    "Disabled, or without places, or in the other form, they compile without a warning too",
    arguments: Compiler.all, ["ANNOT_DISABLE", "ANNOT_NO_SOURCE", "ANNOT_USE_ASM"])
  func compilesCleanly(_ compiler: Compiler, _ define: String) throws {
    let scratch = try Scratch()
    let arities = try scratch.write(Arities.source.text, to: "arities.c")
    let outcome = try scratch.run(
      [compiler.path] + compiler.language + ["-fsyntax-only", "-D" + define] + Sources.strict
        + [arities] + ["every_kind.c", "methods.c"].map(Sources.fixture))
    #expect(outcome.status == 0)
    #expect(outcome.output == "")
  }

  @Test("Swift's importer takes them without a warning and keeps no record of theirs")
  func importsIntoSwift() throws {
    let swiftc = try #require(find("swiftc"))
    let scratch = try Scratch()
    let header = "#include <annot.h>\n#include <annot/joinpoint.h>\nANNOTATE(header, ANNOT_NAME(k, v));\n"
    try scratch.write(header, to: "shim.h")
    try scratch.write("module Shim { header \"shim.h\" export * }\n", to: "module.modulemap")
    try scratch.write("import Shim\nprint(ANNOT_JOINPOINT_STATIC)\n", to: "main.swift")
    let outcome = try scratch.run(
      [
        swiftc, "-warnings-as-errors", "-I", scratch.directory.path, "-Xcc", Sources.include,
        "-Xcc", Sources.include.replacing("CAnnot", with: "CAnnotRecords"), "main.swift",
      ])
    #expect(outcome.status == 0)
    #expect(outcome.output == "")
    #expect(try SectionReader(path: scratch.path("main")).records == [])
  }
}
