@preconcurrency import Glibc

/// The entries of an open directory in the order of their names' bytes, in memory that does not grow with the directory.
///
/// Names are taken in batches: each is found by a pass over the directory that keeps the least names above those of
/// the batch before.
struct DirectoryNames: ~Copyable {
  struct Entry {
    let name: [UInt8]
    /// `d_type` of readdir(3).
    let type: UInt8
  }

  /// The most names that are held.
  private let batchSize: Int
  private let stream: OpaquePointer

  /// The directory's descriptor.
  var descriptor: Int32 { dirfd(stream) }

  /// Takes over a descriptor of a directory; nil, with errno set, when it cannot be read.
  init?(_ descriptor: Int32, batchSize: Int = 1 << 14) {
    guard let stream = fdopendir(descriptor) else {
      let error = errno
      close(descriptor)
      errno = error
      return nil
    }
    self.stream = stream
    self.batchSize = batchSize
  }

  deinit { closedir(stream) }

  /// The entries after a name, the least first; fewer than all when there are many.
  ///
  /// - Returns: No entries at the end; nil, with errno set, when the directory cannot be read.
  func batch(after last: [UInt8]?) -> [Entry]? {
    rewinddir(stream)
    var entries: [Entry] = []
    func shrink() {
      entries.sort { $0.name.lexicographicallyPrecedes($1.name) }
      entries.removeLast(max(entries.count - batchSize, 0))
    }
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = Self.name(of: entry)
      if name == [0x2E] || name == [0x2E, 0x2E] { continue }
      if let last, !last.lexicographicallyPrecedes(name) { continue }
      entries.append(Entry(name: name, type: entry.pointee.d_type))
      if entries.count >= 2 * batchSize { shrink() }
    }
    if errno != 0 { return nil }
    shrink()
    return entries
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name)!
    let bytes = UnsafeRawPointer(entry) + offset
    return Array(
      UnsafeRawBufferPointer(start: bytes, count: strlen(bytes.assumingMemoryBound(to: CChar.self))))
  }
}
