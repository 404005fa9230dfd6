/// A request that was found sound, with its advice for the join points that are known.
struct AdvicePreparation {
  let request: AdviceRequest
  let advice: [(shape: JoinPointShape, advice: Advice)]

  /// Checks requests that are to be added together; throws for the first that cannot be.
  static func prepare(
    _ requests: [AdviceRequest], _ rules: [Rule], _ shapes: [JoinPointShape]
  ) throws(InterceptionError) -> [AdvicePreparation] {
    var identifiers: [String: String] = [:]
    for rule in rules {
      if let identifier = rule.request.identifier { identifiers[identifier] = rule.request.place }
    }
    var prepared: [AdvicePreparation] = []
    for request in requests {
      if let identifier = request.identifier {
        if let other = identifiers.updateValue(request.place, forKey: identifier) {
          throw InterceptionError(
            .duplicateIdentifier, request.pointcut.anyName,
            "there is advice with the identifier '\(identifier)'\(other) already; remove that first")
        }
      }
      prepared.append(try AdvicePreparation(request, shapes))
    }
    return prepared
  }

  private init(_ asked: AdviceRequest, _ shapes: [JoinPointShape]) throws(InterceptionError) {
    var request = asked
    if request.isOnce { request.condition.once = OneShot() }
    let selected = shapes.filter { request.pointcut.selects(JoinPointInfo($0)) }
    var advice: [(shape: JoinPointShape, advice: Advice)] = []
    var firstError: InterceptionError?
    for shape in selected {
      do throws(InterceptionError) {
        advice.append((shape, try request.make(shape, request.condition)))
      } catch {
        firstError = firstError ?? error
      }
    }
    // Overloads of one name: advice over types is for those that have them.
    if advice.isEmpty, let firstError { throw firstError }
    if selected.isEmpty { try Self.checkName(request) }
    self.request = request
    self.advice = advice
  }

  /// Throws where a name cannot be that of a join point: its type is there, and has none of that name.
  private static func checkName(_ request: AdviceRequest) throws(InterceptionError) {
    guard !request.mayWait, let name = request.pointcut.name else { return }
    let declared = AnnotationRegistry.shared.records(ofKind: "joinpoint")
    for record in declared {
      if let info = JoinPointInfo(record), request.pointcut.selects(info) {
        try check(request, record)
        return
      }
    }
    let ofType = declared.filter { record in
      record.cls == name.cls && (name.module == nil || record.module == nil || name.module == record.module)
    }
    guard !ofType.isEmpty, !name.cls.isEmpty else { return }
    let known = Set(ofType.compactMap(\.sel)).sorted().joined(separator: ", ")
    throw InterceptionError(
      .unknownJoinPoint, name,
      "\(name.cls) has no join point of this name; it has \(known). Advice for one that comes later is added "
        + "with waiting()")
  }

  /// Checks what the record of a join point that was not called yet tells of its parameters.
  private static func check(_ request: AdviceRequest, _ record: AnnotationRecord) throws(InterceptionError) {
    guard let recorded = RecordedParameters(record) else { return }
    let target = request.pointcut.anyName
    if request.position == .around, recorded.isAsync == true, !request.canAwait {
      throw .needsAwait(target)
    }
    guard let wanted = request.argumentCount, let names = recorded.names, wanted != names.count else {
      return
    }
    throw InterceptionError(
      .typeMismatch, target,
      "the advice is for \(request.signature), the join point has the parameters "
        + "(\(names.joined(separator: ", ")))")
  }
}

extension InterceptionError {
  static func needsAwait(_ joinPoint: JoinPointName) -> InterceptionError {
    InterceptionError(
      .notInterceptable, joinPoint,
      "an async join point needs around advice that can await: AdviceRequest.around(_:_:async:), or a key of "
        + "#asyncJoinPoint")
  }
}

extension AdviceRequest {
  /// ` (added at FILE:LINE)`, if known.
  var place: String { file.isEmpty ? "" : " (added at \(file):\(line))" }
}

extension Pointcut {
  var anyName: JoinPointName { name ?? JoinPointName(cls: "", sel: text) }
}
