internal import AnnotationRecords
internal import CAnnotRecords

/// The annotations of all files that are checked together.
struct Inventory {
  /// The records of all files; those that several files have are as often in it.
  private(set) var records: [AnnotationRecord] = []
  /// The same, each once.
  private(set) var unique: [AnnotationRecord] = []
  /// The join points, by their class.
  private(set) var joinPoints: [String: [AnnotationRecord]] = [:]
  /// The files' paths, for their symbols.
  private(set) var paths: [String] = []
  private var seen: Set<AnnotationRecord> = []

  /// - Parameter path: The file's path when it can be opened again.
  mutating func add(_ file: ELFAnnotations, path: String?) {
    if let path { paths.append(path) }
    records += file.records
    for record in file.records where seen.insert(record).inserted {
      unique.append(record)
      if record.kind == "joinpoint", let cls = record.cls { joinPoints[cls, default: []].append(record) }
    }
  }

  /// How many annotations there are of each kind.
  var counts: [String: Int] { records.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 } }
}

extension AnnotationRecord {
  /// Whether the record is about the method of another, a join point.
  func isAbout(_ joinPoint: AnnotationRecord) -> Bool {
    var (wanted, actual) = (target, joinPoint.target)
    return annot_target_matches(&wanted, &actual)
  }

  private var target: annot_target {
    let fields = fields
    return annot_target(module: fields.module, cls: fields.cls, sel: fields.sel, is_static: isStatic)
  }

  /// `Class.selector`, as messages name a target; the kind where there is none.
  var targetName: String {
    guard let cls else { return kind }
    return signedSelector.map { "\(cls).\($0)" } ?? cls
  }
}

/// Whether a selector, which may have a sign, names a method.
func selector(_ wanted: String, names actual: String, isStatic: Bool) -> Bool {
  var (wanted, actual) = (wanted, actual)
  return wanted.withUTF8 { wanted in
    actual.withUTF8 { actual in
      func text(_ bytes: UnsafeBufferPointer<UInt8>) -> annot_text {
        annot_text(
          bytes: UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self), length: bytes.count
        )
      }
      return annot_selector_matches(text(wanted), text(actual), isStatic)
    }
  }
}

/// The part of a selector before its labels, without a sign.
func baseName(ofSelector selector: String) -> String {
  let name = selector.prefix { $0 != "(" && $0 != ":" }
  return String(name.count > 1 && (name.hasPrefix("+") || name.hasPrefix("-")) ? name.dropFirst() : name)
}
