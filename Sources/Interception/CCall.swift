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

/// A call of a C join point.
final class CCall: Call {
  private var invocation: OpaquePointer?
  private let info: UnsafePointer<annot_joinpoint_info>

  init(_ invocation: OpaquePointer) {
    self.invocation = invocation
    info = annot_invocation_info(invocation)
  }

  /// Ends the use of the C invocation, whose memory goes away when the advice returns.
  func end() { invocation = nil }

  private func current() throws(InterceptionError) -> OpaquePointer {
    guard let invocation else {
      throw InterceptionError(
        .notNow, name, "the invocation ended when its advice returned; defer() it instead")
    }
    return invocation
  }

  var name: JoinPointName { JoinPointName(info) }
  var target: Any? { nil }
  var argumentCount: Int { Int(info.pointee.parameter_count) }
  var returnsVoid: Bool { info.returnsVoid }
  var canThrow: Bool { false }
  var hasDefaultResult: Bool { true }
  var error: (any Error)? { nil }

  func argument<Value>(_ index: Int, as type: Value.Type) throws(InterceptionError) -> Value {
    let parameter = try info.parameter(index, of: name)
    let address = annot_invocation_argument(try current(), index)!
    return try CValue.load(address, as: type, parameter.type, "argument \(index)", of: name)
  }

  func setArgument<Value>(_ index: Int, to value: Value) throws(InterceptionError) {
    let parameter = try info.parameter(index, of: name)
    let address = annot_invocation_argument(try current(), index)!
    try CValue.store(value, address, parameter.type, "argument \(index)", of: name)
  }

  func result<Value>(as type: Value.Type) throws(InterceptionError) -> Value? {
    guard let address = annot_invocation_result(try current()) else { return nil }
    return try CValue.load(address, as: type, info.pointee.result, "the result", of: name)
  }

  func setResult<Value>(_ value: Value) throws(InterceptionError) {
    guard let address = annot_invocation_result(try current()) else {
      if Value.self == Void.self { return }
      throw .typeMismatch(name, "the result", declared: "void", asked: Value.self)
    }
    try CValue.store(value, address, info.pointee.result, "the result", of: name)
  }

  func fail(_ error: any Error) throws(InterceptionError) {
    throw InterceptionError(.notSupported, name, "a C function cannot throw \(error)")
  }

  func proceed() throws(InterceptionError) {
    guard annot_invocation_proceed(try current()) else {
      throw InterceptionError(.notNow, name, "only around advice can proceed")
    }
  }

  func deferred() throws(InterceptionError) -> any DeferredCall {
    var error = annot_error()
    guard let deferred = annot_invocation_defer(try current(), &error) else {
      let text = withUnsafeBytes(of: error.detail) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      throw InterceptionError(error.code == ANNOT_ERROR_MEMORY ? .noMemory : .notSupported, name, text)
    }
    return CDeferredCall(deferred)
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
