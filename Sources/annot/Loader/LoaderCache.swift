@preconcurrency import Glibc

/// `/etc/ld.so.cache`, in which the GNU loader finds libraries of the directories that ld.so.conf names.
///
/// The format is `struct cache_file_new` of glibc's dl-cache.h: a header of 48 bytes, entries of 24 bytes, strings.
struct LoaderCache {
  private static let magic = Array("glibc-ld.so.cache1.1".utf8)
  private static let headerSize = 48
  private static let entrySize = 24

  /// The paths for each library name, in the order in which the loader tries them.
  private var paths: [String: [String]] = [:]

  /// - Parameter bytes: The file's contents; anything that is no such cache holds nothing.
  init(_ bytes: [UInt8]) {
    func number(_ offset: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    func string(_ offset: Int) -> String? {
      guard offset < bytes.count, let end = bytes[offset...].firstIndex(of: 0) else { return nil }
      return String(decoding: bytes[offset..<end], as: UTF8.self)
    }
    guard bytes.count >= Self.headerSize, bytes.starts(with: Self.magic) else { return }
    let count = min(number(20), (bytes.count - Self.headerSize) / Self.entrySize)
    for index in 0..<count {
      let entry = Self.headerSize + index * Self.entrySize
      // Entries for certain processors only are left to these.
      guard bytes[entry + 16..<entry + 24].allSatisfy({ $0 == 0 }) else { continue }
      guard let key = string(number(entry + 4)), let value = string(number(entry + 8)) else { continue }
      paths[key, default: []].append(value)
    }
  }

  /// The paths that the cache has for a library's name.
  subscript(_ name: String) -> [String] { paths[name] ?? [] }

  /// The system's cache; it holds nothing when there is none.
  static func system() -> LoaderCache {
    guard let file = fopen("/etc/ld.so.cache", "re") else { return LoaderCache([]) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    // Larger than any real one.
    let limit = 64 << 20
    while bytes.count < limit, case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return LoaderCache(bytes)
  }
}
