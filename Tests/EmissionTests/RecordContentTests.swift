import Foundation
import Testing

@Suite("Records hold what was written")
struct RecordContentTests {
  /// How a record can get into the section.
  static let forms = [[], ["-DANNOT_USE_ASM"]]

  @Test(
    "Each kind and type of member, in each form, at both ends of optimisation",
    arguments: Compiler.all, forms)
  func everyKind(_ compiler: Compiler, _ form: [String]) throws {
    let scratch = try Scratch()
    let expected = try String(contentsOfFile: Sources.fixture("every_kind.expected"), encoding: .utf8)
      .split(separator: "\n").map(String.init).sorted()
    for level in ["-O0", "-O2"] {
      try scratch.compile(
        compiler, form + ["-DANNOT_NO_SOURCE", level, "-c", Sources.fixture("every_kind.c"), "-o", "a.o"])
      #expect(try SectionReader(path: scratch.path("a.o")).records == expected)
    }
  }

  @Test("Each number of arguments", arguments: Compiler.all)
  func everyArity(_ compiler: Compiler) throws {
    let scratch = try Scratch()
    try scratch.write(Arities.source.text, to: "arities.c")
    try scratch.compile(compiler, ["-DANNOT_NO_SOURCE", "-c", "arities.c", "-o", "a.o"])
    #expect(try SectionReader(path: scratch.path("a.o")).records == Arities.source.records)
  }

  @Test("A needlogin record is exactly its members, in their order, and a NUL", arguments: Compiler.all)
  func exactBytes(_ compiler: Compiler) throws {
    let scratch = try Scratch()
    try scratch.write("#include <annot.h>\n\nANNOTATE_NEEDLOGIN(Router, open:with:, C);\n", to: "a.c")
    try scratch.compile(compiler, ["-c", "a.c", "-o", "a.o"])
    let sections = try SectionReader(path: scratch.path("a.o")).sections.filter { $0.name == "annot" }
    let record =
      #"{"kind":"needlogin","cls":"Router","sel":"open:with:","module":"C","file":"a.c","line":3}"# + "\0"
    #expect(sections.contains { Array($0.contents) == Array(record.utf8) })
    // Allocated, not writable, retained; not aligned apart from its neighbours.
    for section in sections {
      #expect(section.flags & 0x7 == 0x2)
      #expect(section.flags & 0x200000 != 0)
      #expect(section.alignment == 1)
    }
  }

  @Test("Two macros on one line, and one in a header of two files, are two records and one")
  func duplicates() throws {
    let scratch = try Scratch()
    try scratch.write("#include <annot.h>\nANNOTATE(shared, ANNOT_NAME(k, v));\n", to: "shared.h")
    try scratch.write(
      "#include \"shared.h\"\nANNOTATE(a); ANNOTATE(b);\nint main(void) { return 0; }\n", to: "a.c")
    try scratch.write("#include \"shared.h\"\n", to: "b.c")
    let compiler = try #require(Compiler.forC.first)
    try scratch.compile(compiler, ["a.c", "b.c", "-o", "a"])
    #expect(
      Set(try SectionReader(path: scratch.path("a")).records) == [
        #"{"kind":"a","file":"a.c","line":2}"#, #"{"kind":"b","file":"a.c","line":2}"#,
        #"{"kind":"shared","k":"v","file":"shared.h","line":2}"#,
      ])
  }

  @Test("Unity builds, precompiled headers and prefix maps keep every record", arguments: Compiler.all)
  func builds(_ compiler: Compiler) throws {
    let scratch = try Scratch()
    try scratch.write("#include <annot.h>\nANNOTATE(in_header);\n", to: "pre.h")
    try scratch.write("#include \"pre.h\"\nANNOTATE(first);\n", to: "a.c")
    try scratch.write("#include <annot.h>\nANNOTATE(second);\n", to: "b.c")
    try scratch.write("#include \"a.c\"\n#include \"b.c\"\n", to: "unity.c")
    let expected = ["first", "in_header", "second"].map { "{\"kind\":\"\($0)\"}" }
    let options = ["-DANNOT_NO_SOURCE", "-DANNOT_USE_ASM"]

    try scratch.compile(compiler, options + ["-c", "unity.c", "-o", "unity.o"])
    #expect(try SectionReader(path: scratch.path("unity.o")).records == expected)

    let header = ["-x", compiler.compilesCXX ? "c++-header" : "c-header"]
    let built = try scratch.run(
      [compiler.path, Sources.include] + options + header + ["pre.h", "-o", "pre.h.pch"])
    #expect(built.status == 0, "\(built.output)")
    if compiler.isClang {
      try scratch.compile(compiler, options + ["-include-pch", "pre.h.pch", "-c", "unity.c", "-o", "p.o"])
    } else {
      try FileManager.default.moveItem(atPath: scratch.path("pre.h.pch"), toPath: scratch.path("pre.h.gch"))
      try scratch.compile(compiler, options + ["-c", "unity.c", "-o", "p.o"])
    }
    #expect(
      Set(try SectionReader(path: scratch.path("p.o")).records).isSuperset(of: [
        "{\"kind\":\"first\"}", "{\"kind\":\"second\"}", "{\"kind\":\"in_header\"}",
      ]))

    try scratch.compile(
      compiler, ["-ffile-prefix-map=\(scratch.directory.path)=src", "-c", scratch.path("b.c"), "-o", "m.o"])
    let records = try SectionReader(path: scratch.path("m.o")).records
    #expect(records == [#"{"kind":"second","file":"src/b.c","line":2}"#])
  }

  @Test("A file name with a quote and a backslash is escaped", arguments: Compiler.all)
  func strangeFileName(_ compiler: Compiler) throws {
    let scratch = try Scratch()
    try scratch.write("#include <annot.h>\nANNOTATE(odd);\n", to: "o\"d\\d.c")
    try scratch.compile(compiler, ["-c", "o\"d\\d.c", "-o", "a.o"])
    let records = try SectionReader(path: scratch.path("a.o")).records
    #expect(records == [#"{"kind":"odd","file":"o\"d\\d.c","line":2}"#])
  }

  @Test("Disabled macros leave nothing", arguments: Compiler.all)
  func disabled(_ compiler: Compiler) throws {
    let scratch = try Scratch()
    for fixture in ["every_kind.c", "methods.c"] {
      try scratch.compile(compiler, ["-DANNOT_DISABLE", "-c", Sources.fixture(fixture), "-o", "a.o"])
      let sections = try SectionReader(path: scratch.path("a.o")).sections
      #expect(!sections.contains { $0.name.contains("annot") })
    }
  }

  @Test("The module's name can be set", arguments: Compiler.all)
  func moduleName(_ compiler: Compiler) throws {
    let scratch = try Scratch()
    try scratch.write(
      """
      #include <annot.h>
      #include <annot/joinpoint.h>
      ANNOTATE_ROOT_CLASS(A);
      ANNOT_METHOD(void, A, m) {}

      """,
      to: "a.c")
    try scratch.compile(
      compiler, ["-DANNOT_MODULE_NAME=Shop", "-DANNOT_NO_SOURCE", "-c", "a.c", "-o", "a.o"])
    #expect(
      try SectionReader(path: scratch.path("a.o")).records == [
        #"{"kind":"class","cls":"A","module":"Shop"}"#,
        #"{"kind":"joinpoint","cls":"A","sel":"m","module":"Shop"}"#,
      ])
  }

  @Test("Every scope of C++ keeps its records", arguments: Compiler.forCXX, ["-O0", "-O2"])
  func scopes(_ compiler: Compiler, _ level: String) throws {
    let scratch = try Scratch()
    try scratch.compile(
      compiler, ["-DANNOT_NO_SOURCE", level, Sources.fixture("scopes.cpp"), "-o", "a"])
    let places = [
      "class_template", "extern_c", "file", "function_template", "inline_function", "lambda", "method",
      "shop", "unnamed",
    ]
    let records = Set(try SectionReader(path: scratch.path("a")).records)
    #expect(records == Set(places.map { "{\"kind\":\"scope\",\"at\":\"\($0)\"}" }))
  }
}

extension Scratch {
  /// Compiles with the strict flags and expects no word from the compiler.
  func compile(_ compiler: Compiler, _ arguments: [String]) throws {
    let sources = arguments.contains { $0.hasSuffix(".c") } ? compiler.language : []
    let outcome = try run([compiler.path] + Sources.strict + sources + arguments)
    try #require(outcome.status == 0, "\(arguments): \(outcome.output)")
    #expect(outcome.output == "")
  }
}
