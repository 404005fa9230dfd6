internal import AnnotationRecords

/// A pattern of targets: `[MODULE/]CLASS[.SELECTOR]`, in which `*` and `?` are wildcards.
struct TargetPattern {
  /// As it was given.
  let text: String
  private let module: Glob?
  private let cls, selector: Glob
  /// The part that is about the class, wildcards and all.
  let className: String

  init(_ text: String) {
    self.text = text
    var rest = text[...]
    if let slash = rest.firstIndex(of: "/") {
      module = Glob(moduleName(String(rest[..<slash])))
      rest = rest[rest.index(after: slash)...]
    } else {
      module = nil
    }
    // The last dot before the labels: a Swift type's name may have dots itself.
    let name = rest.prefix { $0 != "(" }
    if let dot = name.lastIndex(of: ".") {
      className = String(rest[..<dot])
      selector = Glob(String(rest[rest.index(after: dot)...]))
    } else {
      className = String(rest)
      selector = Glob("*")
    }
    cls = Glob(className)
  }

  /// Whether it is about the record's target.
  func matches(_ record: AnnotationRecord) -> Bool {
    guard let cls = record.cls, self.cls.matches(cls) else { return false }
    if let module, !module.matches(record.module.map(moduleName) ?? "") { return false }
    let sel = record.sel ?? ""
    return selector.matches(sel) || selector.matches(baseName(ofSelector: sel))
  }
}
