import TestSupport
import Testing

@Suite("annot check, on compiled C")
struct CheckCompiledTests {
  private let annot: CommandRunner

  init() throws { annot = try CommandRunner() }

  /// Compiles a shared object.
  private func compile(_ source: String, _ compiler: String, strips: Bool = false) throws -> String {
    let path = annot.directory.path(of: "lib.so")
    let file = try annot.directory.write(
      "#include <annot.h>\n#include <annot/joinpoint.h>\n" + source, to: "lib.c")
    let sources = try #require(#filePath.split(separator: "/Tests/").first) + "/Sources/"
    try Toolchain.call(
      compiler,
      [
        "-shared", "-fPIC", "-I\(sources)CAnnot/include", "-I\(sources)CAnnotRecords/include", file, "-o",
        path,
      ])
    if strips { try Toolchain.call(try #require(Toolchain.find("strip")), [path]) }
    return path
  }

  private func messages(_ result: ProcessResult) -> [String] {
    result.output.split(separator: "\n").filter { $0.contains("error: ") || $0.contains("warning: ") }
      .map { String($0.split(separator: ": ", maxSplits: 1)[1]) }
  }

  @Test("tells a function that is no join point from one that is not there", arguments: Toolchain.cCompilers)
  func functions(compiler: String) throws {
    let source = """
      ANNOTATE_NEEDLOGIN(Cart, add, C);
      ANNOTATE_NEEDLOGIN(Cart, drop, C);
      ANNOTATE_NEEDLOGIN(Cart, clear, C);
      ANNOTATE(shop.cache, ANNOT_NAME(cls, Cart), ANNOT_NAME(sel, remove), ANNOT_NAME(module, C));
      ANNOTATE(shop.cache, ANNOT_NAME(cls, Cart), ANNOT_NAME(sel, removed), ANNOT_NAME(module, C));
      int Cart_add(void) { return 1; }
      __attribute__((used)) static int Cart_removed(void) { return 1; }
      ANNOT_METHOD(int, Cart, clear, (int, x)) { return x; }
      """
    let result = try annot("check", try compile(source, compiler))
    #expect(
      messages(result) == [
        "error: the function 'Cart_add' is no join point, so nothing can act on its calls [no-join-point]",
        "error: class 'Cart' has no join point 'drop' [no-join-point]",
        "warning: no function 'Cart_remove' is defined in the given files [no-symbol]",
      ])
    #expect(result.output.contains("mend: define it with ANNOT_METHOD"))
    #expect(result.output.contains("near: Cart_removed"))
    // A stripped file does not name its hidden functions.
    let stripped = try annot("check", try compile(source, compiler, strips: true))
    #expect(!stripped.output.contains("no-symbol") && stripped.output.contains("'Cart_add' is no join point"))
  }

  @Test("finds C++ functions by their mangled names")
  func mangled() throws {
    let path = annot.directory.path(of: "lib.so")
    let source = try annot.directory.write(
      """
      static const char record[] __attribute__((used, aligned(1), section("annot"))) =
        "{\\"kind\\":\\"needlogin\\",\\"cls\\":\\"shop::Cart\\",\\"sel\\":\\"add\\",\\"module\\":\\"C\\"}\\0"
        "{\\"kind\\":\\"x.y\\",\\"cls\\":\\"shop::Cart\\",\\"sel\\":\\"add\\",\\"module\\":\\"C\\"}";
      namespace shop { struct Cart { void add(int); }; void Cart::add(int) {} }
      """, to: "a.cpp")
    try Toolchain.call(try #require(Toolchain.find("g++")), ["-shared", "-fPIC", source, "-o", path])
    let result = try annot("check", path)
    #expect(result.output.contains("error: the function 'shop::Cart::add' is no join point"))
    #expect(!result.output.contains("no-symbol"))
  }

  @Test("notices annotations that a linker left in a static library")
  func staticLibrary() throws {
    let directory = annot.directory
    let compiler = try #require(Toolchain.cCompilers.first)
    let member = try directory.write(
      """
      static const char record[] __attribute__((used, retain, aligned(1), section("annot"))) = "{\\"kind\\":\\"k\\"}";
      int unused(void) { return 1; }
      """, to: "member.c")
    let program = try directory.write("int main(void) { return 0; }\n", to: "main.c")
    try Toolchain.call(compiler, ["-c", member, "-o", directory.path(of: "member.o")])
    try Toolchain.call(
      try #require(Toolchain.find("ar")), ["rc", directory.path(of: "lib.a"), directory.path(of: "member.o")])
    let path = directory.path(of: "program")
    try Toolchain.call(compiler, [program, directory.path(of: "lib.a"), "-o", path])
    let lost = try annot("check", "--expect-kind", "k=1", path)
    #expect(lost.status == 1 && lost.output.contains("-Wl,--whole-archive"))
    try Toolchain.call(
      compiler,
      [program, "-Wl,--whole-archive", directory.path(of: "lib.a"), "-Wl,--no-whole-archive", "-o", path])
    #expect(try annot("check", "--expect-kind", "k=1", path).status == 0)
  }
}

@Suite("Files that have no annotations by their nature")
struct ForeignFileTests {
  private let annot: CommandRunner

  init() throws { annot = try CommandRunner() }

  @Test(
    "are told by name, with what to try",
    arguments: [
      ("#!/bin/sh\necho\n", "not an ELF file but a script: name the program that it starts"),
      ("hello\n", "not an ELF file but a text file: name the program or library that was built"),
      ("MZ\u{1}", "not an ELF file but a PE file (Windows): build for Linux and read that"),
      ("PK\u{3}\u{4}", "not an ELF file but a compressed file or package: unpack it first"),
      (
        "/* GNU ld script */\nINPUT(libc.so.6)\n",
        "not an ELF file but a linker script: name the library that it points to"
      ),
    ])
  func told(contents: String, message: String) throws {
    let path = try annot.directory.write(contents, to: "file")
    for command in ["dump", "check"] {
      let result = try annot(command, path)
      #expect(result.errors == "annot: DIR/file: \(message)\n" && result.status == 2)
    }
  }

  @Test("Mach-O files, core files and directories too")
  func others() throws {
    let machO = try annot.directory.write([0xCF, 0xFA, 0xED, 0xFE, 0, 0, 0, 0], to: "macho")
    #expect(try annot("dump", machO).errors.contains("a Mach-O file (macOS)"))
    var core = ELFFixture(records: [])
    core.type = 4
    let path = try annot.directory.write(core.bytes, to: "core")
    #expect(
      try annot("dump", path).errors
        == "annot: DIR/core: this is a core file: read the program that dumped it\n")
    #expect(
      try annot("dump", annot.directory.path).errors
        == "annot: DIR: this is a directory: name the files in it\n")
  }
}
