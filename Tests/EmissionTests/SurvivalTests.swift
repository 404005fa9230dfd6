import TestSupport
import Testing

@Suite("Records survive linking and the notes lead to them")
struct SurvivalTests {
  @Test("The small cut of the matrix keeps every record", .enabled(if: find("bash") != nil))
  func smallMatrix() throws {
    let scratch = try Scratch()
    let outcome = try scratch.run(
      [try #require(find("bash")), Sources.package.appendingPathComponent("scripts/matrix").path, "--small"],
      environment: ["ANNOT": try builtExecutable("annot")])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains(" 0 fail;"), "\(outcome.output)")
  }

  @Test("A header that annotates nothing leaves nothing", arguments: Compiler.all)
  func includedOnly(_ compiler: Compiler) throws {
    let scratch = try Scratch()
    try scratch.write(
      "#include <annot.h>\n#include <annot/joinpoint.h>\nint x(void);\nint x(void) { return 0; }\n", to: "a.c"
    )
    try scratch.compile(compiler, ["-O0", "-c", "a.c", "-o", "a.o"])
    let sections = try SectionReader(path: scratch.path("a.o")).sections
    #expect(!sections.contains { $0.name.contains("annot") })
    #expect(sections.first { $0.name == ".text" }.map { $0.contents.count < 64 } != false)
  }

  @Test("An image has one note for its records and one for its join points", arguments: Compiler.all)
  func notes(_ compiler: Compiler) throws {
    let scratch = try Scratch()
    try scratch.write("#include <annot.h>\nANNOTATE(a); ANNOTATE(b);\n", to: "a.c")
    try scratch.compile(
      compiler, ["-fPIC", "-shared", "a.c", Sources.fixture("methods.c"), "-o", "a.so"])
    let notes = try SectionReader(path: scratch.path("a.so")).sections
      .filter { $0.name == ".note.annot" }.flatMap { Array($0.contents) }
    // Name length, description length, type; then "annot" and its NUL, padded to 8; then two distances.
    let header = { (type: UInt8) -> [UInt8] in
      [6, 0, 0, 0, 8, 0, 0, 0, type, 0, 0, 0] + Array("annot\0".utf8) + [0, 0]
    }
    #expect(notes.count == 56)
    #expect(Set([Array(notes[0..<20]), Array(notes[28..<48])]) == [header(1), header(2)])
  }
}
