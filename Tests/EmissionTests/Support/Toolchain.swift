import Foundation
import Testing

/// What a finished process left.
struct Outcome {
  let status: Int32
  /// Standard output and standard error together.
  let output: String
}

/// Runs a program and waits for it.
///
/// - Parameters:
///   - command: the program's path, then its arguments.
///   - directory: where it runs.
///   - environment: variables added to this process's own.
func run(
  _ command: [String], in directory: URL, environment: [String: String] = [:]
) throws -> Outcome {
  let log = directory.appendingPathComponent("output-\(UUID().uuidString)")
  try Data().write(to: log)
  defer { try? FileManager.default.removeItem(at: log) }
  let handle = try FileHandle(forWritingTo: log)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: command[0])
  process.arguments = Array(command.dropFirst())
  process.currentDirectoryURL = directory
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = handle
  process.standardError = handle
  var variables = ProcessInfo.processInfo.environment
  variables["LC_ALL"] = "C.UTF-8"
  variables.merge(environment) { _, new in new }
  process.environment = variables
  try process.run()
  process.waitUntilExit()
  try handle.close()
  let bytes = try Data(contentsOf: log)
  let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  return Outcome(status: status, output: String(decoding: bytes, as: UTF8.self))
}

/// The path of a program on PATH.
func find(_ name: String) -> String? {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
  return path.split(separator: ":").map { "\($0)/\(name)" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}

/// A compiler driver found on this machine.
struct Compiler: CustomTestStringConvertible, Hashable {
  let name: String
  let path: String

  var compilesCXX: Bool { name.contains("++") }
  var isClang: Bool { name.hasPrefix("clang") }
  var testDescription: String { name }

  /// The usual compilers, or those that ANNOT_TEST_COMPILERS names, as far as they are installed.
  static let all = (ProcessInfo.processInfo.environment["ANNOT_TEST_COMPILERS"] ?? "gcc g++ clang clang++")
    .split(separator: " ").compactMap { name in
      find(String(name)).map { Compiler(name: String(name), path: $0) }
    }
  static let forC = all.filter { !$0.compilesCXX }
  static let forCXX = all.filter(\.compilesCXX)

  /// The language modes the headers promise to be clean in.
  var standards: [String] {
    compilesCXX
      ? ["c++11", "c++14", "c++17", "c++20", "c++2b", "gnu++11", "gnu++20", "gnu++2b"]
      : ["c99", "c11", "c17", "c2x", "gnu99", "gnu11", "gnu17", "gnu2x"]
  }

  /// Makes a file of any name count as this compiler's language.
  var language: [String] { ["-x", compilesCXX ? "c++" : "c"] }
}

/// A compiler in one language mode.
struct Mode: CustomTestStringConvertible {
  let compiler: Compiler
  let standard: String
  var testDescription: String { "\(compiler.name) -std=\(standard)" }

  static let all = Compiler.all.flatMap { compiler in
    compiler.standards.map { Mode(compiler: compiler, standard: $0) }
  }
}

/// Where the sources are, and the flags every fixture is compiled with.
enum Sources {
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let fixtures = package.appendingPathComponent("Tests/EmissionTests/Fixtures")
  static let include = "-I" + package.appendingPathComponent("Sources/CAnnot/include").path
  static let strict = [
    "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wundef", "-Wshadow", "-Wconversion", include,
  ]

  static func fixture(_ name: String) -> String { fixtures.appendingPathComponent(name).path }
}

/// A directory that is removed with this object.
final class Scratch {
  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("annot-emission-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: directory.appendingPathComponent(name))
    return path(name)
  }

  func run(_ command: [String], environment: [String: String] = [:]) throws -> Outcome {
    try EmissionTests.run(command, in: directory, environment: environment)
  }
}
