internal import CAnnot

/// The C engine's view of a hand-written Swift join point: a slot and its description, allocated for good.
struct JoinPointSlot: @unchecked Sendable {
  // The slot's `hook` is accessed atomically by C; all else is written once, before the slot is published.
  private let slot: UnsafeMutablePointer<annot_joinpoint>

  init(_ name: JoinPointName, isStatic: Bool, file: String, line: UInt32) {
    let info = UnsafeMutablePointer<annot_joinpoint_info>.allocate(capacity: 1)
    info.initialize(to: annot_joinpoint_info())
    info.pointee.size = UInt32(MemoryLayout<annot_joinpoint_info>.size)
    info.pointee.flags = UInt32(ANNOT_JOINPOINT_SWIFT) | (isStatic ? UInt32(ANNOT_JOINPOINT_STATIC) : 0)
    info.pointee.module = UnsafePointer(duplicate(name.module ?? ""))
    info.pointee.cls = UnsafePointer(duplicate(name.cls))
    info.pointee.sel = UnsafePointer(duplicate(name.sel))
    info.pointee.file = UnsafePointer(duplicate(file))
    info.pointee.line = line
    slot = .allocate(capacity: 1)
    slot.initialize(to: annot_joinpoint())
    guard annot_joinpoint_register(slot, info) else {
      fatalError("no memory to register the join point \(name)")
    }
  }

  /// The advice of a call that begins now, nil for none; to be released.
  @inline(__always)
  func acquire() -> OpaquePointer? {
    guard let hook = annot_joinpoint_hook(slot) else { return nil }
    return annot_hook_acquire(hook)
  }
}

/// A C string that is never freed.
private func duplicate(_ text: String) -> UnsafeMutablePointer<CChar> {
  let bytes = text.utf8CString
  let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  bytes.withUnsafeBufferPointer { copy.initialize(from: $0.baseAddress!, count: bytes.count) }
  return copy
}
