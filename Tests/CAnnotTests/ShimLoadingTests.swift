import Testing

@Suite(
  "Shims, and libraries that come and go",
  .disabled(if: Machine.isForeign, "it links with this machine\'s tools"))
struct ShimLoadingTests {
  private let shims: ShimProgram
  private let caller: String

  init() throws {
    shims = try ShimProgram()
    caller = try shims.library("caller", ShimProgram.caller, needs: "thing", flags: "-Wl,-z,relro,-z,now")
  }

  @Test(
    "Calls of a library opened later are caught from the next look for changes on",
    arguments: ["hook", "refresh", "log"])
  func openedLater(_ look: String) throws {
    let run = try Run(
      "'\(shims.build())' advise open '\(caller)' plug plug_add 1 2 \(look) plug plug_add 1 2")
    #expect(run.calls.filter { $0 != "before" } == ["3", "103"], "\(run.output)")
  }

  @Test("Closing a library whose calls are led leaves nothing, and opening it again begins anew")
  func closed() throws {
    let run = try Run(
      """
      '\(shims.build())' entries open '\(caller)' advise plug plug_add 1 2 close loaded '\(caller)' open '\(caller)' \
      plug plug_add 1 2 hook refresh plug plug_add 1 2 close unadvise call 1 2 open '\(caller)' plug plug_add 1 2 entries
      """)
    #expect(run.calls == ["103", "3", "103", "3", "3"], "\(run.output)")
    #expect(run.lines("loaded") == ["no"])
  }

  @Test("A library with a shim is kept loaded from the first advice on, not before")
  func keptShim() throws {
    let shim = try shims.shimLibrary("shim")
    let run = try Run(
      """
      '\(shims.build("NO_SHIM"))' entries open '\(shim)' close loaded '\(shim)' open '\(shim)' advise close \
      loaded '\(shim)' call 1 2 unadvise call 1 2 loaded '\(shim)' entries
      """)
    #expect(run.lines("loaded") == ["no", "yes", "yes"], "\(run.output)")
    #expect(run.calls == ["103", "3"], "\(run.output)")
    #expect(!run.lines("entry").contains("changed"))
  }

  @Test("Advice that waits for a shim meets it when its library has been opened")
  func waiting() throws {
    let shim = try shims.shimLibrary("shim")
    let run = try Run(
      """
      '\(shims.build("NO_SHIM"))' advise call 1 2 open '\(shim)' refresh call 1 2 close call 1 2 unadvise call 1 2
      """)
    #expect(run.calls == ["3", "103", "103", "3"], "\(run.output)")
  }

  @Test("The library that defines the function stays while calls may be led to it through the shim")
  func keptOriginal() throws {
    let thing = shims.workshop.path("libthing.so")
    let run = try Run(
      """
      '\(shims.build("NO_THING"))' open '\(caller)' advise plug plug_add 1 2 close loaded '\(thing)' \
      unadvise loaded '\(thing)' open '\(caller)' plug plug_add 1 2
      """)
    #expect(run.calls == ["103", "3"], "\(run.output)")
    #expect(run.lines("loaded") == ["yes", "no"])
  }

  @Test(
    "A library's constructor that waits for a thread's first call, while shims are advised, waits not for ever"
  )
  func constructor() throws {
    let waits = try shims.library(
      "waits",
      """
      #include <annot/joinpoint.h>
      #include <pthread.h>
      ANNOT_METHOD(int, Waits, run, (int, a)) { return a; }
      int thing_add(int, int);
      static void *run(void *context) { *(int *)context = Waits_run(thing_add(1, 2)); return 0; }
      static int got;
      __attribute__((constructor)) static void start(void) {
        pthread_t thread;
        pthread_create(&thread, 0, run, &got);
        pthread_join(thread, 0);
      }
      int plug_add(int a, int b) { return got + thing_add(a, b); }
      """, needs: "thing")
    let shim = try shims.shimLibrary("shim")
    // The shim of the library opened before is new, too, and waits for the next call that may pin it.
    let run = try Run(
      """
      timeout 20 '\(shims.build("NO_SHIM"))' advise open '\(shim)' open '\(waits)' plug plug_add 1 2 refresh \
      plug plug_add 1 2
      """)
    #expect(run.calls == ["6", "106"], "\(run.output)")
    #expect(run.status == 0)
  }
}

@Suite("Shims and threads, in C", .disabled(if: Machine.isForeign, "it links with this machine\'s tools"))
struct ShimThreadTests {
  @Test(
    "Each call finds its way while advice and libraries come and go, also by the sanitizers' judgement",
    arguments: [("", "lazy"), ("-fsanitize=thread", "lazy"), ("-fsanitize=address,undefined", "now")])
  func stress(_ sanitizer: String, _ binding: String) throws {
    let shims = try ShimProgram()
    let folder = shims.workshop.folder
    // ThreadSanitizer takes the last byte of a name whose length is a multiple of 8 for a race in the loader.
    let caller = try shims.library(
      folder.count % 8 == 7 ? "calls" : "call", ShimProgram.caller, needs: "thing",
      flags: "-Wl,-z,relro,-z,\(binding)")
    let archive = try RuntimeProgram.archive(under: sanitizer)
    try shell(
      """
      gcc -std=gnu11 -O1 -g \(sanitizer) \(Workshop.headers) -o '\(folder)/stress' \
      '\(Workshop.root)/Tests/RuntimePrograms/shim_stress.c' -Wl,--whole-archive '\(archive)' -Wl,--no-whole-archive -L '\(folder)' -lthing \
      -Wl,-rpath,'\(folder)',-z,relro,-z,\(binding) -lelf -pthread
      """)
    let run = try Run("timeout -k 5 100 '\(folder)/stress' 200 '\(caller)'")
    #expect(run.output.contains(" 0 wrong, 0 missed, 0 contexts left\n"), "\(run.output)")
    #expect(!run.output.contains("Sanitizer"), "\(run.output)")
    #expect(run.status == 0)
  }

  @Test("A child forked at any moment adds and removes advice itself")
  func forks() throws {
    let shims = try ShimProgram()
    let program = try RuntimeProgram.build(
      "shim_stress", in: shims.workshop,
      libraries: "-L '\(shims.workshop.folder)' -lthing -Wl,-rpath,'\(shims.workshop.folder)' -lelf")
    let run = try Run("timeout -k 5 100 '\(program)' 500")
    #expect(run.output.contains(" 0 wrong, 0 missed, 0 contexts left\n"), "\(run.output)")
  }
}
