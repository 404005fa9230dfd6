internal import AnnotationRecords
@preconcurrency import Glibc

/// A file that a command's arguments name; `-` is standard input.
struct InputFile {
  /// NUL-terminated, as the system gave it, since it need not be UTF-8.
  let path: UnsafePointer<CChar>

  /// Whether it is standard input.
  var isStandardInput: Bool { strcmp(path, "-") == 0 }

  /// Whether there is something at the path; sets errno when not.
  var exists: Bool {
    var status = stat()
    return isStandardInput || stat(path, &status) == 0
  }

  /// Whether there is a directory at the path.
  var isDirectory: Bool {
    var status = stat()
    return !isStandardInput && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// What it is called in data: bytes that are not UTF-8 become U+FFFD.
  var name: String { String(cString: path) }

  /// What it is called in text for people.
  var shown: String { escaped(UnsafeRawBufferPointer(start: path, count: strlen(path))) }

  /// Reads it.
  func read(_ options: ELFAnnotations.Options) throws(AnnotationError) -> ELFAnnotations {
    if !isStandardInput { return try ELFAnnotations(rawPath: path, name: name, options: options) }
    let input = try StandardInput()
    return try ELFAnnotations(descriptor: input.descriptor, name: name, options: options)
  }
}
