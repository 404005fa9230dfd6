internal import AnnotationRecords
@preconcurrency import Glibc

/// Standard input as a file that can be read at any offset: itself when it is one, else a temporary copy.
struct StandardInput: ~Copyable {
  let descriptor: Int32
  private let isCopy: Bool

  /// Reads standard input to its end when it is a pipe.
  init() throws(AnnotationError) {
    var status = stat()
    if fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT != S_IFIFO
      && status.st_mode & S_IFMT != S_IFSOCK
    {
      descriptor = STDIN_FILENO
      isCopy = false
      return
    }
    descriptor = Self.temporaryFile()
    isCopy = true
    guard descriptor >= 0, Self.copy(to: descriptor) else {
      throw AnnotationError(
        code: .system, path: "-", systemError: errno,
        reason: "standard input cannot be read: \(String(cString: strerror(errno)))")
    }
  }

  deinit {
    if isCopy && descriptor >= 0 { close(descriptor) }
  }

  /// A file without a name, which is gone when it is closed.
  private static func temporaryFile() -> Int32 {
    let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(directory)/annot-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    if descriptor >= 0 { unlink(template) }
    return descriptor
  }

  private static func copy(to descriptor: Int32) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while true {
        let count = read(STDIN_FILENO, buffer.baseAddress!, buffer.count)
        if count == 0 { return true }
        if count < 0 && errno != EINTR { return false }
        var done = 0
        while done < count {
          let written = write(descriptor, buffer.baseAddress! + done, count - done)
          if written < 0 && errno != EINTR { return false }
          done += max(written, 0)
        }
      }
    }
  }
}
