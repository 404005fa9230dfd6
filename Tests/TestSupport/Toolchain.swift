internal import Foundation

/// The compilers that tests make their inputs with.
public enum Toolchain {
  /// Finds a program on PATH.
  public static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// A program of the Swift toolchain that built the tests: beside the swiftc on PATH, else on PATH itself.
  public static func findInSwiftToolchain(_ name: String) -> String? {
    guard let swiftc = find("swiftc") else { return find(name) }
    let real = URL(fileURLWithPath: swiftc).resolvingSymlinksInPath().deletingLastPathComponent().path
    let beside = "\(real)/\(name)"
    return FileManager.default.isExecutableFile(atPath: beside) ? beside : find(name)
  }

  /// The C compilers there are: gcc and the Swift toolchain's clang.
  public static var cCompilers: [String] {
    [find("gcc"), findInSwiftToolchain("clang")].compactMap { $0 }
  }

  /// Runs a compiler or other tool.
  ///
  /// - Throws: ``SupportError`` with what it wrote, when it fails.
  public static func call(_ tool: String, _ arguments: [String]) throws {
    let result = try run(tool, arguments)
    if result.status != 0 {
      throw SupportError("\(tool) \(arguments.joined(separator: " ")):\n\(result.output)\(result.errors)")
    }
  }
}
