@preconcurrency import Glibc

/// What a file is by its first bytes, as far as annotations go.
enum FileContent {
  case elf, archive
  /// It only names its members, which are files of their own.
  case thinArchive
  case other

  /// Looks at an open file; nil, with errno set, when it cannot be read.
  init?(_ descriptor: Int32) {
    var bytes: (UInt64) = 0
    let count = pread(descriptor, &bytes, 8, 0)
    if count < 0 { return nil }
    let start = withUnsafeBytes(of: bytes) { Array($0.prefix(count)) }
    if start.starts(with: [0x7F, 0x45, 0x4C, 0x46]) {
      self = .elf
    } else if start == Array("!<arch>\n".utf8) {
      self = .archive
    } else if start == Array("!<thin>\n".utf8) {
      self = .thinArchive
    } else {
      self = .other
    }
  }
}
