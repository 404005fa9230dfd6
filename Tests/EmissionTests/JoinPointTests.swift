import Foundation
import Testing

@Suite("Join points of C and C++ behave as the functions they are, advised or not")
struct JoinPointTests {
  /// A compiler and an optimisation level.
  static let builds = Compiler.all.flatMap { compiler in ["-O0", "-O2"].map { (compiler, $0) } }

  @Test("Without a runtime every join point goes idle on its first call", arguments: builds)
  func alone(_ compiler: Compiler, _ level: String) throws {
    let scratch = try Scratch()
    try scratch.compile(
      compiler, [level, Sources.fixture("methods.c"), Sources.fixture("program.c"), "-o", "program"])
    let outcome = try scratch.run([scratch.path("program")])
    #expect(outcome.status == 0)
    let expected = try String(contentsOfFile: Sources.fixture("methods.expected"), encoding: .utf8)
    #expect(outcome.output.split(separator: "\n").sorted() == expected.split(separator: "\n").sorted())
  }

  @Test("A plugin links against nothing of ours and finds the runtime of its process", arguments: builds)
  func plugin(_ compiler: Compiler, _ level: String) throws {
    let scratch = try Scratch()
    let fixture = compiler.compilesCXX ? "values.cpp" : "methods.c"
    try scratch.compile(
      compiler,
      [
        level, "-fPIC", "-shared", "-Wl,-z,defs", "-fvisibility=hidden", Sources.fixture(fixture), "-o",
        "plugin.so",
      ])
    let host = try #require(Compiler.forC.first)
    try scratch.compile(host, [Sources.fixture("host.c"), "-o", "bare"])
    try scratch.compile(
      host,
      ["-fexceptions", Sources.fixture("host.c"), Sources.fixture("fake_runtime.c"), "-o", "host"])
    let plugin = scratch.path("plugin.so")

    let bare = try scratch.run([scratch.path("bare"), plugin])
    #expect(bare.status == 0)
    #expect(bare.output == "")
    let count = compiler.compilesCXX ? 12 : 14
    let calls = compiler.compilesCXX ? 24 : 36
    let idle = try scratch.run([scratch.path("host"), plugin])
    #expect(idle.output == "resolved \(count), dispatched 0\n")
    #expect(idle.status == 0)
    let advised = try scratch.run([scratch.path("host"), plugin], environment: ["FAKE_ADVICE": "all"])
    #expect(advised.output == "resolved \(count), dispatched \(calls)\n")
    #expect(advised.status == 0)
    guard !compiler.compilesCXX else { return }
    let one = try scratch.run(
      [scratch.path("host"), plugin], environment: ["FAKE_ADVICE": "add:to:", "FAKE_TRACE": "1"])
    #expect(one.output == "before M.add:to:\nbefore M.add:to:\nresolved 14, dispatched 2\n")
  }

  @Test("musl, dynamic and static, with and without a runtime", .enabled(if: find("musl-gcc") != nil))
  func musl() throws {
    let scratch = try Scratch()
    let musl = Compiler(name: "musl-gcc", path: try #require(find("musl-gcc")))
    for link in [[], ["-static"]] {
      try scratch.compile(
        musl, link + ["-O2", Sources.fixture("methods.c"), Sources.fixture("program.c"), "-o", "bare"])
      let bare = try scratch.run([scratch.path("bare")])
      #expect(bare.status == 0)
      #expect(bare.output.matches(of: /idle/).count == 14)
      try scratch.compile(
        musl,
        link
          + ["-O2", "methods.c", "program.c", "fake_runtime.c"]
          .map { $0.hasSuffix(".c") ? Sources.fixture($0) : $0 } + ["-o", "full"])
      let full = try scratch.run([scratch.path("full")], environment: ["FAKE_ADVICE": "all"])
      #expect(full.status == 0)
      #expect(full.output.matches(of: /advised/).count == 14)
    }
  }

  @Test("C++ types are described and destroyed as they must be", arguments: Compiler.forCXX)
  func values(_ compiler: Compiler) throws {
    let scratch = try Scratch()
    try scratch.write("#include \"\(Sources.fixture("program.c"))\"\n", to: "program.cpp")
    try scratch.compile(compiler, [Sources.fixture("values.cpp"), "program.cpp", "-o", "program"])
    let outcome = try scratch.run([scratch.path("program")])
    #expect(outcome.status == 0)
    let expected = try String(contentsOfFile: Sources.fixture("values.expected"), encoding: .utf8)
    #expect(outcome.output.split(separator: "\n").sorted() == expected.split(separator: "\n").sorted())
  }

  @Test("A damaged note is passed over and the runtime behind it found")
  func damagedNote() throws {
    let scratch = try Scratch()
    let compiler = try #require(Compiler.forC.first)
    // A note whose description would reach far beyond its segment, one of a foreign owner, one too short.
    try scratch.write(
      """
      __asm__(
          "\\t.pushsection .note.annot.before,\\"a\\",%note\\n\\t.balign 4\\n"
          "\\t.long 6, 0, 3\\n\\t.ascii \\"annot\\\\0\\"\\n\\t.balign 4\\n"
          "\\t.long 6, 4, 3\\n\\t.ascii \\"other\\\\0\\"\\n\\t.balign 4\\n\\t.long 0x7fffffff\\n"
          "\\t.popsection\\n"
          "\\t.pushsection .note.zzz,\\"a\\",%note\\n\\t.balign 8\\n"
          "\\t.long 6, 0x7ffffff0, 3\\n\\t.ascii \\"annot\\\\0\\"\\n\\t.balign 8\\n"
          "\\t.popsection\\n");

      """, to: "damaged.c")
    try scratch.compile(
      compiler,
      ["damaged.c"] + ["methods.c", "program.c", "fake_runtime.c"].map(Sources.fixture) + ["-o", "program"])
    let outcome = try scratch.run([scratch.path("program")], environment: ["FAKE_ADVICE": "all"])
    #expect(outcome.status == 0)
    #expect(outcome.output.matches(of: /advised/).count == 14)
  }

  #if arch(x86_64)
    @Test(
      "Unadvised, a call is one load and one branch more than the plain function", arguments: Compiler.all)
    func fastPath(_ compiler: Compiler) throws {
      let objdump = try #require(find("objdump"))
      let scratch = try Scratch()
      try scratch.write(
        """
        #include <annot/joinpoint.h>
        #ifdef __cplusplus
        extern "C" {
        #endif
        int plain(int a, int b);
        int plain(int a, int b) { return a * 3 + b; }
        ANNOT_METHOD_NAMED(int, woven, A, woven, (int, a), (int, b)) { return a * 3 + b; }
        #ifdef __cplusplus
        }
        #endif

        """, to: "a.c")
      try scratch.compile(compiler, ["-O2", "-fPIC", "-fcf-protection=none", "-c", "a.c", "-o", "a.o"])
      let listing = try scratch.run([objdump, "-d", "-r", "--no-show-raw-insn", "a.o"]).output
      let plain = instructions(of: "plain", in: listing)
      let woven = instructions(of: "woven", in: listing)
      let jumps = woven.filter { $0.hasPrefix("j") }
      #expect(jumps.count == 1, "\(woven)")
      #expect(jumps.first?.hasPrefix("jne") == true, "\(woven)")
      #expect(woven.filter { $0.contains("(%rip)") }.count == 1, "\(woven)")
      #expect(woven.count <= plain.count + 3, "\(woven)")
      #expect(!woven.contains { $0.hasPrefix("call") || $0.hasPrefix("push") || $0.hasPrefix("sub") })
    }

    /// The instructions of a function up to its return.
    private func instructions(of function: String, in listing: String) -> [String] {
      let lines = listing.split(separator: "\n", omittingEmptySubsequences: false)
      guard let start = lines.firstIndex(where: { $0.hasSuffix("<\(function)>:") }) else { return [] }
      var found: [String] = []
      for line in lines[(start + 1)...] {
        let parts = line.split(separator: "\t")
        guard parts.count >= 2, parts[0].hasSuffix(":") else { continue }
        if parts[1].contains("R_X86_64") { continue }
        found.append(parts[1].trimmingCharacters(in: .whitespaces))
        if found.last?.hasPrefix("ret") == true { break }
      }
      return found
    }
  #endif
}
