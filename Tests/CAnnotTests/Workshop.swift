import Glibc
import Testing

/// A folder of its own for a test's files, removed when the test ends, and the tools to make them.
final class Workshop: Sendable {
  let folder: String

  init() throws {
    var template = Array("/tmp/annot-runtime-XXXXXX".utf8CString)
    folder = String(cString: try #require(mkdtemp(&template)))
  }

  deinit { _ = system("rm -rf '\(folder)'") }

  /// The root of the package.
  static let root = String(#filePath.dropLast("/Tests/CAnnotTests/Workshop.swift".count))
  /// The compiler's words for the headers.
  static let headers = "-I '\(root)/Sources/CAnnot/include' -I '\(root)/Sources/CAnnotRecords/include'"

  /// A tool that knows `--strip-sections`; nothing when there is none.
  static let headerStripper = "$(command -v llvm-objcopy || command -v eu-strip)"

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func write(_ text: String, to name: String) throws {
    let file = try #require(fopen(path(name), "we"))
    fputs(text, file)
    fclose(file)
  }

  /// Code that makes a library's section of records so large that it is not copied twice.
  static let padding =
    #"__asm__(".pushsection annot,\"aR\",%progbits\n.zero 300000\n.popsection");"# + "\n"

  /// Builds a library with a record of kind `mark` for each name.
  ///
  /// - Parameters:
  ///   - noted: whether it has a bounds note; without, its records are found by the file's section headers.
  ///   - flags: further words for the compiler.
  ///   - code: further C code.
  @discardableResult
  func library(
    _ name: String, marks: [String] = ["a"], noted: Bool = false, flags: String = "", code: String = ""
  ) throws -> String {
    var source = noted ? "#include <annot.h>\n" : ""
    for (index, mark) in marks.enumerated() {
      source +=
        noted
        ? "ANNOTATE(mark, ANNOT_NAME(name, \(mark)));\n"
        : "static const char r\(index)[] __attribute__((used, retain, aligned(1), section(\"annot\"))) = "
          + "\"{\\\"kind\\\":\\\"mark\\\",\\\"name\\\":\\\"\(mark)\\\"}\";\n"
    }
    try write(source + code, to: name + ".c")
    try shell(
      "\(Machine.compiler) -shared -fPIC \(Self.headers) \(flags) -o '\(path(name))' '\(path(name)).c'")
    return path(name)
  }
}

/// Runs a command of the shell, which must succeed.
func shell(_ command: String) throws {
  try #require(system(command) == 0, "\(command)")
}

/// What a program did.
struct Run {
  let output: String
  let status: Int32

  /// Runs a command of the shell for at most a minute and takes both its outputs.
  init(_ command: String) throws {
    let pipe = try #require(popen("{ \(command); } 2>&1", "re"))
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { bytes += buffer[..<count] }
    let ended = pclose(pipe)
    output = String(decoding: bytes, as: UTF8.self)
    status = ended & 0x7f == 0 ? (ended >> 8) & 0xff : 128 + (ended & 0x7f)
  }

  private var lines: [Substring] { output.split(separator: "\n") }

  /// The lines that begin with a word, without it.
  func lines(_ word: String) -> [String] {
    lines.filter { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
  }

  /// The records of an image, as they stand in it.
  func records(of path: String) -> [String] {
    lines("record").filter { $0.hasPrefix(path + " ") }.map { String($0.dropFirst(path.count + 1)) }
  }

  /// The names of the records of kind `mark` of an image.
  func marks(in path: String) -> [String] {
    lines("record").filter { $0.hasPrefix(path + " ") }
      .compactMap { $0.split(separator: "\"name\":\"").last?.split(separator: "\"").first.map(String.init) }
  }

  /// The diagnostics of an image.
  func troubles(of path: String) -> [String] {
    lines("diagnostic").filter { $0.hasPrefix(path + " ") }.map { String($0.dropFirst(path.count + 1)) }
  }

  /// The routes of an image, one a print.
  func routes(of path: String) -> [String] {
    lines("image").filter { $0.hasPrefix(path + " ") }.map { String($0.dropFirst(path.count + 1)) }
  }
}
