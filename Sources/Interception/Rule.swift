internal import CAnnot

/// Advice as it was added: its request, and where it has been attached.
///
/// Guarded by the registry's lock.
final class Rule {
  let id: UInt64
  /// The rule's place among equals, wherever and whenever it is attached.
  let order = annot_advice_reserve_order()
  let request: AdviceRequest
  var isPaused = false
  /// A registration with the engine.
  private struct Attachment {
    let name: JoinPointName
    let id: annot_advice_id
    let advice: Advice
  }

  /// By the join point's description.
  private var attached: [UnsafePointer<annot_joinpoint_info>: Attachment] = [:]
  /// Advice that was detached: kept until the registry's lock is given back, as what its closure captured may
  /// use the registry when it goes.
  private var detached: [Advice] = []

  init(id: UInt64, _ request: AdviceRequest) {
    self.id = id
    self.request = request
  }

  /// Whether its object is gone, so that no call can meet it any more.
  var isSpent: Bool { request.condition.instance?.isGone ?? false }

  func selects(_ shape: JoinPointShape) -> Bool { request.pointcut.selects(JoinPointInfo(shape)) }

  /// Whether the advice is attached to the join point, and its image has not been replaced since.
  private func isAttached(_ shape: JoinPointShape) -> Bool {
    attached[shape.info].map { annot_advice_is_present($0.id) } ?? false
  }

  /// Attaches or detaches the advice as the pointcut says now.
  func update(_ shape: JoinPointShape) throws(InterceptionError) {
    guard !isPaused, selects(shape) else {
      detach(shape)
      return
    }
    guard !isAttached(shape) else { return }
    try attach(try request.make(shape, request.condition), to: shape, mayWait: true)
  }

  /// Registers the advice with the engine.
  ///
  /// - Parameter mayWait: whether it may be on a shim that no call of the images now loaded can be led to.
  func attach(
    _ advice: Advice, to shape: JoinPointShape, mayWait: Bool
  ) throws(InterceptionError) {
    let context = Unmanaged.passRetained(advice)
    let info = shape.info
    var c = annot_advice()
    (c.cls, c.sel, c.only) = (info.pointee.cls, info.pointee.sel, info)
    (c.position, c.precedence, c.options) = (
      request.position.c, request.precedence, advice.flags | (mayWait ? UInt32(ANNOT_ADVICE_MAY_WAIT) : 0)
    )
    c.order = order
    (c.function, c.context, c.release) = (CAdvice.run, context.toOpaque(), releaseAdvice)
    var error = annot_error()
    let id = annot_advise(&c, &error)
    guard id != 0 else {
      context.release()
      let text = withUnsafeBytes(of: error.detail) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      let code: InterceptionError.Code =
        switch error.code {
        case ANNOT_ERROR_MEMORY: .noMemory
        case ANNOT_ERROR_UNREACHABLE: .notInterceptable
        default: .notSupported
        }
      throw InterceptionError(code, shape.name, text)
    }
    attached[info] = Attachment(name: shape.name, id: id, advice: advice)
  }

  func detach(_ shape: JoinPointShape) {
    guard let it = attached.removeValue(forKey: shape.info) else { return }
    annot_unadvise(it.id)
    detached.append(it.advice)
  }

  func detachAll() {
    for it in attached.values {
      annot_unadvise(it.id)
      detached.append(it.advice)
    }
    attached = [:]
  }

  /// The advice detached since the last time.
  func takeDetached() -> [Advice] {
    defer { detached = [] }
    return detached
  }

  /// The names of the join points it is attached to.
  var reached: [JoinPointName] { attached.values.filter { annot_advice_is_present($0.id) }.map(\.name) }
}

private let releaseAdvice: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
  Unmanaged<Advice>.fromOpaque(context!).release()
}
