internal import CAnnot

/// Advice over types at C join points: the first parameter is the target, the others are the arguments.
///
/// Types are compared with the function's when the advice is made for a join point; calls copy bytes.
struct CTypedAdvice<Target, Arguments>: Sendable {
  let layout: ArgumentLayout

  typealias Body = @Sendable (Invocation) throws -> Void

  /// Before advice for a join point; nil when its types are others.
  func before(
    _ shape: CJoinPointShape, _ body: @escaping @Sendable (Target, inout Arguments) throws -> Void
  ) -> Body? {
    guard takes(shape) else { return nil }
    return { invocation in
      let frame = invocation.cFrame
      var arguments = load(frame)
      try body(loadTarget(frame), &arguments)
    }
  }

  /// Around advice for a join point; nil when its types are others.
  func around<Output>(
    _ shape: CJoinPointShape,
    _ body: @escaping @Sendable (Target, Arguments, (Arguments) throws -> Output) throws -> Output
  ) -> Body? {
    guard takes(shape), returns(shape, Output.self) else { return nil }
    return { invocation in
      let frame = invocation.cFrame
      let result = try body(loadTarget(frame), load(frame)) { arguments in
        store(frame, arguments)
        try invocation.proceed()
        return loadResult(frame)
      }
      storeResult(frame, result)
    }
  }

  /// After advice for a join point; nil when its types are others.
  func after<Output>(
    _ shape: CJoinPointShape,
    _ body: @escaping @Sendable (Target, Arguments, inout Result<Output, any Error>) throws -> Void
  ) -> Body? {
    guard takes(shape), returns(shape, Output.self) else { return nil }
    return { invocation in
      let frame = invocation.cFrame
      var outcome: Result<Output, any Error> = .success(loadResult(frame))
      try body(loadTarget(frame), load(frame), &outcome)
      storeResult(frame, try outcome.get())
    }
  }

  // MARK: Types

  private var hasTarget: Bool { Target.self != Void.self }

  /// Whether the parameters are of these types.
  private func takes(_ shape: CJoinPointShape) -> Bool {
    let types = (hasTarget ? [Target.self] : []) + layout.arguments.map(\.type)
    guard types.count == shape.argumentCount else { return false }
    return types.enumerated().allSatisfy { index, type in
      let declared = shape.info.pointee.parameters[index].type
      func fits<Value>(_ type: Value.Type) -> Bool { CValue.fits(type, declared) }
      return _openExistential(type, do: fits)
    }
  }

  private func returns<Output>(_ shape: CJoinPointShape, _ type: Output.Type) -> Bool {
    shape.returnsVoid ? Output.self == Void.self : CValue.fits(type, shape.info.pointee.result)
  }

  // MARK: Values

  private func loadTarget(_ frame: OpaquePointer) -> Target {
    hasTarget
      ? annot_invocation_argument(frame, 0)!.assumingMemoryBound(to: Target.self).pointee : () as! Target
  }

  private func load(_ frame: OpaquePointer) -> Arguments {
    withUnsafeTemporaryAllocation(of: Arguments.self, capacity: 1) { room in
      let tuple = UnsafeMutableRawPointer(room.baseAddress!)
      each(frame) { offset, size, value in (tuple + offset).copyMemory(from: value, byteCount: size) }
      return room[0]
    }
  }

  private func store(_ frame: OpaquePointer, _ arguments: Arguments) {
    withUnsafeBytes(of: arguments) { tuple in
      each(frame) { offset, size, value in
        value.copyMemory(from: tuple.baseAddress! + offset, byteCount: size)
      }
    }
  }

  /// Goes through the arguments: where each stands in the tuple, its size, and where it stands in the call.
  private func each(_ frame: OpaquePointer, _ body: (Int, Int, UnsafeMutableRawPointer) -> Void) {
    for index in layout.arguments.indices {
      let argument = layout.arguments[index]
      body(argument.offset, argument.size, annot_invocation_argument(frame, index + (hasTarget ? 1 : 0))!)
    }
  }
}

private func loadResult<Output>(_ frame: OpaquePointer) -> Output {
  if Output.self == Void.self { return () as! Output }
  return annot_invocation_result(frame).assumingMemoryBound(to: Output.self).pointee
}

private func storeResult<Output>(_ frame: OpaquePointer, _ result: Output) {
  if Output.self == Void.self { return }
  annot_invocation_result(frame).assumingMemoryBound(to: Output.self).pointee = result
}

extension Invocation {
  /// The engine's invocation; for advice at C join points while it runs.
  fileprivate var cFrame: OpaquePointer { OpaquePointer(frame!) }
}
