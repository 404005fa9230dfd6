internal import AnnotationRecords
internal import CAnnotRecords

/// The names of the functions and objects that files define.
struct DefinedSymbols {
  private(set) var names: Set<String> = []
  /// The first file whose hidden functions are not named, as it was stripped.
  private(set) var stripped: String?

  /// Reads the symbol tables of files; what cannot be read has none.
  init(of paths: [String]) {
    final class Collector { var names: Set<String> = [] }
    let collector = Collector()
    for path in paths {
      var options = annot_file_options()
      options.headers_only = true
      options.symbol = { name, context in
        guard let name, let context else { return }
        Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue().names.insert(String(cString: name))
      }
      options.symbol_context = Unmanaged.passUnretained(collector).toOpaque()
      guard let file = annot_file_open(path, &options, nil) else { continue }
      if !annot_file_has_symbol_table(file) { stripped = stripped ?? path }
      annot_file_close(file)
    }
    names = collector.names
  }

  /// The name of the C or C++ function that a target means, if it is defined.
  ///
  /// C's macros name functions `CLASS_SELECTOR`; C++ names are mangled by the Itanium ABI, in which each part of a
  /// qualified name stands behind its length.
  func function(cls: String, selector: String) -> String? {
    let base = baseName(ofSelector: selector)
    let plain = "\(cls)_\(base)"
    if names.contains(plain) { return plain }
    let parts = cls.split(separator: ":").map(String.init) + [base]
    let mangled = parts.map { "\($0.utf8.count)\($0)" }.joined()
    return names.contains { $0.hasPrefix("_Z") && $0.contains(mangled) } ? "\(cls)::\(base)" : nil
  }

  /// The names that come nearest to the function of a target.
  func near(cls: String, selector: String) -> [String] {
    nearest(to: "\(cls)_\(baseName(ofSelector: selector))", among: names.lazy.filter { !$0.hasPrefix("_") })
  }
}
