@preconcurrency import Glibc

/// What a walk through a tree meets.
enum TreeEvent {
  /// A regular file: its path, its path below the root, and a descriptor open for reading, which the receiver closes.
  case file(path: [UInt8], below: [UInt8], descriptor: Int32)
  /// Something that could not be opened or read, and the error's number.
  case unreadable(path: [UInt8], error: Int32)
}

/// Walks through a directory and all below it, in the order of the names.
///
/// Symbolic links are not followed, but for the root itself. Nothing but directories and regular files is opened: no
/// FIFO, device or socket. The memory needed grows with the depth of the tree alone.
struct TreeWalk {
  let exclusions: Exclusions
  /// Whether directories on other file systems than the root are left out.
  let staysOnFileSystem: Bool
  private var device = dev_t()

  /// Is told of each file and of what cannot be read.
  typealias Handler = (TreeEvent) -> Void

  init(exclusions: Exclusions, staysOnFileSystem: Bool = false) {
    self.exclusions = exclusions
    self.staysOnFileSystem = staysOnFileSystem
  }

  /// Walks through what is at a path: a directory, or a single file.
  mutating func walk(_ root: UnsafePointer<CChar>, _ handle: Handler) {
    let path = Array(UnsafeRawBufferPointer(start: root, count: strlen(root)))
    var status = stat()
    guard stat(root, &status) == 0 else { return handle(.unreadable(path: path, error: errno)) }
    device = status.st_dev
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      let descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK)
      if descriptor < 0 { return handle(.unreadable(path: path, error: errno)) }
      walk(directory: descriptor, path, below: [], handle)
    case S_IFREG: openFile(AT_FDCWD, root, path, below: lastName(of: path), flags: 0, handle)
    default: handle(.unreadable(path: path, error: ENOTDIR))
    }
  }

  private func lastName(of path: [UInt8]) -> [UInt8] {
    Array(path.split(separator: UInt8(ascii: "/")).last ?? [])
  }

  /// - Parameter descriptor: Closed when the walk through it ends.
  private func walk(directory descriptor: Int32, _ path: [UInt8], below: [UInt8], _ handle: Handler) {
    guard let names = DirectoryNames(descriptor) else { return handle(.unreadable(path: path, error: errno)) }
    var last: [UInt8]?
    while true {
      guard let batch = names.batch(after: last) else { return handle(.unreadable(path: path, error: errno)) }
      guard let end = batch.last?.name else { return }
      for entry in batch { visit(entry, in: names.descriptor, path, below, handle) }
      last = end
    }
  }

  private func visit(
    _ entry: DirectoryNames.Entry, in directory: Int32, _ parent: [UInt8], _ above: [UInt8], _ handle: Handler
  ) {
    let path = joined(parent, entry.name)
    let below = joined(above, entry.name)
    var name = entry.name.map(CChar.init(bitPattern:))
    name.append(0)
    var type = Int32(entry.type)
    if type == Int32(DT_UNKNOWN) {
      var status = stat()
      guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        return handle(.unreadable(path: path, error: errno))
      }
      type = Int32(status.st_mode & S_IFMT) >> 12
    }
    if type == Int32(DT_DIR) {
      if !exclusions.exclude(below, isDirectory: true) { enter(name, in: directory, path, below, handle) }
    } else if type == Int32(DT_REG) && !exclusions.exclude(below, isDirectory: false) {
      openFile(directory, name, path, below: below, flags: O_NOFOLLOW, handle)
    }
  }

  private func enter(
    _ name: [CChar], in directory: Int32, _ path: [UInt8], _ below: [UInt8], _ handle: Handler
  ) {
    let descriptor = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 {
      // A directory that has become something else meanwhile is none.
      if errno != ELOOP && errno != ENOTDIR && errno != ENOENT {
        handle(.unreadable(path: path, error: errno))
      }
      return
    }
    var status = stat()
    if staysOnFileSystem && fstat(descriptor, &status) == 0 && status.st_dev != device {
      close(descriptor)
      return
    }
    walk(directory: descriptor, path, below: below, handle)
  }

  private func openFile(
    _ directory: Int32, _ name: UnsafePointer<CChar>, _ path: [UInt8], below: [UInt8], flags: Int32,
    _ handle: Handler
  ) {
    // Not to wait, should it have become a FIFO since it was listed.
    let descriptor = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags)
    if descriptor < 0 {
      if errno != ELOOP && errno != ENOENT { handle(.unreadable(path: path, error: errno)) }
      return
    }
    handle(.file(path: path, below: below, descriptor: descriptor))
  }

  private func joined(_ parent: [UInt8], _ name: [UInt8]) -> [UInt8] {
    if parent.isEmpty { return name }
    return parent.last == UInt8(ascii: "/") ? parent + name : parent + [UInt8(ascii: "/")] + name
  }
}
