internal import Synchronization

/// Which calls of a join point its advice is for, beyond the join point itself.
struct AdviceCondition: Sendable {
  /// The one object; it is not kept alive.
  var instance: WeakObject?
  /// The class whose objects, and those of its subclasses, are meant.
  var subclass: ClassTest?
  /// For advice that runs once.
  var once: OneShot?

  var isAlways: Bool { instance == nil && subclass == nil && once == nil }
  var needsObject: Bool { instance != nil || subclass != nil }

  /// Whether the advice is for a call of this object; asked once for each call, as it may be for one only.
  func accepts(_ object: AnyObject) -> Bool {
    if let instance, !instance.isIt(object) { return false }
    if let subclass, !subclass.isKind(object) { return false }
    return acceptsAny()
  }

  /// The same for a call without an object.
  func acceptsAny() -> Bool { once?.take() ?? true }
}

/// A test for objects of a class.
struct ClassTest: Sendable {
  let name: String
  let isKind: @Sendable (AnyObject) -> Bool

  init<Class: AnyObject>(_ type: Class.Type) {
    name = "\(type)"
    isKind = { $0 is Class }
  }
}

/// An object that is known as long as it lives.
final class WeakObject: @unchecked Sendable {
  // The weak reference is read only after init, which Swift allows from many threads.
  private weak var object: AnyObject?
  private let address: ObjectIdentifier

  init(_ object: AnyObject) {
    self.object = object
    address = ObjectIdentifier(object)
  }

  /// Whether `other` is the object: not one that was later made at the same address.
  func isIt(_ other: AnyObject) -> Bool { ObjectIdentifier(other) == address && object === other }

  var isGone: Bool { object == nil }
}

/// Lets one call of all calls of all join points through, and tells that it did.
final class OneShot: Sendable {
  private let taken = OneTime()
  private let fired: Mutex<(@Sendable () -> Void)?>

  init() { fired = Mutex(nil) }

  /// Sets what to do when the one call was taken.
  func onFire(_ action: @escaping @Sendable () -> Void) { fired.withLock { $0 = action } }

  func take() -> Bool {
    guard taken.take() else { return false }
    let action = fired.withLock { fired in
      defer { fired = nil }
      return fired
    }
    action?()
    return true
  }
}
