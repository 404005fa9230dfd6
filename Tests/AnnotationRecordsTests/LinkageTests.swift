import CAnnotRecords
import CAnnotRecords.Testing
import Glibc
import TestSupport
import Testing

@Suite("The file reader, on what linkers leave")
struct LinkageTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private final class Names {
    var all: Set<String> = []
  }

  /// The names of the symbols that a file defines, and whether it was stripped.
  private func symbols(of path: String) throws -> (names: Set<String>, hasTable: Bool) {
    let names = Names()
    var options = annot_file_options()
    options.symbol = { name, context in
      Unmanaged<Names>.fromOpaque(context!).takeUnretainedValue().all.insert(String(cString: name!))
    }
    options.symbol_context = Unmanaged.passUnretained(names).toOpaque()
    let file = try #require(annot_file_open(path, &options, nil))
    defer { annot_file_close(file) }
    return (names.all, annot_file_has_symbol_table(file))
  }

  @Test(
    "names defined functions, hidden ones too unless the file was stripped", arguments: Toolchain.cCompilers)
  func namesSymbols(compiler: String) throws {
    let source = try directory.write(
      """
      extern int other(int);
      __attribute__((used)) static int hidden(int a) { return a; }
      int shown(int a) { return hidden(other(a)); }
      """, to: "a.c")
    let (object, library, archive) = (
      directory.path(of: "a.o"), directory.path(of: "a.so"), directory.path(of: "a.a")
    )
    try Toolchain.call(compiler, ["-fPIC", "-c", source, "-o", object])
    try Toolchain.call(compiler, ["-shared", object, "-o", library])
    try Toolchain.call(try #require(Toolchain.find("ar")), ["rc", archive, object])
    for path in [object, library, archive] {
      let found = try symbols(of: path)
      #expect(
        found.names.isSuperset(of: ["hidden", "shown"]) && !found.names.contains("other") && found.hasTable)
    }
    try Toolchain.call(try #require(Toolchain.find("strip")), [library])
    let stripped = try symbols(of: library)
    #expect(stripped.names.contains("shown") && !stripped.names.contains("hidden") && !stripped.hasTable)
  }

  @Test("tells what the loader is told", arguments: Toolchain.cCompilers)
  func tellsLinkage(compiler: String) throws {
    let source = try directory.write("int main(void) { return 0; }\n", to: "p.c")
    let path = directory.path(of: "p")
    try Toolchain.call(
      compiler,
      [source, "-o", path, "-Wl,--enable-new-dtags,-rpath,$ORIGIN/x:/y,-z,nodefaultlib"])
    var options = annot_file_options()
    options.linkage = true
    let file = try #require(annot_file_open(path, &options, nil))
    defer { annot_file_close(file) }
    let linkage = try #require(annot_file_linkage(file)).pointee
    #expect(linkage.is_loaded && linkage.no_default_libraries)
    #expect(linkage.runpath.map { String(cString: $0) } == "$ORIGIN/x:/y" && linkage.rpath == nil)
    #expect(try #require(linkage.interpreter.map { String(cString: $0) }).hasPrefix("/"))
    let needed = (0..<linkage.needed_count).map { String(cString: linkage.needed[$0]!) }
    #expect(needed.contains { $0.hasPrefix("libc.") })
  }

  @Test("fails with an error, and no other harm, when any call fails")
  func callsFail() throws {
    let source = try directory.write("int main(void) { return 0; }\n", to: "p.c")
    let path = directory.path(of: "p")
    try Toolchain.call(try #require(Toolchain.cCompilers.first), [source, "-o", path, "-Wl,-rpath,/x"])
    var options = annot_file_options()
    options.linkage = true
    options.symbol = { _, _ in }
    for call in 1..<ANNOT_SYS_CALL_COUNT.rawValue {
      var refused = 0
      for nth: UInt32 in 1... {
        annot_sys_fail_next(annot_sys_call(rawValue: call), nth, ENOMEM)
        var error = annot_error()
        let file = annot_file_open(path, &options, &error)
        let isDone = annot_sys_fail_cancel()
        #expect(file != nil || (error.code != ANNOT_ERROR_NONE && error.detail.0 != 0))
        if file == nil { refused += 1 }
        annot_file_close(file)
        // Of the thousands of symbols' names a few are enough.
        if isDone || nth > 60 { break }
      }
      if call == ANNOT_SYS_MALLOC.rawValue { #expect(refused >= 5) }
    }
  }

  @Test("survives every header field set to every kind of nonsense")
  func survivesNonsense() throws {
    let source = try directory.write("int main(void) { return 0; }\n", to: "p.c")
    let path = directory.path(of: "p")
    try Toolchain.call(try #require(Toolchain.cCompilers.first), [source, "-o", path])
    let sound = try bytes(ofFile: path)
    var options = annot_file_options()
    options.linkage = true
    options.symbol = { _, _ in }
    // The ELF header, the program headers, and the dynamic section, which lies in the last pages of the file.
    let places = Array(stride(from: 16, to: 1024, by: 4)) + Array(stride(from: 0x2000, to: 0x4000, by: 64))
    for place in places where place + 8 <= sound.count {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var mutated = sound
        for index in place..<place + 8 { mutated[index] = value }
        annot_file_close(annot_file_open_memory(mutated, mutated.count, &options, nil))
      }
    }
  }
}
