@preconcurrency import Glibc

/// An open directory of a tree, and its entries in the order of their names' bytes.
///
/// Names are taken in batches, so that memory does not grow with the directory: each is found by a pass over it that
/// keeps the least names above those of the batch before.
///
/// Unchecked: one thread reads the entries, and others only use the descriptor, which does not change.
final class TreeDirectory: @unchecked Sendable {
  struct Entry {
    let name: [UInt8]
    /// `d_type` of readdir(3).
    let type: UInt8
  }

  /// The path, and the path below the tree's root.
  let path, below: [UInt8]
  let descriptor: Int32
  private let stream: OpaquePointer
  /// The most names that are held.
  private static let batchSize = 1 << 14

  /// Takes over a descriptor of a directory; nil, with errno set, when it cannot be read.
  init?(_ descriptor: Int32, path: [UInt8], below: [UInt8]) {
    guard let stream = fdopendir(descriptor) else {
      let error = errno
      close(descriptor)
      errno = error
      return nil
    }
    self.stream = stream
    self.descriptor = descriptor
    self.path = path
    self.below = below
  }

  deinit { closedir(stream) }

  /// Calls a closure with each entry.
  ///
  /// - Returns: False, with errno set, when the directory cannot be read to its end.
  func forEach(_ body: (Entry) -> Void) -> Bool {
    var last: [UInt8]?
    while true {
      guard let (entries, isLast) = batch(after: last) else { return false }
      for entry in entries { body(entry) }
      if isLast { return true }
      last = entries.last?.name
    }
  }

  /// The least entries after a name, and whether these are all.
  private func batch(after last: [UInt8]?) -> (entries: [Entry], isLast: Bool)? {
    if last != nil { rewinddir(stream) }
    var entries: [Entry] = []
    var isLast = true
    func shrink() {
      entries.sort { $0.name.lexicographicallyPrecedes($1.name) }
      guard entries.count > Self.batchSize else { return }
      entries.removeLast(entries.count - Self.batchSize)
      isLast = false
    }
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = Self.name(of: entry)
      if name == [0x2E] || name == [0x2E, 0x2E] { continue }
      if let last, !last.lexicographicallyPrecedes(name) { continue }
      entries.append(Entry(name: name, type: entry.pointee.d_type))
      if entries.count >= 2 * Self.batchSize { shrink() }
    }
    if errno != 0 { return nil }
    shrink()
    return (entries, isLast)
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name)!
    let bytes = UnsafeRawPointer(entry) + offset
    return Array(
      UnsafeRawBufferPointer(start: bytes, count: strlen(bytes.assumingMemoryBound(to: CChar.self))))
  }
}

/// A regular file of a tree.
struct TreeFile: Sendable {
  /// The directory it is in; nil for a file that is itself the root of a walk.
  let directory: TreeDirectory?
  /// Its name there; for a root its path.
  let name: [UInt8]

  /// The path, and the path below the root.
  var path: [UInt8] { directory.map { joined($0.path, name) } ?? name }
  var below: [UInt8] {
    directory.map { joined($0.below, name) } ?? Array(name.split(separator: UInt8(ascii: "/")).last ?? [])
  }

  /// Opens it for reading; negative, with errno set, when it cannot be.
  ///
  /// It does not wait, should it have become a FIFO since it was listed, nor follow it, should it now be a link.
  func open() -> Int32 {
    let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (directory == nil ? 0 : O_NOFOLLOW)
    return withCString(name) { openat(directory?.descriptor ?? AT_FDCWD, $0, flags) }
  }
}

/// Calls a closure with a NUL-terminated copy.
func withCString<R>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> R) -> R {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
    for (index, byte) in bytes.enumerated() { buffer[index] = CChar(bitPattern: byte) }
    buffer[bytes.count] = 0
    return body(UnsafePointer(buffer.baseAddress!))
  }
}

/// A path with a name behind it.
func joined(_ parent: [UInt8], _ name: [UInt8]) -> [UInt8] {
  if parent.isEmpty { return name }
  return parent.last == UInt8(ascii: "/") ? parent + name : parent + [UInt8(ascii: "/")] + name
}
