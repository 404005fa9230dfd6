internal import CAnnot

extension JoinPointName {
  init(_ info: UnsafePointer<annot_joinpoint_info>) {
    self.init(
      module: String(cString: info.pointee.module), cls: String(cString: info.pointee.cls),
      sel: String(cString: info.pointee.sel))
  }
}

extension UnsafePointer<annot_joinpoint_info> {
  func parameter(_ index: Int, of name: JoinPointName) throws(InterceptionError) -> annot_parameter {
    let count = Int(pointee.parameter_count)
    guard index >= 0, index < count else { throw .noSuchArgument(name, index, of: count) }
    return pointee.parameters[index]
  }

  var returnsVoid: Bool { Int(pointee.result.kind) == Int(ANNOT_TYPE_VOID.rawValue) }
}

/// A C or C++ join point; its frames are the engine's invocations.
final class CJoinPointShape: JoinPointShape, @unchecked Sendable {
  init(_ info: UnsafePointer<annot_joinpoint_info>) {
    super.init(
      JoinPointName(info), isStatic: info.pointee.flags & UInt32(ANNOT_JOINPOINT_STATIC) != 0,
      file: info.pointee.file.map { String(cString: $0) } ?? "", line: info.pointee.line, info: info)
  }

  private func invocation(_ frame: UnsafeMutableRawPointer) -> OpaquePointer { OpaquePointer(frame) }

  override var signature: String {
    let parameters = (0..<argumentCount).map { String(cString: info.pointee.parameters[$0].type.text) }
    return "(\(parameters.joined(separator: ", "))) -> \(String(cString: info.pointee.result.text))"
  }
  override var argumentCount: Int { Int(info.pointee.parameter_count) }
  override var argumentNames: [String] {
    (0..<argumentCount).map { String(cString: info.pointee.parameters[$0].name) }
  }
  override var returnsVoid: Bool { info.returnsVoid }

  override func dynamic(
    _ position: AdvicePosition, _ condition: AdviceCondition,
    _ body: @escaping @Sendable (Invocation) throws -> Void
  ) throws(InterceptionError) -> Advice {
    guard condition.isAlways else {
      let parameter = argumentCount > 0 ? Int(info.pointee.parameters[0].type.kind) : -1
      guard !condition.needsObject else {
        throw InterceptionError(
          .notInterceptable, name,
          parameter == Int(ANNOT_TYPE_POINTER.rawValue)
            ? "a C function has no Swift object: compare its first argument in the advice"
            : "a C function has no object to choose calls by")
      }
      return CAdvice(self) { invocation in
        if condition.acceptsAny() {
          try body(invocation)
        } else if position == .around {
          try invocation.proceed()
        }
      }
    }
    return CAdvice(self, body)
  }

  override func argument<Value>(
    _ frame: UnsafeMutableRawPointer, _ index: Int, as type: Value.Type
  ) throws(InterceptionError) -> Value {
    let parameter = try info.parameter(index, of: name)
    let address = annot_invocation_argument(invocation(frame), index)!
    return try CValue.load(address, as: type, parameter.type, "argument \(index)", of: name)
  }

  override func setArgument<Value>(
    _ frame: UnsafeMutableRawPointer, _ index: Int, to value: Value
  ) throws(InterceptionError) {
    let parameter = try info.parameter(index, of: name)
    let address = annot_invocation_argument(invocation(frame), index)!
    try CValue.store(value, address, parameter.type, "argument \(index)", of: name)
  }

  override func result<Value>(
    _ frame: UnsafeMutableRawPointer, as type: Value.Type
  ) throws(InterceptionError) -> Value? {
    guard let address = annot_invocation_result(invocation(frame)) else { return nil }
    return try CValue.load(address, as: type, info.pointee.result, "the result", of: name)
  }

  override func setResult<Value>(_ frame: UnsafeMutableRawPointer, _ value: Value) throws(InterceptionError) {
    guard let address = annot_invocation_result(invocation(frame)) else {
      if Value.self == Void.self { return }
      throw .typeMismatch(name, "the result", declared: "void", asked: Value.self)
    }
    try CValue.store(value, address, info.pointee.result, "the result", of: name)
  }

  override func fail(_ frame: UnsafeMutableRawPointer, _ error: any Error) throws(InterceptionError) {
    throw InterceptionError(.notSupported, name, "a C function cannot throw \(error)")
  }

  override func proceed(_ frame: UnsafeMutableRawPointer) throws(InterceptionError) {
    guard annot_invocation_proceed(invocation(frame)) else {
      throw InterceptionError(.notNow, name, "only around advice can proceed")
    }
  }

  override func deferred(_ frame: UnsafeMutableRawPointer) throws(InterceptionError) -> any DeferredCall {
    var error = annot_error()
    guard let deferred = annot_invocation_defer(invocation(frame), &error) else {
      let text = withUnsafeBytes(of: error.detail) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw InterceptionError(error.code == ANNOT_ERROR_MEMORY ? .noMemory : .notSupported, name, text)
    }
    return CDeferredCall(deferred)
  }
}

/// Advice at a C join point.
final class CAdvice: Advice, @unchecked Sendable {
  let body: @Sendable (Invocation) throws -> Void
  let shape: CJoinPointShape

  init(_ shape: CJoinPointShape, _ body: @escaping @Sendable (Invocation) throws -> Void) {
    self.shape = shape
    self.body = body
  }

  /// The engine's way in.
  static let run: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void = { frame, context in
    let spare = annot_invocation_spare(frame)
    Unmanaged<CAdvice>.fromOpaque(context!)._withUnsafeGuaranteedRef { advice in
      let invocation = Invocation.take(spare, advice.shape, UnsafeMutableRawPointer(frame!))
      do {
        try advice.body(invocation)
      } catch {
        InterceptionRegistry.shared.report(.adviceThrew(advice.shape, error))
      }
      Invocation.end(invocation, spare)
    }
  }
}

/// A call of a C join point that was set aside.
final class CDeferredCall: DeferredCall, @unchecked Sendable {
  // annot_deferred_proceed lets one thread through; the arguments are not written after their copy was made.
  private let deferred: OpaquePointer
  private let info: UnsafePointer<annot_joinpoint_info>

  init(_ deferred: OpaquePointer) {
    self.deferred = deferred
    info = annot_deferred_info(deferred)
  }

  deinit { annot_deferred_free(deferred) }

  var name: JoinPointName { JoinPointName(info) }
  var argumentCount: Int { Int(info.pointee.parameter_count) }
  var isolation: (any Actor)? { nil }
  var error: (any Error)? { nil }

  func argument<Value>(_ index: Int, as type: Value.Type) throws(InterceptionError) -> Value {
    let parameter = try info.parameter(index, of: name)
    let address = annot_deferred_argument(deferred, index)!
    return try CValue.load(address, as: type, parameter.type, "argument \(index)", of: name)
  }

  func proceed() throws(InterceptionError) {
    guard annot_deferred_proceed(deferred) else {
      throw InterceptionError(.alreadyProceeded, name, "the deferred call has proceeded before")
    }
  }

  func result<Value>(as type: Value.Type) throws(InterceptionError) -> Value? {
    guard let address = annot_deferred_result(deferred) else { return nil }
    return try CValue.load(address, as: type, info.pointee.result, "the result", of: name)
  }
}
