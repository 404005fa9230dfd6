import AnnotationRecords
import TestSupport
import Testing

@Suite("The file reader, on what compilers make")
struct CompiledFileTests {
  private static let json = (1...5).map {
    #"{"kind":"k","cls":"Class\#($0)","file":"a.c","line":\#($0),"padding":"0123456789012345678901234567890123456789"}"#
  }

  private static var source: String {
    let records = json.enumerated().map { index, json in
      let text = json.replacing("\"", with: "\\\"")
      return """
        static const char record\(index)[]
            __attribute__((used, retain, aligned(1), section("annot"))) = "\(text)";
        """
    }
    return records.joined(separator: "\n") + "\nint answer(void) { return 42; }\n"
  }

  private let directory: TemporaryDirectory
  private let sourcePath: String

  init() throws {
    directory = try TemporaryDirectory()
    sourcePath = try directory.write(Self.source, to: "a.c")
  }

  private func json(in file: String) throws -> [String] {
    let annotations = try ELFAnnotations(path: file)
    #expect(annotations.diagnostics.isEmpty, "\(annotations.diagnostics)")
    return annotations.records.map(\.json)
  }

  @Test("reads object files and shared objects", arguments: Toolchain.cCompilers, ["-O0", "-O2"])
  func readsCompiled(compiler: String, optimization: String) throws {
    let (object, library) = (directory.path(of: "a.o"), directory.path(of: "a.so"))
    try Toolchain.call(compiler, [optimization, "-fPIC", "-c", sourcePath, "-o", object])
    #expect(try json(in: object) == Self.json)
    try Toolchain.call(compiler, ["-shared", "-Wl,--gc-sections,--build-id", object, "-o", library])
    #expect(try json(in: library) == Self.json)
    #expect(try ELFAnnotations(path: library).buildID.isEmpty == false)
  }

  @Test("reads stripped files, and tells of debug files", arguments: Toolchain.cCompilers)
  func readsStripped(compiler: String) throws {
    guard let objcopy = Toolchain.find("objcopy") else { return }
    let (library, other) = (directory.path(of: "a.so"), directory.path(of: "b.so"))
    try Toolchain.call(compiler, ["-g", "-shared", "-fPIC", sourcePath, "-o", library])
    for option in ["--strip-all", "--compress-debug-sections"] {
      try Toolchain.call(objcopy, [option, library, other])
      #expect(try json(in: other) == Self.json)
    }
    try Toolchain.call(objcopy, ["--only-keep-debug", library, other])
    let debug = try ELFAnnotations(path: other)
    #expect(debug.records.isEmpty && debug.diagnostics.map(\.severity) == [.unreadable])
  }

  @Test(
    "reads other machines' files",
    arguments: [
      "i386", "aarch64", "aarch64_be", "armebv7", "s390x", "powerpc", "powerpc64", "mips", "riscv64",
      "x86_64",
    ])
  func readsForeign(machine: String) throws {
    guard let clang = Toolchain.findInSwiftToolchain("clang"),
      let lld = Toolchain.findInSwiftToolchain("ld.lld")
    else { return }
    let (object, library) = (directory.path(of: "a.o"), directory.path(of: "a.so"))
    try Toolchain.call(
      clang, ["-target", "\(machine)-unknown-linux-gnu", "-fPIC", "-c", sourcePath, "-o", object])
    #expect(try json(in: object) == Self.json)
    try Toolchain.call(lld, ["-shared", object, "-o", library])
    #expect(try json(in: library) == Self.json)
  }

  @Test("tells intermediate code from an object without annotations")
  func tellsIntermediateCode() throws {
    let object = directory.path(of: "a.o")
    if let gcc = Toolchain.find("gcc") {
      try Toolchain.call(gcc, ["-flto", "-fno-fat-lto-objects", "-c", sourcePath, "-o", object])
      let file = try ELFAnnotations(path: object)
      #expect(file.records.isEmpty)
      #expect(file.diagnostics.first?.reason.contains("gcc's intermediate code") == true)
      try Toolchain.call(gcc, ["-flto", "-ffat-lto-objects", "-c", sourcePath, "-o", object])
      #expect(try json(in: object) == Self.json)
    }
    if let clang = Toolchain.findInSwiftToolchain("clang") {
      try Toolchain.call(clang, ["-flto", "-c", sourcePath, "-o", object])
      let error = #expect(throws: AnnotationError.self) { try ELFAnnotations(path: object) }
      #expect(error?.code == .unsupported && error?.reason.contains("LLVM bitcode") == true)
    }
  }
}
