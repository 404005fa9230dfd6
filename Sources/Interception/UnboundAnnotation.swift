internal import AnnotationRecords

/// An annotation that names a target where no join point is, so that nothing can act on its calls.
public struct UnboundAnnotation: Sendable {
  /// The annotation's record, which tells file and line.
  public let record: AnnotationRecord
  /// The target that it names.
  public let target: JoinPointName
  /// What is wrong, the near names and the mend, in plain words.
  public let message: String
}

extension UnboundAnnotation: CustomStringConvertible {
  /// `file:line: kind target: message`.
  public var description: String {
    "\(record.file ?? "?"):\(record.line ?? 0): \(record.kind) of \(target): \(message)"
  }
}

extension InterceptionRegistry {
  /// The annotations of the loaded images that act on calls, by a gate or a tracker for instance, and whose target is
  /// no join point.
  ///
  /// Those whose class may come with an image that is not loaded yet are among them, and say so.
  /// - Parameter kinds: the kinds of annotations to look at.
  public func unbound(kinds: [String] = ["needlogin", "track"]) -> [UnboundAnnotation] {
    let declared = AnnotationRegistry.shared.records(ofKind: "joinpoint").compactMap { JoinPointInfo($0) }
    let binding = Binding(declared + joinPoints)
    return kinds.flatMap { AnnotationRegistry.shared.records(ofKind: $0) }.compactMap { binding.check($0) }
  }

  /// The annotations without a join point of the kinds that act on calls; see ``unbound(kinds:)``.
  public var unbound: [UnboundAnnotation] { unbound() }
}

/// Finds the join points that annotations are about.
private struct Binding {
  private let byClass: [String: [JoinPointInfo]]

  init(_ joinPoints: [JoinPointInfo]) { byClass = Dictionary(grouping: joinPoints, by: \.name.cls) }

  /// Nil when the annotation's target is a join point, or it names none.
  func check(_ record: AnnotationRecord) -> UnboundAnnotation? {
    guard var target = JoinPointName(record) else { return nil }
    let points = byClass[target.cls] ?? []
    if record.isStatic, !target.sel.hasPrefix("+") { target.sel = "+" + target.sel }
    if points.contains(where: { target.matches($0.name, isStatic: $0.isStatic) }) { return nil }
    return UnboundAnnotation(record: record, target: target, message: message(target, points))
  }

  private func message(_ target: JoinPointName, _ points: [JoinPointInfo]) -> String {
    guard !points.isEmpty else {
      return "no loaded image has a join point of this class"
        + near(nearest(to: target.cls, among: byClass.keys))
        + "; correct the name, make the method a join point, or load the image that has it"
    }
    var anyModule = target
    anyModule.module = nil
    if let other = points.first(where: { anyModule.matches($0.name, isStatic: $0.isStatic) }) {
      return "module '\(target.module ?? "")' has no such join point; "
        + "module '\(other.name.module ?? "")' has one: write that"
    }
    let base = baseName(target.sel)
    let selectors = points.map(\.name.sel)
    let same = Set(selectors.filter { baseName($0) == base }).sorted()
    let names = same.isEmpty ? nearest(to: target.sel, among: selectors) : same
    return "the class has no join point of this name" + near(names)
      + "; correct the name, or make the method one: ANNOT_METHOD in C, @JoinPoint in Swift"
  }

  private func near(_ names: [String]) -> String {
    names.isEmpty ? "" : " (near: \(names.joined(separator: ", ")))"
  }

  /// The selector without sign and labels.
  private func baseName(_ sel: String) -> Substring {
    let unsigned = sel.hasPrefix("+") || sel.hasPrefix("-") ? sel.dropFirst() : sel[...]
    return unsigned.prefix { $0 != "(" && $0 != ":" }
  }
}
