public import CAnnot
internal import Synchronization

extension WovenCall {
  /// Whether there is advice anywhere in the process.
  @inlinable @inline(__always)
  public static var isWatched: Bool { annot_binding_is_watched() }

  /// The slot of one instance of a generic function.
  ///
  /// Swift has no static data in generic code, so the slots are looked up by name and types.
  /// - Parameters:
  ///   - name: the join point's name; one literal for each join point.
  ///   - values: the target and the arguments, for their types only.
  ///   - output: the result's type.
  @inlinable @inline(__always)
  public static func genericSlot<Values, Output>(
    _ name: StaticString, _ values: @autoclosure () -> Values, _ output: Output.Type
  ) -> UnsafeMutableRawPointer {
    GenericSlots.shared.find(name, Values.self, output)
  }
}

/// The slots of generic join points.
@usableFromInline
final class GenericSlots: Sendable {
  @usableFromInline static let shared = GenericSlots()

  private struct Key: Hashable {
    let name: UInt
    let values: ObjectIdentifier
    let output: ObjectIdentifier
  }

  // The slots are never freed: the registry knows them for good.
  private let slots = Mutex<[Key: UInt]>([:])

  @usableFromInline
  func find(_ name: StaticString, _ values: Any.Type, _ output: Any.Type) -> UnsafeMutableRawPointer {
    let key = Key(
      name: UInt(bitPattern: name.utf8Start), values: ObjectIdentifier(values),
      output: ObjectIdentifier(output))
    let address = slots.withLock { slots in
      if let known = slots[key] { return known }
      let made = UnsafeMutablePointer<annot_joinpoint>.allocate(capacity: 1)
      made.initialize(to: annot_joinpoint())
      made.pointee.hook = UInt(ANNOT_JOINPOINT_UNRESOLVED)
      let address = UInt(bitPattern: made)
      slots[key] = address
      return address
    }
    return UnsafeMutableRawPointer(bitPattern: address)!
  }
}
