/// One call of an advised join point, as its advice sees it.
///
/// An invocation is for the advice it was handed to and for as long as that runs, on that thread; what must
/// live longer is a ``DeferredInvocation``. Later use throws ``InterceptionError/Code/notNow``.
public final class Invocation {
  // Kept alive by the advice that the invocation was handed to; null when that has returned.
  // Unchecked: an invocation is for one thread, and no access lasts.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var shape: JoinPointShape?
  @exclusivity(unchecked) @usableFromInline var frame: UnsafeMutableRawPointer?
  private var lastName: JoinPointName?

  @usableFromInline
  init() {}

  /// An invocation for advice about to run: the thread's spare one, or a new one.
  @inlinable @inline(__always)
  static func take(
    _ spare: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ shape: JoinPointShape,
    _ frame: UnsafeMutableRawPointer
  ) -> Invocation {
    let invocation: Invocation
    if let spare, let kept = spare.pointee {
      spare.pointee = nil
      invocation = Unmanaged<Invocation>.fromOpaque(kept).takeRetainedValue()
    } else {
      invocation = Invocation()
    }
    invocation.shape = shape
    invocation.frame = frame
    return invocation
  }

  /// Ends the use of an invocation, which becomes the thread's spare one unless someone kept it.
  @inlinable @inline(__always)
  static func end(
    _ invocation: consuming Invocation, _ spare: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) {
    invocation.frame = nil
    if isKnownUniquelyReferenced(&invocation) {
      guard let spare, spare.pointee == nil else { return }
      spare.pointee = Unmanaged.passRetained(invocation).toOpaque()
    } else {
      invocation.detach()
    }
  }

  /// Keeps what may still be asked of an invocation that has ended.
  @usableFromInline
  func detach() {
    lastName = shape?.name
    shape = nil
  }

  private func current() throws(InterceptionError) -> (JoinPointShape, UnsafeMutableRawPointer) {
    guard let frame, let shape else {
      throw InterceptionError(
        .notNow, joinPoint, "the invocation ended when its advice returned; defer() it instead")
    }
    return (shape, frame)
  }

  /// The join point's own name.
  public var joinPoint: JoinPointName { shape?.name ?? lastName ?? JoinPointName(cls: "", sel: "") }

  /// The object or value whose method is called; nil for C functions, static and free functions.
  public var target: Any? {
    guard let frame else { return nil }
    return shape?.target(frame)
  }

  /// The number of arguments, the target not counted.
  public var argumentCount: Int { shape?.argumentCount ?? 0 }

  /// The parameters' names; empty where they are not known.
  public var argumentNames: [String] { shape?.argumentNames ?? [] }

  /// Reads an argument of any type by its index, or nil when there is none.
  ///
  /// Swift join points only: a C value's Swift type is for the advice to name, see ``argument(_:as:)``.
  /// - Parameter index: from 0 to below ``argumentCount``.
  public subscript(index: Int) -> Any? {
    guard let frame else { return nil }
    return shape?.anyArgument(frame, index)
  }

  /// Reads an argument of any type by its parameter's name, or nil when there is none; as ``subscript(_:)-(Int)``.
  ///
  /// - Parameter name: the parameter's name within the function.
  public subscript(name: String) -> Any? {
    argumentNames.firstIndex(of: name).flatMap { self[$0] }
  }

  /// Reads an argument.
  ///
  /// - Parameters:
  ///   - index: from 0 to below ``argumentCount``.
  ///   - type: the declared type. For C, a type of the same size and kind: `Int32` for `int`,
  ///     `UnsafePointer<CChar>` or its optional for `const char *`, the imported struct for a struct.
  /// - Throws: ``InterceptionError`` when there is no such argument or its type is another.
  public func argument<Value>(
    _ index: Int, as type: Value.Type = Value.self
  ) throws(InterceptionError) -> Value {
    let (shape, frame) = try current()
    return try shape.argument(frame, index, as: type)
  }

  /// Replaces an argument for the advice and the code that run from here on.
  ///
  /// - Parameters:
  ///   - index: from 0 to below ``argumentCount``.
  ///   - value: of the declared type, as for ``argument(_:as:)``.
  /// - Throws: ``InterceptionError`` when there is no such argument or its type is another.
  public func setArgument<Value>(_ index: Int, to value: Value) throws(InterceptionError) {
    let (shape, frame) = try current()
    try shape.setArgument(frame, index, to: value)
  }

  /// Whether the join point returns nothing.
  public var returnsVoid: Bool { shape?.returnsVoid ?? true }

  /// Whether the join point is declared to throw.
  public var canThrow: Bool { shape?.canThrow ?? false }

  /// Whether a call that is not let proceed has a result all the same: void, C (zero), or a declared fallback.
  public var hasDefaultResult: Bool {
    guard let frame else { return false }
    return shape?.hasDefaultResult(frame) ?? false
  }

  /// Reads the result.
  ///
  /// - Parameter type: the declared type, as for ``argument(_:as:)``.
  /// - Returns: nil when there is none, yet or at all. A C result is zero until it is set.
  /// - Throws: ``InterceptionError`` when its type is another.
  public func result<Value>(as type: Value.Type = Value.self) throws(InterceptionError) -> Value? {
    let (shape, frame) = try current()
    return try shape.result(frame, as: type)
  }

  /// Sets or replaces the result, and takes back an error thrown so far.
  ///
  /// - Parameter value: of the declared type.
  /// - Throws: ``InterceptionError`` when its type is another.
  public func setResult<Value>(_ value: Value) throws(InterceptionError) {
    let (shape, frame) = try current()
    try shape.setResult(frame, value)
  }

  /// The error that the original code or an advice ended the call with.
  public var error: (any Error)? {
    guard let frame else { return nil }
    return shape?.error(frame)
  }

  /// Makes the call throw.
  ///
  /// - Throws: ``InterceptionError`` when the join point cannot throw this error.
  public func fail(_ error: any Error) throws(InterceptionError) {
    let (shape, frame) = try current()
    try shape.fail(frame, error)
  }

  /// Runs what this around advice encloses: further advice, then the original code.
  ///
  /// It may be called any number of times. What it returned or threw is then ``result(as:)`` or ``error``.
  /// - Throws: ``InterceptionError`` outside around advice.
  public func proceed() throws(InterceptionError) {
    let (shape, frame) = try current()
    try shape.proceed(frame)
  }

  /// Sets the call aside: a copy that owns its arguments and can proceed later, once, on any thread.
  ///
  /// Text of a C parameter declared `annot_string` is copied; what another C pointer points to stays the
  /// caller's, so a Swift string handed to a `const char *` is gone by then.
  /// - Throws: ``InterceptionError`` outside around advice, or when an argument cannot be copied.
  public func `defer`() throws(InterceptionError) -> DeferredInvocation {
    let (shape, frame) = try current()
    return DeferredInvocation(try shape.deferred(frame))
  }
}
