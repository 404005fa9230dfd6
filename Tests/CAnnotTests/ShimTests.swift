import Glibc
import Testing

@Suite(
  "Calls of a shim's function are advised, and what was changed is restored",
  .disabled(if: Machine.isForeign, "it links with this machine\'s tools"))
struct ShimTests {
  @Test(
    "With no, partial and full RELRO, PIE and not, lazily bound and not, with and without a linkage table",
    arguments: ["gcc", "clang"])
  func matrix(_ compiler: String) throws {
    let shims = try ShimProgram()
    let folder = shims.workshop.folder
    let archive = try RuntimeProgram.archive.get()
    let run = try Run(
      """
      cd '\(folder)'; count=0
      for place in '-fPIE -pie' '-fno-pie -no-pie'; do for table in '' -fno-plt; do
      \(compiler) -std=c11 -O2 ${place% *} $table \(Workshop.headers) -c \
      '\(Workshop.root)/Tests/RuntimePrograms/shims.c' -o shims.o || exit
      for relro in norelro relro; do for bind in lazy now; do for linker in bfd gold; do
      test $linker$table = gold-fno-plt && continue; test $linker = gold && test "${place#* }" = -no-pie && continue
      \(compiler) -fuse-ld=$linker ${place#* } -rdynamic -Wl,-z,$relro -Wl,-z,$bind shims.o -o shims \
      -Wl,--whole-archive '\(archive)' -Wl,--no-whole-archive -L . -lthing -Wl,-rpath,'\(folder)' -lelf -pthread || exit
      got=$(timeout 20 ./shims entries advise call 1 2 call 1 2 twice 3 unadvise entries call 1 2 | grep -v '^entry same')
      count=$((count + 1))
      test "$got" = "$(printf 'call 103\\ncall 103\\ncall 106\\ncall 3')" ||
        echo "$place $table $relro $bind $linker: $got"
      done; done; done; done; done
      echo "$count done"
      """)
    #expect(run.output == "20 done\n", "\(run.output)")
  }

  @Test("The original stays callable: never, once and twice")
  func proceeding() throws {
    let shims = try ShimProgram()
    let run = try Run("'\(shims.build())' proceed call 1 2 advise call 1 2 unadvise unadvise call 1 2")
    #expect(run.calls == ["4", "204", "3"], "\(run.output)")
  }

  @Test("Advice comes and goes in any order, and entries are as they were before, bound or not")
  func restored() throws {
    let shims = try ShimProgram()
    let run = try Run(
      """
      '\(shims.build())' entries advise log call 1 2 unadvise call 1 2 unadvise entries \
      call 1 2 entries advise unadvise entries
      """)
    #expect(run.calls == ["before", "103", "103", "3"], "\(run.output)")
    // The pointer in data, and the entry until it is bound by the first call without advice.
    #expect(run.lines("entry").prefix(4) == ["same", "same", "same", "same"], "\(run.output)")
  }

  @Test("The address that is taken meanwhile is the shim's, which goes on to work when it is not advised")
  func address() throws {
    let shims = try ShimProgram()
    let run = try Run("'\(shims.build())' advise take 1 2 take 1 2 unadvise take 1 2")
    #expect(run.calls.first == "103 other", "\(run.output)")
    #expect(run.calls.last?.hasPrefix("3 ") == true, "\(run.output)")
  }

  @Test("A child after fork advises and restores on its own")
  func forked() throws {
    let shims = try ShimProgram()
    let run = try Run(
      "'\(shims.build())' entries advise fork call 1 2 unadvise call 1 2 entries advise call 1 2")
    #expect(run.calls == ["103", "3", "103"], "\(run.output)")
    #expect(!run.lines("entry").contains("changed"), "\(run.output)")
  }

  @Test("Two shims of one function are both run, and each of two of the same name in one")
  func two() throws {
    let shims = try ShimProgram()
    let sum = try shims.shimLibrary("sum", sel: "sum")
    let same = try shims.shimLibrary("same")
    let program = try shims.build()
    let run = try Run(
      """
      '\(program)' entries open '\(sum)' open '\(same)' advise other sum call 1 2 unadvise call 1 2 \
      other sum call 1 2 unadvise unadvise call 1 2 entries
      """)
    #expect(run.calls == ["before", "103", "103", "before", "103", "3"], "\(run.output)")
    let reversed = try Run(
      "'\(program)' entries open '\(sum)' other sum advise call 1 2 unadvise call 1 2 unadvise call 1 2 entries"
    )
    #expect(reversed.calls == ["before", "103", "before", "3", "3"], "\(reversed.output)")
    #expect(!(run.lines("entry") + reversed.lines("entry")).contains("changed"))
  }

  @Test("Calls from C++, with classes by value and by reference, and of mangled functions")
  func cxx() throws {
    let shims = try ShimProgram()
    try shims.workshop.write(
      """
      #include <string>
      namespace shop { std::string join(std::string a, const std::string &b) { return a + b; } }
      """, to: "shop.cpp")
    try shims.workshop.write(
      """
      #include <annot/advice.h>
      #include <annot/joinpoint.h>
      #include <cstdio>
      #include <string>
      namespace shop { std::string join(std::string a, const std::string &b); }
      ANNOT_SHIM(std::string, Shop, join, _ZN4shop4joinENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKS5_,
          (std::string, a), (const std::string &, b));
      extern "C" int thing_add(int, int);
      namespace inner { ANNOT_SHIM(int, Thing, add, thing_add, (int, a), (int, b)); }
      static void around(annot_invocation *invocation, void *) {
        *static_cast<std::string *>(annot_invocation_argument(invocation, 0)) += "long enough to be on the heap";
        annot_invocation_proceed(invocation);
        *static_cast<std::string *>(annot_invocation_result(invocation)) += "!";
      }
      static void add(annot_invocation *invocation, void *) {
        *static_cast<int *>(annot_invocation_argument(invocation, 0)) += 100;
      }
      int main() {
        annot_advice advice{};
        advice.cls = "Shop"; advice.sel = "join"; advice.position = ANNOT_AROUND; advice.function = around;
        annot_error error{};
        const annot_advice_id join = annot_advise(&advice, &error);
        if (!join) std::puts(error.detail);
        advice.cls = "Thing"; advice.sel = "add"; advice.position = ANNOT_BEFORE; advice.function = add;
        const annot_advice_id sum = annot_advise(&advice, nullptr);
        std::puts(shop::join("a ", " b").c_str());
        std::printf("%d\\n", thing_add(1, 2));
        annot_unadvise(join);
        annot_unadvise(sum);
        std::puts(shop::join("a", "b").c_str());
        std::printf("%d\\n", thing_add(1, 2));
      }
      """, to: "main.cpp")
    let folder = shims.workshop.folder
    let archive = try RuntimeProgram.archive.get()
    for compiler in ["g++", "clang++"] {
      let run = try Run(
        """
        cd '\(folder)' && \(compiler) -shared -fPIC -O1 shop.cpp -o libshop.so && \(compiler) -std=c++17 -O1 \
        -Wall -Wextra -Werror -fsanitize=undefined \(Workshop.headers) main.cpp -o main -L . -lshop -lthing -Wl,-rpath,'\(folder)' \
        -Wl,--whole-archive '\(archive)' -Wl,--no-whole-archive -lelf -pthread && timeout 20 ./main
        """)
      #expect(run.output == "a long enough to be on the heap b!\n103\nab\n3\n", "\(compiler): \(run.output)")
    }
  }

  @Test("Calls from Swift")
  func swift() throws {
    let shims = try ShimProgram()
    let folder = shims.workshop.folder
    try shims.workshop.write(
      """
      int thing_add(int a, int b);
      void advise(void);
      void unadvise(void);
      """, to: "header.h")
    try shims.workshop.write(
      """
      #include <annot/advice.h>
      #include <annot/joinpoint.h>
      #include "header.h"
      ANNOT_SHIM(int, Thing, add, thing_add, (int, a), (int, b));
      static annot_advice_id id;
      static void add(annot_invocation *invocation, void *context) {
        (void)context;
        *(int *)annot_invocation_argument(invocation, 0) += 100;
      }
      void advise(void) {
        const annot_advice advice = {.cls = "Thing", .sel = "add", .position = ANNOT_BEFORE, .function = add};
        id = annot_advise(&advice, NULL);
      }
      void unadvise(void) { annot_unadvise(id); }
      """, to: "shim.c")
    try shims.workshop.write(
      "advise()\nprint(thing_add(1, 2), [1, 2].map { thing_add($0, 0) })\nunadvise()\nprint(thing_add(1, 2))\n",
      to: "main.swift")
    let run = try Run(
      """
      cd '\(folder)' && cc -std=c11 -O1 -fPIC \(Workshop.headers) -c shim.c && swiftc -O -import-objc-header header.h \
      main.swift shim.o -o main -L . -lthing -Xlinker -rpath -Xlinker '\(folder)' \
      -Xlinker --whole-archive '\(RuntimeProgram.archive.get())' -Xlinker --no-whole-archive -lelf && timeout 20 ./main
      """)
    #expect(run.output == "103 [101, 102]\n3\n", "\(run.output)")
  }

  @Test("Unadvised, nothing of ours is on the way: the entry holds the function")
  func unadvised() throws {
    let shims = try ShimProgram()
    let run = try Run("'\(shims.build())' entries call 1 2 hook refresh entries take 1 2")
    #expect(run.calls.first == "3", "\(run.output)")
    #expect(run.lines("entry").filter { $0 == "changed" }.count <= 1, "\(run.output)")
  }

  @Test(
    "A page that cannot be made writable is said, and one that cannot be restored does no harm and is tried again"
  )
  func protected() throws {
    let shims = try ShimProgram()
    // Of the program alone, as the library has its entry elsewhere.
    let program = try shims.build("NO_POINTER", flags: "-pie -rdynamic -Wl,-z,relro,-z,now")
    let refused = try Run(
      "'\(program)' entries fail protect 1 advise report call 1 2 refresh call 1 2 unadvise entries")
    #expect(refused.verdicts(on: "shims") == [Verdict.reached], "\(refused.output)")
    let kept = try Run(
      "'\(program)' entries advise fail protect 1 unadvise call 1 2 entries refresh entries call 1 2")
    #expect(kept.calls == ["3", "3"], "\(kept.output)")
    #expect(kept.lines("entry") == ["same", "changed", "same"], "\(kept.output)")
  }

  @Test("Without memory advice is refused and nothing is changed, whichever allocation fails")
  func memory() throws {
    let shims = try ShimProgram()
    for call in ["allocate", "map"] {
      let run = try Run("'\(shims.build())' entries exhaust \(call) entries call 1 2")
      #expect(run.calls == ["3"], "\(run.output)")
      #expect(!run.lines("entry").contains("changed"), "\(run.output)")
      #expect(run.lines("failures").first.flatMap { Int($0) }.map { $0 > 0 } == true, "\(run.output)")
    }
  }
}
