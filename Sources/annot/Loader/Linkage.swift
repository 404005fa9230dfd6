internal import CAnnotRecords

/// What an executable or shared object tells the loader.
struct Linkage {
  /// What must be the same for two files to be of one process.
  struct Architecture: Hashable {
    let is64Bit, isBigEndian: Bool
    /// `e_machine` of the ELF header.
    let machine: UInt32
  }

  let path: String
  let architecture: Architecture
  let interpreter, soname, rpath, runpath: String?
  let usesDefaultDirectories: Bool
  let needed: [String]

  /// Reads a file; nil when it is nothing that is loaded, or cannot be read.
  init?(path: String) {
    var options = annot_file_options()
    options.headers_only = true
    options.linkage = true
    guard let file = annot_file_open(path, &options, nil) else { return nil }
    defer { annot_file_close(file) }
    guard let raw = annot_file_linkage(file)?.pointee, raw.is_loaded else { return nil }
    func text(_ bytes: UnsafePointer<CChar>?) -> String? { bytes.map { String(cString: $0) } }
    self.path = path
    architecture = Architecture(is64Bit: raw.is_64, isBigEndian: raw.is_big_endian, machine: raw.machine)
    interpreter = text(raw.interpreter)
    soname = text(raw.soname)
    rpath = text(raw.rpath)
    runpath = text(raw.runpath)
    usesDefaultDirectories = !raw.no_default_libraries
    needed = (0..<raw.needed_count).compactMap { text(raw.needed[$0]) }
  }
}
