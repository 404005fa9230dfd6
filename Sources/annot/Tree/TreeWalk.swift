@preconcurrency import Glibc

/// What a walk through a tree meets.
enum TreeEvent {
  /// A regular file, which is not opened yet.
  case file(TreeFile)
  /// A directory that could not be read, or something of which it cannot be told what it is, and the error's number.
  case unreadable(path: [UInt8], error: Int32)
}

/// Walks through a directory and all below it, in the order of the names.
///
/// Symbolic links are not followed, but for the root itself. Nothing but directories is opened: no FIFO, device or
/// socket. The memory needed grows with the depth of the tree alone.
struct TreeWalk {
  /// Is told of what is met.
  typealias Handler = (TreeEvent) -> Void

  let exclusions: Exclusions
  /// Whether directories on other file systems than the root are left out.
  let staysOnFileSystem: Bool
  private var device = dev_t()

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
    case S_IFREG: handle(.file(TreeFile(directory: nil, name: path)))
    default: handle(.unreadable(path: path, error: ENOTDIR))
    }
  }

  /// - Parameter descriptor: Closed when nobody needs the directory any more.
  private func walk(directory descriptor: Int32, _ path: [UInt8], below: [UInt8], _ handle: Handler) {
    let directory = TreeDirectory(descriptor, path: path, below: below)
    if directory?.forEach({ visit($0, in: directory!, handle) }) != true {
      handle(.unreadable(path: path, error: errno))
    }
  }

  private func visit(_ entry: TreeDirectory.Entry, in directory: TreeDirectory, _ handle: Handler) {
    var type = Int32(entry.type)
    if type == Int32(DT_UNKNOWN) {
      var status = stat()
      let result = withCString(entry.name) { fstatat(directory.descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
      guard result == 0 else {
        return handle(.unreadable(path: joined(directory.path, entry.name), error: errno))
      }
      type = Int32(status.st_mode & S_IFMT) >> 12
    }
    let file = TreeFile(directory: directory, name: entry.name)
    if type == Int32(DT_DIR) {
      if !exclusions.exclude(file, isDirectory: true) { enter(file, in: directory, handle) }
    } else if type == Int32(DT_REG) && !exclusions.exclude(file, isDirectory: false) {
      handle(.file(file))
    }
  }

  private func enter(_ file: TreeFile, in directory: TreeDirectory, _ handle: Handler) {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let descriptor = withCString(file.name) { openat(directory.descriptor, $0, flags) }
    if descriptor < 0 {
      // A directory that has become something else meanwhile is none.
      let isGone = errno == ELOOP || errno == ENOTDIR || errno == ENOENT
      if !isGone { handle(.unreadable(path: file.path, error: errno)) }
      return
    }
    var status = stat()
    if staysOnFileSystem && fstat(descriptor, &status) == 0 && status.st_dev != device {
      close(descriptor)
      return
    }
    walk(directory: descriptor, file.path, below: file.below, handle)
  }
}
