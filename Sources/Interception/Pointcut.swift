internal import CAnnotRecords

/// Selects join points: by name, by an annotation they carry, by a predicate, or by a combination of these.
///
///     let transfers: Pointcut = "Shop.Account.transfer*"
///     let gated = Pointcut.annotated(NeedLogin.self) && !"Shop.Login.*"
public struct Pointcut: Sendable {
  /// Tells whether a join point is selected.
  let selects: @Sendable (JoinPointInfo) -> Bool
  /// Whether the answer depends on the annotations of the loaded images.
  let readsAnnotations: Bool
  /// The one name that it stands for, if it does.
  let name: JoinPointName?
  /// For messages and lists.
  let text: String

  private init(
    _ text: String, name: JoinPointName? = nil, readsAnnotations: Bool = false,
    _ selects: @escaping @Sendable (JoinPointInfo) -> Bool
  ) {
    self.text = text
    self.name = name
    self.readsAnnotations = readsAnnotations
    self.selects = selects
  }

  /// Selects the join points of a name.
  ///
  /// - Parameter name: module (nil for any), type and selector.
  public init(_ name: JoinPointName) {
    self.init("\(name)", name: name) { name.matches($0.name, isStatic: $0.isStatic) }
  }

  /// Selects the join points of the first of these names that any has, as its record says.
  init(nearestOf names: [JoinPointName]) {
    guard names.count > 1 else {
      self.init(names[0])
      return
    }
    let declared = AnnotatedTargets(kind: "joinpoint")
    self.init("\(names[0])", name: names[0]) { info in
      for name in names {
        if name.matches(info.name, isStatic: info.isStatic) { return true }
        // A nearer implementation has a join point of its own.
        if declared.contain(name) { return false }
      }
      return false
    }
  }

  /// Selects by a pattern: `module.type.selector` or `type.selector`, where `*` stands for any text.
  ///
  /// Without `*` the selector may be in any of its spellings, see ``JoinPointName/sel``.
  /// - Parameter pattern: the pattern.
  public static func named(_ pattern: String) -> Pointcut {
    if pattern.contains("*") {
      return Pointcut(pattern) { info in
        let short = "\(info.name.cls).\(info.name.sel)"
        return Glob.matches(pattern, short) || Glob.matches(pattern, "\(info.name.module ?? "").\(short)")
      }
    }
    let candidates = JoinPointName.readings(of: pattern)
    return Pointcut(pattern, name: candidates.count == 1 ? candidates[0] : nil) { info in
      candidates.contains { $0.matches(info.name, isStatic: info.isStatic) }
    }
  }

  /// Selects the join points that carry an annotation of a kind.
  ///
  /// - Parameter kind: the annotation's type; its records name their target by `cls` and `sel`.
  public static func annotated<Kind: Annotation>(_ kind: Kind.Type) -> Pointcut {
    annotated(kind: kind.kind)
  }

  /// Selects the join points that carry an annotation of a kind.
  ///
  /// - Parameter kind: the kind's name, as records have it.
  public static func annotated(kind: String) -> Pointcut {
    let targets = AnnotatedTargets(kind: kind)
    return Pointcut("annotated(\(kind))", readsAnnotations: true) { targets.contain($0) }
  }

  /// Selects by a predicate, which is asked once for each join point, under the registry's lock.
  ///
  /// - Parameters:
  ///   - text: names the pointcut in lists.
  ///   - predicate: tells whether a join point is selected; must not call advised functions for the first time.
  public static func `where`(
    _ text: String = "where", _ predicate: @escaping @Sendable (JoinPointInfo) -> Bool
  ) -> Pointcut {
    Pointcut(text, predicate)
  }

  /// Selects what both select.
  public static func && (left: Pointcut, right: Pointcut) -> Pointcut {
    Pointcut(
      "(\(left.text) && \(right.text))", readsAnnotations: left.readsAnnotations || right.readsAnnotations
    ) { left.selects($0) && right.selects($0) }
  }

  /// Selects what either selects.
  public static func || (left: Pointcut, right: Pointcut) -> Pointcut {
    Pointcut(
      "(\(left.text) || \(right.text))", readsAnnotations: left.readsAnnotations || right.readsAnnotations
    ) { left.selects($0) || right.selects($0) }
  }

  /// Selects what the pointcut does not.
  public static prefix func ! (pointcut: Pointcut) -> Pointcut {
    Pointcut("!\(pointcut.text)", readsAnnotations: pointcut.readsAnnotations) { !pointcut.selects($0) }
  }
}

extension Pointcut: ExpressibleByStringLiteral {
  /// A pointcut of a pattern, see ``named(_:)``.
  public init(stringLiteral pattern: String) { self = .named(pattern) }
}

extension Pointcut: CustomStringConvertible {
  /// The pointcut as text.
  public var description: String { text }
}

/// Text patterns in which `*` stands for any text.
enum Glob {
  static func matches(_ pattern: String, _ text: String) -> Bool {
    matches(Array(pattern.utf8)[...], Array(text.utf8)[...])
  }

  private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
    var (pattern, text) = (pattern, text)
    // Where to try again: behind the last star, and one byte further in the text.
    var retry: (pattern: ArraySlice<UInt8>, text: ArraySlice<UInt8>)?
    while true {
      if let next = pattern.first, next == UInt8(ascii: "*") {
        pattern = pattern.dropFirst()
        retry = (pattern, text)
      } else if let next = pattern.first, next == text.first {
        (pattern, text) = (pattern.dropFirst(), text.dropFirst())
      } else if pattern.isEmpty, text.isEmpty {
        return true
      } else if let again = retry, !again.text.isEmpty {
        retry = (again.pattern, again.text.dropFirst())
        (pattern, text) = (again.pattern, again.text.dropFirst())
      } else {
        return false
      }
    }
  }
}
