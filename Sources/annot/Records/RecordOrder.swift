internal import AnnotationRecords

/// What records are sorted by.
enum RecordOrder: String, CaseIterable {
  /// By source file, line, kind, class and selector: the order in which they are read.
  case place
  case kind, target, module, offset

  static var option: OptionDescription {
    OptionDescription(
      "sort", nil, "KEY", .choice(allCases.map(\.rawValue)),
      help:
        "sort by place (default: source file and line), kind, target (class and selector), module, or offset "
        + "in the section; what is equal stays sorted by place")
  }

  /// The records in this order.
  ///
  /// - Parameter records: In the readers' order.
  func callAsFunction(_ records: [AnnotationRecord]) -> [AnnotationRecord] {
    switch self {
    case .place: records
    case .offset: records.sorted { $0.offset < $1.offset }
    case .kind: sorted(records) { [$0.kind] }
    case .target: sorted(records) { [$0.cls ?? "", $0.sel ?? ""] }
    case .module: sorted(records) { [$0.module ?? "", $0.cls ?? "", $0.sel ?? ""] }
    }
  }

  /// Sorts by keys that are made once for each; what has equal keys stays in its order.
  private func sorted(
    _ records: [AnnotationRecord], by keys: (AnnotationRecord) -> [String]
  ) -> [AnnotationRecord] {
    let keyed = records.enumerated().map { (keys: keys($1), index: $0) }
    return keyed.sorted { a, b in
      for (x, y) in zip(a.keys, b.keys) where x != y { return x < y }
      return a.index < b.index
    }
    .map { records[$0.index] }
  }
}
