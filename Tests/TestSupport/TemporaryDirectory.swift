internal import Foundation

/// A failure of the tests' own means.
public struct SupportError: Error, CustomStringConvertible {
  /// What failed.
  public let description: String

  /// Creates an error.
  public init(_ description: String) { self.description = description }
}

/// A directory that is removed, with what is in it, when the last reference goes away.
public final class TemporaryDirectory: Sendable {
  /// The directory's path, without symbolic links.
  public let path: String

  /// Creates an empty directory.
  public init() throws {
    let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    path = "\(parent)/annot-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the directory.
  public func path(of name: String) -> String { "\(path)/\(name)" }

  /// Writes a file into the directory and returns its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = path(of: name)
    // Not Foundation's way, which makes another file first: some tests write thousands.
    guard let file = fopen(path, "w") else { throw SupportError("cannot write \(path)") }
    let count = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0 && count == bytes.count else { throw SupportError("cannot write \(path)") }
    return path
  }

  /// Writes a text file into the directory and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }
}

/// Writes a file that has bytes at a few places and holes between them, which take no room on disk.
public func writeSparse(_ pieces: [(offset: UInt64, bytes: [UInt8])], to path: String) throws {
  guard let file = fopen(path, "w") else { throw SupportError("cannot write \(path)") }
  var success = true
  for piece in pieces {
    success = success && fseeko(file, off_t(piece.offset), SEEK_SET) == 0
    success = success && fwrite(piece.bytes, 1, piece.bytes.count, file) == piece.bytes.count
  }
  guard fclose(file) == 0 && success else { throw SupportError("cannot write \(path)") }
}

/// The bytes of a file.
public func bytes(ofFile path: String) throws -> [UInt8] {
  // Not Foundation's way, which loses memory for each empty file (6.3.1), and the sanitizer tells of it.
  guard let file = fopen(path, "r") else { throw SupportError("cannot read \(path)") }
  defer { fclose(file) }
  var result: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { result += buffer[..<count] }
  return result
}

/// The text of a file.
public func text(ofFile path: String) throws -> String {
  String(decoding: try bytes(ofFile: path), as: UTF8.self)
}
