internal import CAnnot

/// Advice over types at C join points: the first parameter is the target, the others are the arguments.
///
/// Types are compared with the function's when the advice is made for a join point; calls read memory.
struct CTypedAdvice: Sendable {
  /// The advice for a join point; nil when its types are others.
  let body: @Sendable (CJoinPointShape) -> (@Sendable (Invocation) throws -> Void)?

  static func before<Target, each Argument>(
    _ body: @escaping @Sendable (Target, repeat each Argument) throws -> Void
  ) -> CTypedAdvice {
    CTypedAdvice { shape in
      guard shape.takes(Target.self, repeat (each Argument).self) else { return nil }
      return { invocation in
        var reader = CArguments(invocation.cFrame)
        try body(reader.next(), repeat reader.next() as (each Argument))
      }
    }
  }

  static func around<Target, each Argument, Output>(
    _ body:
      @escaping @Sendable (
        (repeat each Argument) throws -> Output, Target, repeat each Argument
      ) throws -> Output
  ) -> CTypedAdvice {
    CTypedAdvice { shape in
      guard shape.takes(Target.self, repeat (each Argument).self), shape.returns(Output.self) else {
        return nil
      }
      return { invocation in
        let frame = invocation.cFrame
        var reader = CArguments(frame)
        let target: Target = reader.next()
        let result = try body(
          { (arguments: repeat each Argument) in
            var writer = CArguments(frame, from: 1)
            for argument in repeat each arguments { writer.set(argument) }
            try invocation.proceed()
            return loadResult(frame)
          }, target, repeat reader.next() as (each Argument))
        storeResult(frame, result)
      }
    }
  }

  static func after<Target, each Argument, Output>(
    _ body: @escaping @Sendable (inout Result<Output, any Error>, Target, repeat each Argument) -> Void
  ) -> CTypedAdvice {
    CTypedAdvice { shape in
      guard shape.takes(Target.self, repeat (each Argument).self), shape.returns(Output.self) else {
        return nil
      }
      return { invocation in
        let frame = invocation.cFrame
        var reader = CArguments(frame)
        let target: Target = reader.next()
        var outcome: Result<Output, any Error> = .success(loadResult(frame))
        body(&outcome, target, repeat reader.next() as (each Argument))
        storeResult(frame, try outcome.get())
      }
    }
  }
}

private func loadResult<Output>(_ frame: OpaquePointer) -> Output {
  if let nothing = () as? Output { return nothing }
  return annot_invocation_result(frame).assumingMemoryBound(to: Output.self).pointee
}

private func storeResult<Output>(_ frame: OpaquePointer, _ result: Output) {
  if Output.self == Void.self { return }
  annot_invocation_result(frame).assumingMemoryBound(to: Output.self).pointee = result
}

/// Reads or writes the arguments of a C call one after the other.
private struct CArguments {
  private let frame: OpaquePointer
  private var index: Int

  init(_ frame: OpaquePointer, from index: Int = 0) {
    self.frame = frame
    self.index = index
  }

  mutating func next<Value>() -> Value {
    // A function without parameters has no target.
    if Value.self == Void.self { return () as! Value }
    defer { index += 1 }
    return annot_invocation_argument(frame, index)!.assumingMemoryBound(to: Value.self).pointee
  }

  mutating func set<Value>(_ value: Value) {
    annot_invocation_argument(frame, index)!.assumingMemoryBound(to: Value.self).pointee = value
    index += 1
  }
}

extension Invocation {
  /// The engine's invocation; for advice at C join points while it runs.
  fileprivate var cFrame: OpaquePointer { OpaquePointer(frame!) }
}

extension CJoinPointShape {
  /// Whether the parameters are of these types.
  fileprivate func takes<Target, each Argument>(
    _ target: Target.Type, _ arguments: repeat (each Argument).Type
  ) -> Bool {
    var index = 0
    var fits = true
    func check<Value>(_ type: Value.Type) {
      if index >= argumentCount || !CValue.fits(type, info.pointee.parameters[index].type) { fits = false }
      index += 1
    }
    if Target.self != Void.self { check(target) }
    repeat check(each arguments)
    return fits && index == argumentCount
  }

  fileprivate func returns<Output>(_ type: Output.Type) -> Bool {
    returnsVoid ? Output.self == Void.self : CValue.fits(type, info.pointee.result)
  }
}
