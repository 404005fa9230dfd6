@preconcurrency import Glibc

/// The directories that the loader looks in; the rules are ld.so(8)'s.
enum SearchPath {
  /// The directories of a path such as `$ORIGIN/../lib:/opt/lib`.
  ///
  /// - Parameters:
  ///   - path: Directories between colons; an empty one is the working directory.
  ///   - origin: The file that the path stands in, for `$ORIGIN`; nil where there is none.
  ///   - architecture: For `$LIB` and `$PLATFORM`.
  static func directories(
    _ path: String, origin: String?, _ architecture: Linkage.Architecture
  ) -> [String] {
    path.split(separator: ":", omittingEmptySubsequences: false).flatMap { part in
      let directory = part.isEmpty ? "." : String(part)
      return libraryDirectories(architecture).map { library in
        expanded(
          directory, ["ORIGIN": origin.map(directoryOf), "LIB": library, "PLATFORM": platform(architecture)])
      }
    }
    .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The directories that are searched last.
  static func defaults(_ linkage: Linkage?, _ architecture: Linkage.Architecture) -> [String] {
    if let interpreter = linkage?.interpreter, interpreter.contains("/ld-musl-") { return musl(interpreter) }
    return libraryDirectories(architecture).flatMap { ["/\($0)", "/usr/\($0)"] }
  }

  /// The directories of musl's loader: those of its own file of paths, or what is built into it.
  private static func musl(_ interpreter: String) -> [String] {
    let name = interpreter.split(separator: "/").last.map(String.init) ?? ""
    let stem = name.split(separator: ".").dropLast(2).joined(separator: ".")
    guard let file = fopen("/etc/\(stem).path", "re") else { return ["/lib", "/usr/local/lib", "/usr/lib"] }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&buffer, 1, buffer.count, file)
    let separators: [UInt8] = [UInt8(ascii: ":"), UInt8(ascii: "\n")]
    return buffer[..<count].split { separators.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names that distributions have for the directory of libraries.
  private static func libraryDirectories(_ architecture: Linkage.Architecture) -> [String] {
    let multiarch = multiarchNames[architecture.machine].map { ["lib/" + $0] } ?? []
    return multiarch + (architecture.is64Bit ? ["lib64"] : ["lib32"]) + ["lib"]
  }

  /// Debian's names, by `e_machine`.
  private static let multiarchNames: [UInt32: String] = [
    3: "i386-linux-gnu", 40: "arm-linux-gnueabihf", 62: "x86_64-linux-gnu", 183: "aarch64-linux-gnu",
    243: "riscv64-linux-gnu", 22: "s390x-linux-gnu", 21: "powerpc64le-linux-gnu",
  ]

  private static func platform(_ architecture: Linkage.Architecture) -> String {
    switch architecture.machine {
    case 3: "i686"
    case 62: "x86_64"
    case 183: "aarch64"
    default: ""
    }
  }

  /// The text with `$NAME` and `${NAME}` replaced; a name without a value is left as it is.
  static func expanded(_ text: String, _ values: [String: String?]) -> String {
    guard text.contains("$") else { return text }
    var result = text
    for case (let name, let value?) in values {
      for spelling in ["${\(name)}", "$\(name)"] { result = result.replacingAll(spelling, with: value) }
    }
    return result
  }

  /// The directory of a file, with links in its path followed.
  private static func directoryOf(_ path: String) -> String {
    let real = realpath(path, nil)
    defer { free(real) }
    let full = real.map { String(cString: $0) } ?? path
    guard let slash = full.lastIndex(of: "/") else { return "." }
    return slash == full.startIndex ? "/" : String(full[..<slash])
  }
}

extension String {
  /// The text with each occurrence of another replaced.
  func replacingAll(_ other: String, with replacement: String) -> String {
    let (text, wanted) = (Array(utf8), Array(other.utf8))
    var result: [UInt8] = []
    var position = 0
    while position < text.count {
      if text[position...].starts(with: wanted) {
        result += Array(replacement.utf8)
        position += wanted.count
      } else {
        result.append(text[position])
        position += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
