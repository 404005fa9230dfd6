import Aspects
import Glibc
import Synchronization
import TestSupport
import Testing
import ThreadSupport

/// Never logged in, and never answers.
private struct NobodySession: LoginSession {
  var isLoggedIn: Bool { false }
  func requestLogin(_ answer: @escaping @Sendable (LoginAnswer) -> Void) {}
}

/// Builds a library with a gated function `vault_open` and a counter of its runs.
private func buildLibrary(in directory: TemporaryDirectory, constructor: String = "") throws -> String {
  let headers =
    String(#filePath.dropLast("Tests/AspectsTests/LoadedLibraryTests.swift".count)) + "Sources/CAnnot/include"
  let source = try directory.write(
    Array(
      """
      #include <annot.h>
      #include <annot/joinpoint.h>
      static int runs;
      int vault_runs(void) { return __atomic_load_n(&runs, __ATOMIC_RELAXED); }
      ANNOTATE_NEEDLOGIN(LateVault, open, C);
      ANNOT_METHOD_NAMED(void, vault_open, LateVault, open, (int, who)) {
        (void)who;
        __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
      }
      \(constructor)
      """.utf8), to: "vault.c")
  let library = directory.path + "/vault.so"
  #expect(system("cc -shared -fPIC -Wl,-z,defs -I '\(headers)' -o '\(library)' '\(source)'") == 0)
  return library
}

private typealias Open = @convention(c) (CInt) -> Void
private typealias Runs = @convention(c) () -> CInt

extension GateSuites {
  @Suite("Gated functions of libraries opened later")
  struct LoadedLibraryTests {
    private func withGate(_ body: (LoginGate) throws -> Void) throws {
      let gate = LoginGate(session: NobodySession())
      try gate.install()
      defer { gate.uninstall() }
      try body(gate)
    }

    @Test("A call from the library's own constructor is stopped")
    func constructor() throws {
      try withGate { gate in
        let directory = try TemporaryDirectory()
        let library = try buildLibrary(
          in: directory,
          constructor: "__attribute__((constructor)) static void start(void) { vault_open(1); }")
        let handle = try #require(dlopen(library, RTLD_NOW))
        let runs = unsafeBitCast(dlsym(handle, "vault_runs"), to: Runs.self)
        #expect(runs() == 0)
        #expect(gate.waitingCount == 1)
      }
    }

    @Test("The first calls of eight threads at once are all stopped")
    func eightThreads() throws {
      try withGate { gate in
        for _ in 0..<10 {
          let directory = try TemporaryDirectory()
          let handle = try #require(dlopen(try buildLibrary(in: directory), RTLD_NOW))
          let runs = unsafeBitCast(dlsym(handle, "vault_runs"), to: Runs.self)
          let address = UInt(bitPattern: dlsym(handle, "vault_open"))
          let ready = Atomic(0)
          inParallel(8) { thread in
            let open = unsafeBitCast(address, to: Open.self)
            ready.add(1, ordering: .relaxed)
            while ready.load(ordering: .relaxed) < 8 {}
            open(CInt(thread))
          }
          #expect(runs() == 0)
        }
        #expect(gate.waitingCount == 80)
      }
    }

    @Test("A waiting call keeps its library loaded, and goes when the gate goes")
    func keepsLibrary() throws {
      let directory = try TemporaryDirectory()
      let library = try buildLibrary(in: directory)
      func isLoaded() -> Bool { AnnotationRegistry.shared.images.contains { $0.path == library } }
      do {
        let gate = LoginGate(session: NobodySession())
        try gate.install()
        let handle = try #require(dlopen(library, RTLD_NOW))
        unsafeBitCast(dlsym(handle, "vault_open"), to: Open.self)(1)
        #expect(gate.waitingCount == 1)
        dlclose(handle)
        #expect(isLoaded())
        gate.uninstall()
      }
      #expect(!isLoaded())
    }
  }
}
