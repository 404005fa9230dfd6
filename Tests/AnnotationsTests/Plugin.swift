import Glibc
import Testing

/// A shared object that a test builds from C source and opens.
struct Plugin {
  let path: String

  /// Builds a plugin in a folder of its own.
  ///
  /// - Parameters:
  ///   - source: C source; annot.h can be included.
  ///   - flags: further words for the compiler.
  init(_ source: String, flags: String = "") throws {
    var template = Array("/tmp/annot-test-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    path = folder + "/plugin.so"
    try write(source, to: folder + "/plugin.c")
    let headers = String(#filePath.prefix { _ in true }.dropLast("Tests/AnnotationsTests/Plugin.swift".count))
    try shell(
      "cc -shared -fPIC -I '\(headers)Sources/CAnnot/include' \(flags) -o '\(path)' '\(folder)/plugin.c'")
  }

  func open(_ flags: Int32 = RTLD_NOW) throws -> UnsafeMutableRawPointer {
    try #require(dlopen(path, flags), "\(dlerror().map { String(cString: $0) } ?? "")")
  }
}

/// Runs a command of the shell, which must succeed.
func shell(_ command: String) throws {
  let status = system(command)
  try #require(status == 0, "\(command)")
}

/// Writes a file, replacing what is there by a new one.
func write(_ text: String, to path: String) throws {
  let file = try #require(fopen(path, "we"))
  fputs(text, file)
  fclose(file)
}

/// C source of records without a bounds note, as foreign emitters leave them: one array a record.
func bareRecords(_ records: [String]) -> String {
  records.enumerated().map { index, record in
    let literal = record.map { $0 == "\"" ? "\\\"" : String($0) }.joined()
    return """
      static const char record\(index)[] __attribute__((used, retain, aligned(1), section("annot"))) = "\(literal)";
      """
  }.joined(separator: "\n") + "\n"
}
