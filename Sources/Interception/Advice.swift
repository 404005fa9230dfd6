internal import CAnnot

/// Advice as the C engine keeps it: the context of its registration, retained there.
final class Advice: Sendable {
  let body: @Sendable (Invocation) -> Void

  init(_ body: @escaping @Sendable (Invocation) -> Void) {
    self.body = body
  }

  static func from(_ context: UnsafeMutableRawPointer) -> Advice {
    Unmanaged<Advice>.fromOpaque(context).takeUnretainedValue()
  }
}

/// Runs Swift advice at a C join point.
let runAdviceAtCJoinPoint: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
  invocation, context in
  let call = CCall(invocation!)
  Advice.from(context!).body(Invocation(call))
  call.end()
}

let releaseAdvice: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
  Unmanaged<Advice>.fromOpaque(context!).release()
}
