internal import AnnotationRecords

/// Checks that annotations are about something that is there.
struct TargetsCheck {
  private let inventory: Inventory
  private let elsewhere: [TargetPattern]
  private var symbols: DefinedSymbols?
  private(set) var findings: [Finding] = []

  /// - Parameter elsewhere: Targets in files that were not given, such as plugins.
  init(_ inventory: Inventory, elsewhere: [TargetPattern]) {
    self.inventory = inventory
    self.elsewhere = elsewhere
    for record in inventory.unique {
      guard let cls = record.cls, let sel = record.sel, record.kind != "joinpoint" else { continue }
      check(record, cls, sel)
    }
  }

  private mutating func check(_ record: AnnotationRecord, _ cls: String, _ sel: String) {
    let points = inventory.joinPoints[cls] ?? []
    if points.contains(where: { record.isAbout($0) }) { return }
    let isC = record.module.map(moduleName) == "C"
    let acts = BuiltInKind.named(record.kind)?.needsJoinPoint ?? false
    guard acts || isC else { return }
    if elsewhere.contains(where: { $0.matches(record) }) {
      findings.append(
        Finding(
          rule: .elsewhere, level: .note, message: "'\(record.targetName)' is in a file that was not given",
          record: record))
    } else if acts {
      findings.append(noJoinPoint(record, cls, sel, points, isC: isC))
    } else if let finding = noSymbol(record, cls, sel) {
      findings.append(finding)
    }
  }

  private mutating func definedSymbols() -> DefinedSymbols {
    let result = symbols ?? DefinedSymbols(of: inventory.paths)
    symbols = result
    return result
  }

  /// An annotation of an application's own kind, which needs no join point, on a C function that is not there.
  private mutating func noSymbol(_ record: AnnotationRecord, _ cls: String, _ sel: String) -> Finding? {
    let symbols = definedSymbols()
    // A stripped file does not name its hidden functions, so nothing can be said.
    if symbols.stripped != nil || symbols.function(cls: cls, selector: sel) != nil { return nil }
    return Finding(
      rule: .noSymbol, level: .warning,
      message: "no function '\(cls)_\(baseName(ofSelector: sel))' is defined in the given files",
      mend: "correct the name, or give the file that has it too", near: symbols.near(cls: cls, selector: sel),
      record: record)
  }

  private mutating func noJoinPoint(
    _ record: AnnotationRecord, _ cls: String, _ sel: String, _ points: [AnnotationRecord], isC: Bool
  ) -> Finding {
    func finding(_ message: String, _ mend: String, near: [String] = []) -> Finding {
      Finding(rule: .noJoinPoint, message: message, mend: mend, near: near, record: record)
    }
    if let finding = otherModule(points, record, sel, finding) { return finding }
    if let finding = otherSign(points, record, sel, finding) { return finding }
    if isC, let function = definedSymbols().function(cls: cls, selector: sel) {
      return finding(
        "the function '\(function)' is no join point, so nothing can act on its calls",
        "define it with ANNOT_METHOD, or with ANNOT_METHOD_NAMED when it has a name of its own")
    }
    let mend =
      "correct the name, make the method a join point ("
      + (isC ? "ANNOT_METHOD" : "@NeedLogin, @Track or @JoinPoint at the method itself")
      + "), give the file that has it too, or name it with --elsewhere"
    if !points.isEmpty {
      return finding(
        "class '\(cls)' has no join point '\(sel)'", mend, near: nearSelectors(sel, among: points, cls))
    }
    let classes = nearest(to: cls, among: inventory.joinPoints.keys)
    return finding("no class '\(cls)' has a join point in the given files", mend, near: classes)
  }

  private typealias Making = (_ message: String, _ mend: String, _ near: [String]) -> Finding

  /// The method is there, in a module that the annotation does not name.
  private func otherModule(
    _ points: [AnnotationRecord], _ record: AnnotationRecord, _ sel: String, _ finding: Making
  ) -> Finding? {
    guard let module = record.module else { return nil }
    let modules = points.filter { point in
      point.sel.map { selector(sel, names: $0, isStatic: point.isStatic) } ?? false
    }
    .compactMap(\.module)
    guard let first = modules.first, !modules.contains(where: { moduleName($0) == moduleName(module) }) else {
      return nil
    }
    return finding(
      "module '\(module)' has no join point '\(record.targetName)', but module '\(first)' has",
      "write the module as '\(first)'", [])
  }

  /// The method is there, of the class and not of an instance or the other way round.
  private func otherSign(
    _ points: [AnnotationRecord], _ record: AnnotationRecord, _ sel: String, _ finding: Making
  ) -> Finding? {
    guard let sign = sel.first, sign == "+" || sign == "-", sel.count > 1 else { return nil }
    let name = String(sel.dropFirst())
    guard
      let point = points.first(where: { point in
        point.sel.map { selector(name, names: $0, isStatic: point.isStatic) } ?? false
      })
    else { return nil }
    return finding(
      "'\(sel)' asks for a method of \(sign == "+" ? "the class" : "an instance"), and "
        + "'\(point.targetName)' is one of \(sign == "+" ? "an instance" : "the class")",
      "write '\(name)'", [])
  }

  /// The names that may have been meant: first those that differ in the labels only.
  private func nearSelectors(_ sel: String, among points: [AnnotationRecord], _ cls: String) -> [String] {
    let names = points.compactMap(\.sel)
    let base = baseName(ofSelector: sel)
    let same = Set(names.filter { baseName(ofSelector: $0) == base }).sorted()
    if !same.isEmpty { return same.prefix(3).map { "\(cls).\($0)" } }
    var bases: [String: [String]] = [:]
    for name in names { bases[baseName(ofSelector: name), default: []].append(name) }
    return nearest(to: base, among: bases.keys).flatMap { Set(bases[$0] ?? []).sorted() }
      .prefix(3).map { "\(cls).\($0)" }
  }
}
