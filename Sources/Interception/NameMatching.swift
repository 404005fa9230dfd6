internal import CAnnotRecords

extension JoinPointName {
  /// Whether this name, as a wish, means a join point of another name, by the rules of records' targets.
  func matches(_ actual: JoinPointName, isStatic: Bool) -> Bool {
    withTarget(isStatic: false) { wanted in
      actual.withTarget(isStatic: isStatic) { actual in annot_target_matches(&wanted, &actual) }
    }
  }

  /// Whether this name, in any of a selector's spellings, is that of a join point.
  ///
  /// - Parameter joinPoint: the join point's own name; a leading `+` or `-` of this one is not looked at.
  public func names(_ joinPoint: JoinPointName) -> Bool {
    matches(joinPoint, isStatic: false) || matches(joinPoint, isStatic: true)
  }

  private func withTarget<Result>(isStatic: Bool, _ body: (inout annot_target) -> Result) -> Result {
    var (module, cls, sel) = (self.module ?? "", self.cls, self.sel)
    let hasModule = self.module != nil
    return module.withUTF8 { module in
      cls.withUTF8 { cls in
        sel.withUTF8 { sel in
          var target = annot_target()
          target.module = hasModule ? text(module) : annot_text()
          target.cls = text(cls)
          target.sel = text(sel)
          target.is_static = isStatic
          return body(&target)
        }
      }
    }
  }

  private func text(_ bytes: UnsafeBufferPointer<UInt8>) -> annot_text {
    annot_text(
      bytes: UnsafeRawPointer(bytes.baseAddress!).assumingMemoryBound(to: CChar.self), length: bytes.count)
  }

  /// What `Shop.Account.transfer(to:)` can mean: a type in a module, or a type nested in another.
  static func readings(of text: String) -> [JoinPointName] {
    // The selector begins behind the last dot in front of its parameters.
    let head = text.prefix { $0 != "(" }
    guard let dot = head.lastIndex(of: ".") else { return [JoinPointName(cls: "", sel: text)] }
    let cls = String(head[..<dot])
    let sel = String(text[text.index(after: dot)...])
    var names = [JoinPointName(cls: cls, sel: sel)]
    if let first = cls.firstIndex(of: ".") {
      names.append(
        JoinPointName(module: String(cls[..<first]), cls: String(cls[cls.index(after: first)...]), sel: sel))
    }
    return names
  }

  /// The function that a record names, or nil if it names none; one at file scope has an empty class.
  public init?(_ record: AnnotationRecord) {
    guard let sel = record.sel else { return nil }
    self.init(module: record.module, cls: record.cls ?? "", sel: sel)
  }
}
