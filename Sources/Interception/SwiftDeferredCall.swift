internal import CAnnot

/// A call of a Swift join point that was set aside.
final class SwiftDeferredCall<Target, Arguments, Output>: DeferredCall, @unchecked Sendable {
  // The call goes on for the one thread that finds `spent` false; target and arguments are sent as the one who
  // lets the call proceed answers for.
  private let shape: SwiftJoinPointShape<Target, Arguments, Output>
  private let target: Target
  private let arguments: UnsafeMutablePointer<Arguments>
  private let list: OpaquePointer
  private let place: AdvicePlace
  private let body: (Arguments) throws -> Output
  private let extras: WovenExtras<Arguments, Output>
  private var outcome: Result<Output, any Error>?
  private let spent = OneTime()

  init(
    _ shape: SwiftJoinPointShape<Target, Arguments, Output>,
    _ frame: UnsafeMutablePointer<DynamicFrame<Target, Arguments, Output>>,
    _ rest: DynamicRest<Arguments, Output>,
    _ body: @escaping (Arguments) throws -> Output, _ extras: WovenExtras<Arguments, Output>
  ) {
    self.shape = shape
    target = frame.pointee.target.pointee
    arguments = .allocate(capacity: 1)
    arguments.initialize(to: frame.pointee.arguments.pointee)
    list = rest.list!
    annot_advice_list_retain(list)
    place = rest.place
    self.body = body
    self.extras = extras
  }

  deinit {
    arguments.deinitialize(count: 1)
    arguments.deallocate()
    annot_advice_list_release(list)
  }

  var name: JoinPointName { shape.name }
  var argumentCount: Int { shape.argumentCount }
  var isolation: (any Actor)? { extras.isolation }
  var error: (any Error)? {
    guard case .failure(let error) = outcome else { return nil }
    return error
  }

  func argument<Value>(_ index: Int, as type: Value.Type) throws(InterceptionError) -> Value {
    try shape.checkIndex(index)
    return try shape.read(arguments, index, as: type)
  }

  func proceed() throws(InterceptionError) {
    guard spent.take() else {
      throw InterceptionError(.alreadyProceeded, name, "the deferred call has proceeded before")
    }
    let extras = self.extras
    let body = self.body
    let frame = WovenFrame<Target, Arguments, Output>(list: list, arguments: arguments)
    outcome = Result { try frame.around(place, target, { extras }) { try body($0) } }
  }

  func result<Value>(as type: Value.Type) throws(InterceptionError) -> Value? {
    try shape.read(outcome, as: type)
  }
}
