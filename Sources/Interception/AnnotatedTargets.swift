internal import Synchronization

/// The targets of a kind's annotations, read again when images come or go.
final class AnnotatedTargets: Sendable {
  private let kind: String
  private let known = Mutex<(generation: UInt64, names: [String: [JoinPointName]])>((0, [:]))

  init(kind: String) { self.kind = kind }

  /// Whether an annotation of the kind names the join point.
  func contain(_ info: JoinPointInfo) -> Bool {
    let generation = AnnotationRegistry.shared.generation
    let candidates = known.withLock { $0.generation == generation ? $0.names : nil } ?? read(generation)
    return candidates[info.name.cls]?.contains { $0.matches(info.name, isStatic: info.isStatic) } ?? false
  }

  /// Whether an annotation of the kind is for a target of the name.
  func contain(_ name: JoinPointName) -> Bool {
    let generation = AnnotationRegistry.shared.generation
    let candidates = known.withLock { $0.generation == generation ? $0.names : nil } ?? read(generation)
    return candidates[name.cls]?.contains { record in
      name.matches(record, isStatic: record.sel.hasPrefix("+"))
    } ?? false
  }

  private func read(_ generation: UInt64) -> [String: [JoinPointName]] {
    // The records, not the decoded annotations: one that lacks some member still names its target.
    var names: [String: [JoinPointName]] = [:]
    for record in AnnotationRegistry.shared.records(ofKind: kind) {
      guard var name = JoinPointName(record) else { continue }
      if record.isStatic, !name.sel.hasPrefix("+") { name.sel = "+" + name.sel }
      names[name.cls, default: []].append(name)
    }
    known.withLock { $0 = (generation, names) }
    return names
  }
}
