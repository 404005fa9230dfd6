import Glibc
import Testing

@Suite(
  "What advice on a shim cannot catch is said, and by name",
  .disabled(if: Machine.isForeign, "it links with this machine\'s tools"))
struct ShimReportTests {
  /// The program's own run with a library of some kind.
  private func run(_ thing: String, flags: String = "", _ commands: String) throws -> Run {
    let shims = try ShimProgram(thing: thing, flags: flags)
    return try Run("'\(shims.build())' \(commands)")
  }

  @Test("Images that call it, by entry and by pointer, and that do not")
  func reached() throws {
    let run = try run(ShimProgram.thing, "advise report pointer 1 2")
    #expect(run.verdicts(on: "shims") == [Verdict.reached, Verdict.pointer], "\(run.output)")
    #expect(run.verdicts(on: "libthing.so") == [Verdict.reached])
    #expect(run.verdicts(on: "libc.so.6") == [Verdict.notImported])
    #expect(run.lines("reached") == ["2"])
    #expect(run.calls == ["3"])
  }

  @Test("Calls that were bound inside the library: -Bsymbolic, hidden, static")
  func boundInside() throws {
    let hidden = """
      __attribute__((visibility("hidden"))) int inner(int a, int b) { return a + b; }
      int thing_add(int a, int b) __attribute__((alias("inner")));
      int thing_twice(int a) { return inner(a, a); }
      """
    for (thing, flags) in [
      (ShimProgram.thing, "-Wl,-Bsymbolic"), (hidden, ""),
      (hidden.replacing("__attribute__((visibility(\"hidden\")))", with: "static"), ""),
    ] {
      let run = try run(thing, flags: flags, "advise call 1 2 twice 3 report")
      #expect(run.verdicts(on: "libthing.so") == [Verdict.boundInside], "\(run.output)")
      #expect(run.calls == ["103", "6"], "\(run.output)")
    }
  }

  /// A library whose function is an IFUNC.
  private static let ifunc = """
    static int chosen(int a, int b) { return a + b; }
    typedef int adder(int, int);
    static adder *choose(void) { return chosen; }
    int thing_add(int a, int b) __attribute__((ifunc("choose")));
    """

  @Test("IFUNCs are followed, bound or not, but for calls inside the library whose address was taken early")
  func ifunc() throws {
    let outer = Self.ifunc + "\nint thing_twice(int a) { return thing_add(a, a); }"
    for before in ["", "call 1 2", "twice 3"] {
      let run = try run(outer, "entries \(before) advise call 1 2 twice 3 unadvise advise report")
      #expect(run.calls.suffix(2) == ["103", "106"], "\(run.output)")
      #expect(run.verdicts(on: "libthing.so") == [Verdict.reached], "\(run.output)")
    }
    let inner =
      Self.ifunc + """

        extern __attribute__((visibility("hidden"))) int inner(int, int) __attribute__((alias("thing_add")));
        int thing_twice(int a) { return inner(a, a); }
        """
    let run = try run(inner, "advise call 1 2 twice 3 report")
    #expect(run.calls == ["103", "6"], "\(run.output)")
    #expect(run.verdicts(on: "libthing.so") == [Verdict.ifuncInside], "\(run.output)")
  }

  @Test("Other versions of the function are other functions")
  func versions() throws {
    let versioned = """
      int add_old(int a, int b) { return a + b + 1000; }
      int add_new(int a, int b) { return a + b; }
      __asm__(".symver add_old, thing_add@V1\\n.symver add_new, thing_add@@V2");
      int thing_twice(int a) { return add_new(a, a); }
      """
    let shims = try ShimProgram()
    try shims.workshop.write(
      "V1 { global: thing_add; local: add_*; };\nV2 { global: thing_add; thing_twice; } V1;\n", to: "map")
    try shims.library(
      "thing", versioned, flags: "-Wl,--version-script='\(shims.workshop.path("map"))'")
    let old = try shims.library(
      "old",
      """
      int old_add(int, int);
      __asm__(".symver old_add, thing_add@V1");
      int plug_add(int a, int b) { return old_add(a, b); }
      """, needs: "thing", flags: "-Wl,-z,lazy")
    let new = try shims.library("new", ShimProgram.caller, needs: "thing", flags: "-Wl,-z,lazy")
    let run = try Run(
      """
      '\(shims.build("NO_POINTER"))' open '\(new)' open '\(old)' advise call 1 2 plug plug_add 1 2 report \
      close plug plug_add 1 2
      """)
    #expect(run.calls == ["103", "1003", "103"], "\(run.output)")
    #expect(run.verdicts(on: "libold.so") == [Verdict.otherFunction])
    #expect(run.verdicts(on: "libnew.so") == [Verdict.reached])
  }

  @Test("Another library's function of the same name is another function")
  func otherLibrary() throws {
    let shims = try ShimProgram()
    // Both are private to those who opened them, so that neither hides the other.
    try shims.library("one", "int thing_add(int a, int b) { return a + b; }")
    try shims.library("two", "int thing_add(int a, int b) { return a - b; }")
    let first = try shims.library("first", ShimProgram.caller, needs: "one", flags: "-Wl,-z,now")
    let second = try shims.library("second", ShimProgram.caller, needs: "two", flags: "-Wl,-z,now")
    let lazy = try shims.library("lazy", ShimProgram.caller, needs: "two", flags: "-Wl,-z,lazy")
    let program = try shims.build("NO_THING")
    let run = try Run(
      """
      '\(program)' open '\(lazy)' open '\(second)' open '\(first)' advise plug plug_add 1 2 close plug plug_add 1 2 \
      close plug plug_add 1 2 report
      """)
    // What the first opened calls cannot be told before its first call, so the second decides.
    #expect(run.calls == ["3", "99", "-1"], "\(run.output)")
    let report = try Run(
      "'\(program)' open '\(lazy)' open '\(second)' open '\(first)' advise report plug plug_add 1 2")
    #expect(report.verdicts(on: "liblazy.so") == [Verdict.unbound], "\(report.output)")
    #expect(
      Set(report.verdicts(on: "libsecond.so") + report.verdicts(on: "libfirst.so"))
        == [Verdict.reached, Verdict.otherFunction], "\(report.output)")
  }

  @Test("A weak call of a function that nobody defines is left alone")
  func weak() throws {
    let shims = try ShimProgram()
    let weak = try shims.library(
      "weak",
      """
      __attribute__((weak)) int thing_add(int, int);
      int plug_add(int a, int b) { return thing_add ? thing_add(a, b) : -1; }
      """)
    let program = try shims.build("NO_THING")
    let run = try Run("'\(program)' open '\(weak)' wait plug plug_add 1 2 report")
    #expect(run.calls == ["-1"], "\(run.output)")
    #expect(run.verdicts(on: "libweak.so") == [Verdict.undefined])
    #expect(run.lines("reached") == ["0"])
  }

  @Test("Advice on a shim that no image calls is refused with the symbol and the images, and leaves no trace")
  func unknown() throws {
    let run = try run(ShimProgram.thing, "entries other missing released entries report")
    let message = try #require(run.lines("refused").first)
    #expect(
      message.hasPrefix(
        "10 no image imports thing_that_is_nowhere, so its shim is never called; looked at shims "),
      "\(message)")
    #expect(message.contains(" libthing.so "))
    // The context stays the caller's.
    #expect(run.lines("released") == ["0"])
    #expect(run.lines("reached") == ["0"])
    #expect(!run.lines("entry").contains("changed"))
  }

  @Test("A function linked into the program is no call of another library: refused, and why")
  func linkedIn() throws {
    let shims = try ShimProgram()
    let object = shims.workshop.path("thing.o")
    try shell("gcc -O1 -fPIE -c '\(shims.workshop.path("thing")).c' -o '\(object)'")
    let exported = try Run("'\(shims.build(needs: "'\(object)'"))' advise wait call 1 2 report")
    #expect(
      exported.lines("refused").first?.hasPrefix(
        "10 no call of thing_add can be led to its shim: shims: it defines the symbol; ") == true,
      "\(exported.output)")
    #expect(exported.calls == ["3"])
    #expect(exported.verdicts(on: "shims") == [Verdict.boundInside])
    let hidden = try Run("'\(shims.build(needs: "'\(object)'", flags: "-pie"))' advise call 1 2")
    #expect(
      hidden.lines("refused").first?.hasPrefix("10 no image imports thing_add, ") == true, "\(hidden.output)")
  }

  @Test(
    "In a program that is linked statically no call can be caught, and it says so",
    .enabled(if: ["libelf.a", "libz.a", "libzstd.a"].allSatisfy(RuntimeProgram.hasArchive)),
    arguments: ["-static -no-pie", "-static-pie"])
  func linkedStatically(_ flags: String) throws {
    let shims = try ShimProgram()
    let object = shims.workshop.path("thing.o")
    try shell("gcc -O1 -fPIE -c '\(shims.workshop.path("thing")).c' -o '\(object)'")
    let program = try shims.build(needs: "'\(object)' -lelf -lz -lzstd", flags: flags)
    let run = try Run("'\(program)' advise wait call 1 2 report")
    #expect(
      run.lines("refused").first?.contains("it has no dynamic symbols: it is linked statically") == true,
      "\(run.output)")
    #expect(run.calls == ["3"])
    #expect(run.verdicts(on: "shims") == [Verdict.linkedStatically])
  }
}
