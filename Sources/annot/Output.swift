@preconcurrency import Glibc

/// Standard output, buffered; a failed write ends the program as the rules for the CLI have it.
struct Output: ~Copyable {
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
  private var count = 0

  deinit { buffer.deallocate() }

  /// Puts descriptors in the place of standard ones that are closed.
  ///
  /// So no file that is opened gets their numbers. Writing to the one for standard output fails, as it would have.
  static func holdStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count > buffer.count - count { flush() }
    if bytes.count > buffer.count { return Self.write(bytes) }
    guard let first = bytes.baseAddress else { return }
    memcpy(buffer.baseAddress! + count, first, bytes.count)
    count += bytes.count
  }

  mutating func write(_ text: StaticString) {
    write(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes a number in decimal.
  mutating func write(_ number: UInt64) {
    if buffer.count - count < 20 { flush() }
    // From the last digit on, at the end of the room for it, and then moved to its place.
    let digits = buffer.baseAddress! + count
    var (rest, first) = (number, 20)
    repeat {
      first -= 1
      digits.storeBytes(
        of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10), toByteOffset: first, as: UInt8.self)
      rest /= 10
    } while rest > 0
    memmove(digits, digits + first, 20 - first)
    count += 20 - first
  }

  /// Writes bytes, a number in decimal and more bytes, with one look at the room that is left: of such lines there
  /// are many.
  mutating func write(
    _ beginning: UnsafeRawBufferPointer, _ number: UInt64, _ middle: StaticString,
    _ body: UnsafeRawBufferPointer,
    _ end: StaticString
  ) {
    let fixed = beginning.count + 20 + middle.utf8CodeUnitCount + end.utf8CodeUnitCount
    if fixed + body.count > buffer.count - count { flush() }
    if fixed + body.count > buffer.count {
      write(beginning)
      write(number)
      write(middle)
      write(body)
      return write(end)
    }
    put(beginning.baseAddress, beginning.count)
    write(number)
    put(middle.utf8Start, middle.utf8CodeUnitCount)
    put(body.baseAddress, body.count)
    put(end.utf8Start, end.utf8CodeUnitCount)
  }

  /// Takes over bytes that there is room for.
  @inline(__always)
  private mutating func put(_ bytes: UnsafeRawPointer?, _ size: Int) {
    guard let bytes else { return }
    (buffer.baseAddress! + count).copyMemory(from: bytes, byteCount: size)
    count += size
  }

  /// Writes what is buffered.
  mutating func flush() {
    Self.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    count = 0
  }

  private static func write(_ bytes: UnsafeRawBufferPointer) {
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(STDOUT_FILENO, bytes.baseAddress! + done, bytes.count - done)
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        var waited = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&waited, 1, -1)
      } else if errno != EINTR {
        fail(errno)
      }
    }
  }

  /// Ends the program: quietly when the reader of the pipe is gone, else with a message.
  private static func fail(_ error: Int32) -> Never {
    if error == EPIPE {
      // Whoever ignores SIGPIPE for us still sees the usual death by it.
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    }
    complain("standard output: \(String(cString: strerror(error)))")
    exit(ExitStatus.trouble.rawValue)
  }
}

/// Writes `annot: MESSAGE` to standard error.
///
/// Text from files in it must be escaped.
func complain(_ message: String) {
  var line = "annot: " + message + "\n"
  line.withUTF8 { bytes in
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(STDERR_FILENO, bytes.baseAddress! + done, bytes.count - done)
      if count < 0 && errno != EINTR { return }
      done += max(count, 0)
    }
  }
}
