internal import CAnnot

/// A Swift join point over its types; its frames are ``DynamicFrame``s.
@usableFromInline
final class SwiftJoinPointShape<Target, Arguments, Output>: JoinPointShape, @unchecked Sendable {
  @usableFromInline typealias Frame = DynamicFrame<Target, Arguments, Output>

  let declaration: WovenDeclaration

  init(_ declaration: WovenDeclaration) {
    self.declaration = declaration
    super.init(
      declaration.name, isStatic: declaration.form.contains(.isStatic), file: declaration.file,
      line: declaration.line, info: makeInfo(declaration))
  }

  private func frame(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Frame> {
    address.assumingMemoryBound(to: Frame.self)
  }

  override var signature: String {
    let parameters = declaration.layout.arguments.map { "\($0.type)" }.joined(separator: ", ")
    let effects = (isAsync ? "async " : "") + (canThrow ? "throws " : "")
    return "(\(parameters)) \(effects)-> \(Output.self)"
  }
  override var targetTypeName: String { Target.self == Void.self ? "" : "\(Target.self)" }
  override var argumentCount: Int { declaration.layout.arguments.count }
  override var argumentNames: [String] { declaration.names }
  override var returnsVoid: Bool { Output.self == Void.self }
  override var isAsync: Bool { declaration.form.contains(.isAsync) }
  override var canThrow: Bool { declaration.failure != Never.self }

  override func canThrow(_ error: any Error) -> Bool {
    func fits<Failure>(_ type: Failure.Type) -> Bool { error is Failure }
    return _openExistential(declaration.failure, do: fits)
  }

  override func dynamic(
    _ position: AdvicePosition, _ condition: AdviceCondition,
    _ body: @escaping @Sendable (Invocation) throws -> Void
  ) throws(InterceptionError) -> Advice { try makeDynamic(position, condition, body) }

  override func asyncDynamic(
    _ condition: AdviceCondition, _ body: @escaping AdviceRequest.AsyncBody
  ) throws(InterceptionError) -> Advice { try makeAsyncDynamic(condition, body) }

  override func before<T, A>(
    _ advice: TypedBefore<T, A>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? { try makeBefore(advice, condition) }

  override func around<T, A, R>(
    _ advice: TypedAround<T, A, R>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? { try makeAround(advice, condition) }

  override func after<T, A, R>(
    _ advice: TypedAfter<T, A, R>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? { try makeAfter(advice, condition) }

  override func asyncBefore<T, A>(
    _ advice: AsyncBefore<T, A>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? { try makeAsyncBefore(advice, condition) }

  override func asyncAround<T, A, R>(
    _ advice: AsyncAround<T, A, R>, _ condition: AdviceCondition
  ) throws(InterceptionError) -> Advice? { try makeAsyncAround(advice, condition) }

  override func target(_ frame: UnsafeMutableRawPointer) -> Any? {
    Target.self == Void.self ? nil : self.frame(frame).pointee.target.pointee
  }

  override func argument<Value>(
    _ frame: UnsafeMutableRawPointer, _ index: Int, as type: Value.Type
  ) throws(InterceptionError) -> Value {
    try checkIndex(index)
    return try read(UnsafeRawPointer(self.frame(frame).pointee.arguments), index, as: type)
  }

  func read<Value>(
    _ tuple: UnsafeRawPointer, _ index: Int, as type: Value.Type
  ) throws(InterceptionError) -> Value {
    let argument = declaration.layout.arguments[index]
    if argument.type == Value.self {
      return (tuple + argument.offset).assumingMemoryBound(to: type).pointee
    }
    guard let value = declaration.layout.read(tuple, index) as? Value else {
      throw .typeMismatch(name, "argument \(index)", declared: "\(argument.type)", asked: type)
    }
    return value
  }

  override func anyArgument(_ frame: UnsafeMutableRawPointer, _ index: Int) -> Any? {
    guard index >= 0, index < argumentCount else { return nil }
    return declaration.layout.read(UnsafeRawPointer(self.frame(frame).pointee.arguments), index)
  }

  override func setArgument<Value>(
    _ frame: UnsafeMutableRawPointer, _ index: Int, to value: Value
  ) throws(InterceptionError) {
    try checkIndex(index)
    guard declaration.layout.write(self.frame(frame).pointee.arguments, index, value) else {
      throw .typeMismatch(
        name, "argument \(index)", declared: "\(declaration.layout.arguments[index].type)", asked: Value.self)
    }
  }

  override func result<Value>(
    _ frame: UnsafeMutableRawPointer, as type: Value.Type
  ) throws(InterceptionError) -> Value? {
    try read(self.frame(frame).pointee.outcome?.pointee, as: type)
  }

  func read<Value>(
    _ outcome: Result<Output, any Error>?, as type: Value.Type
  ) throws(InterceptionError) -> Value? {
    guard case .success(let result) = outcome else { return nil }
    guard let value = result as? Value else {
      throw .typeMismatch(name, "the result", declared: "\(Output.self)", asked: type)
    }
    return value
  }

  override func setResult<Value>(_ frame: UnsafeMutableRawPointer, _ value: Value) throws(InterceptionError) {
    guard let result = value as? Output else {
      throw .typeMismatch(name, "the result", declared: "\(Output.self)", asked: Value.self)
    }
    guard let outcome = self.frame(frame).pointee.outcome else {
      throw InterceptionError(.notNow, name, "before advice has no result to set: use around or after")
    }
    outcome.pointee = .success(result)
  }

  override func hasDefaultResult(_ frame: UnsafeMutableRawPointer) -> Bool {
    returnsVoid || self.frame(frame).pointee.rest?.pointee.extras().fallback != nil
  }

  override func error(_ frame: UnsafeMutableRawPointer) -> (any Error)? {
    let frame = self.frame(frame).pointee
    if let failure = frame.failure { return failure.pointee }
    guard case .failure(let error) = frame.outcome?.pointee else { return nil }
    return error
  }

  override func fail(_ frame: UnsafeMutableRawPointer, _ error: any Error) throws(InterceptionError) {
    guard canThrow(error) else {
      throw InterceptionError(
        .notSupported, name,
        canThrow ? "it throws \(declaration.failure), not \(type(of: error))" : "it cannot throw \(error)")
    }
    end(frame, error)
  }

  @usableFromInline
  override func end(_ frame: UnsafeMutableRawPointer, _ error: any Error) {
    let frame = self.frame(frame).pointee
    frame.failure?.pointee = error
    frame.outcome?.pointee = .failure(error)
  }

  override func proceed(_ frame: UnsafeMutableRawPointer) throws(InterceptionError) {
    guard let goOn = self.frame(frame).pointee.rest?.pointee.goOn else { throw cannotProceed(frame) }
    self.frame(frame).pointee.outcome?.pointee = Result { try goOn() }
  }

  private func cannotProceed(_ frame: UnsafeMutableRawPointer) -> InterceptionError {
    isAsync && self.frame(frame).pointee.position == .around
      ? InterceptionError(
        .notSupported, name, "an async join point proceeds with `await`: use around(async:)")
      : InterceptionError(.notNow, name, "only around advice can proceed")
  }

  override func deferred(_ frame: UnsafeMutableRawPointer) throws(InterceptionError) -> any DeferredCall {
    let frame = self.frame(frame)
    guard let rest = frame.pointee.rest?.pointee else {
      throw InterceptionError(.notNow, name, "only around advice can set a call aside")
    }
    let extras = rest.extras()
    guard let body = extras.deferrable else {
      throw InterceptionError(
        .notSupported, name, "a function with inout parameters, or one that changes its value, cannot wait")
    }
    return SwiftDeferredCall(self, frame, rest, body, extras)
  }
}

/// The engine's description of a Swift join point, allocated for good.
private func makeInfo(_ declaration: WovenDeclaration) -> UnsafePointer<annot_joinpoint_info> {
  let info = UnsafeMutablePointer<annot_joinpoint_info>.allocate(capacity: 1)
  info.initialize(to: annot_joinpoint_info())
  info.pointee.size = UInt32(MemoryLayout<annot_joinpoint_info>.size)
  info.pointee.flags =
    UInt32(ANNOT_JOINPOINT_SWIFT)
    | (declaration.form.contains(.isStatic) ? UInt32(ANNOT_JOINPOINT_STATIC) : 0)
  info.pointee.module = UnsafePointer(duplicate(declaration.name.module ?? ""))
  info.pointee.cls = UnsafePointer(duplicate(declaration.name.cls))
  info.pointee.sel = UnsafePointer(duplicate(declaration.name.sel))
  info.pointee.file = UnsafePointer(duplicate(declaration.file))
  info.pointee.line = declaration.line
  return UnsafePointer(info)
}

/// A C string that is never freed.
private func duplicate(_ text: String) -> UnsafeMutablePointer<CChar> {
  let bytes = text.utf8CString
  let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  bytes.withUnsafeBufferPointer { copy.initialize(from: $0.baseAddress!, count: bytes.count) }
  return copy
}
