@preconcurrency import Glibc

/// The files that a process has mapped, opened as the process sees them.
struct ProcessFiles {
  /// Why a process cannot be looked into, as a message for people.
  struct Problem: Error {
    let message: String
  }

  /// What opening a file gave.
  enum Opened {
    /// A descriptor, which the receiver closes, and the file's path in the process.
    case file(descriptor: Int32, path: [UInt8])
    /// It is no regular file.
    case other
    case unreadable(path: [UInt8], reason: String)
  }

  let files: [MappedFile]
  private let directory: String

  /// - Parameter process: The process's number.
  init(of process: UInt64) throws(Problem) {
    directory = "/proc/\(process)"
    guard let maps = readFile("\(directory)/maps", limit: 256 << 20) else {
      throw Problem(message: Self.reason(errno, process))
    }
    files = MappedFile.all(in: maps)
    if maps.isEmpty {
      throw Problem(message: "process \(process) has no memory of its own: it has ended, or is the kernel's")
    }
  }

  private static func reason(_ error: Int32, _ process: UInt64) -> String {
    switch error {
    case ENOENT, ESRCH: "there is no process \(process)"
    case EACCES, EPERM:
      "process \(process) may not be looked into: that needs its user's rights, or root's (CAP_SYS_PTRACE)"
    default: "process \(process): \(String(cString: strerror(error)))"
    }
  }

  /// Opens a file: by its path as the process sees it, or the very file that is mapped when another is there now.
  func open(_ file: MappedFile) -> Opened {
    for path in file.paths {
      let descriptor = openRegular(Array("\(directory)/root".utf8) + path, inode: file.inode)
      if let descriptor { return .file(descriptor: descriptor, path: path) }
    }
    let path = file.deletedPath ?? file.paths[0]
    if let descriptor = openRegular(Array("\(directory)/map_files/".utf8) + file.mapping, inode: file.inode) {
      return .file(descriptor: descriptor, path: path)
    }
    switch errno {
    case EINVAL: return .other
    case EPERM, EACCES:
      return .unreadable(
        path: path,
        reason:
          "was deleted or replaced since the process mapped it, and reading what is mapped needs root's rights "
          + "(CAP_CHECKPOINT_RESTORE)")
    case ENOENT: return .unreadable(path: path, reason: "is not mapped any more")
    default: return .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
  }

  /// A descriptor of a regular file of that inode; nil with errno, EINVAL when there is something else.
  ///
  /// Devices are not opened: that can do things.
  private func openRegular(_ path: [UInt8], inode: UInt64) -> Int32? {
    withCString(path) { path in
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      guard status.st_mode & S_IFMT == S_IFREG, status.st_ino == inode else {
        errno = status.st_mode & S_IFMT == S_IFREG ? ENOENT : EINVAL
        return nil
      }
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
      guard descriptor >= 0 else { return nil }
      if fstat(descriptor, &status) == 0 && status.st_ino == inode { return descriptor }
      close(descriptor)
      errno = ENOENT
      return nil
    }
  }
}
