import Glibc
import Testing

/// Programs in C that hold the runtime itself, built by the test from its sources.
enum RuntimeProgram {
  /// The runtime as an archive, made once; the folder is left to the system's cleaning of its temporary
  /// files.
  static let archive = Result { try makeArchive(Machine.compiler) }
  /// The same for this machine, under a sanitizer.
  static let threadArchive = Result { try makeArchive("gcc -fsanitize=thread") }
  static let addressArchive = Result { try makeArchive("gcc -fsanitize=address,undefined") }

  /// The runtime for programs that are built with a sanitizer's words, or with none.
  static func archive(under sanitizer: String) throws -> String {
    switch sanitizer {
    case "": try archive.get()
    case "-fsanitize=thread": try threadArchive.get()
    default: try addressArchive.get()
    }
  }

  /// The same for musl; libelf's headers are those of the GNU C library.
  static let muslArchive = Result {
    try makeArchive("musl-gcc -idirafter /usr/include -idirafter /usr/include/$(cc -print-multiarch)")
  }

  private static func makeArchive(_ compiler: String) throws -> String {
    var template = Array("/tmp/annot-objects-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    let root = Workshop.root
    try shell(
      """
      ls '\(root)'/Sources/CAnnot/*.c '\(root)'/Sources/CAnnotRecords/*.c | xargs -P 4 -I% sh -c \
      "\(compiler) -std=c11 -O1 -g -fPIC \(Workshop.headers.replacing("'", with: "")) -c % -o \(folder)/\\$(basename %).o" \
      && $(\(compiler) -print-prog-name=ar) rcs \(folder)/libannot.a \(folder)/*.o
      """)
    return folder + "/libannot.a"
  }

  /// Builds Tests/RuntimePrograms/NAME.c with the runtime into a workshop.
  ///
  /// - Parameters:
  ///   - compiler: the compiler and its words for the program's own source.
  ///   - suffix: the source file's.
  ///   - flags: further words for the compiler.
  ///   - libraries: what to link after the runtime.
  ///   - isWhole: whether all of the runtime is linked, and not only what the program refers to.
  static func build(
    _ name: String, in workshop: Workshop, as output: String? = nil,
    compiler: String = "\(Machine.compiler) -std=c11",
    suffix: String = ".c", flags: String = "-pie -rdynamic",
    libraries: String = "-lelf", isWhole: Bool = true
  ) throws -> String {
    let path = workshop.path(output ?? name)
    try shell(
      """
      \(compiler) -O1 -g \(flags.contains("no-pie") ? "" : "-fPIE") \(Workshop.headers) -o '\(path)' \
      '\(Workshop.root)/Tests/RuntimePrograms/\(name)\(suffix)' \(isWhole ? "-Wl,--whole-archive" : "") '\(try archive.get())' \
      -Wl,--no-whole-archive \(flags) \(libraries) -pthread
      """)
    return path
  }

  /// Builds Tests/RuntimePrograms/NAME.c into a shared library that holds a copy of the runtime.
  static func buildLibrary(_ name: String, in workshop: Workshop) throws -> String {
    try build(name, in: workshop, as: name + ".so", flags: "-shared -Wl,-z,defs")
  }

  /// Builds Tests/RuntimePrograms/NAME.c without the runtime.
  static func buildAlone(_ name: String, in workshop: Workshop) throws -> String {
    let path = workshop.path(name)
    try shell(
      """
      \(Machine.compiler) -std=c11 -O1 -g \(Workshop.headers) -o '\(path)' '\(Workshop.root)/Tests/RuntimePrograms/\(name).c' -ldl
      """)
    return path
  }

  /// Whether the compiler finds an archive to link.
  static func hasArchive(_ name: String) -> Bool {
    system("test -e \"$(\(Machine.compiler) -print-file-name=\(name))\"") == 0
  }
}
