internal import Glibc

/// An open file, closed when it goes away.
public struct DescriptorOf: ~Copyable {
  /// The descriptor.
  public let number: Int32

  /// Opens a file for reading.
  public init(_ path: String) throws {
    number = open(path, O_RDONLY | O_CLOEXEC)
    if number < 0 { throw SupportError("cannot open \(path)") }
  }

  deinit { close(number) }
}
