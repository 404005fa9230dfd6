internal import CAnnot

/// Reads and writes values of C join points, whose types are known as sizes and kinds.
enum CValue {
  /// What kind of C value a Swift type can stand for.
  private static func kind<Value>(of type: Value.Type) -> annot_type_kind {
    if type is Bool.Type { return ANNOT_TYPE_BOOL }
    if let integer = type as? any FixedWidthInteger.Type {
      return integer.isSigned ? ANNOT_TYPE_SIGNED : ANNOT_TYPE_UNSIGNED
    }
    if type is any BinaryFloatingPoint.Type { return ANNOT_TYPE_FLOAT }
    return isPointer(type) ? ANNOT_TYPE_POINTER : ANNOT_TYPE_OTHER
  }

  private static func isPointer(_ type: Any.Type) -> Bool {
    if type is any _Pointer.Type || type is OpaquePointer.Type { return true }
    guard let optional = type as? any OptionalType.Type else { return false }
    return isPointer(optional.wrapped)
  }

  /// Whether a value of `type` has exactly the representation that the C type declares.
  ///
  /// A C enumeration or an imported option set is a struct to Swift and an integer to C, so a struct of
  /// plain bytes may stand for any kind of its size.
  static func fits<Value>(_ type: Value.Type, _ declared: annot_type) -> Bool {
    guard MemoryLayout<Value>.size == Int(declared.size), _isPOD(type) else { return false }
    let asked = kind(of: type)
    let actual = annot_type_kind(UInt32(declared.kind) & 0xff)
    return asked == actual || asked == ANNOT_TYPE_OTHER || actual == ANNOT_TYPE_OTHER
  }

  static func load<Value>(
    _ address: UnsafeRawPointer, as type: Value.Type, _ declared: annot_type, _ what: String,
    of name: JoinPointName
  ) throws(InterceptionError) -> Value {
    guard fits(type, declared) else {
      throw .typeMismatch(name, what, declared: String(cString: declared.text), asked: type)
    }
    return address.assumingMemoryBound(to: type).pointee
  }

  static func store<Value>(
    _ value: Value, _ address: UnsafeMutableRawPointer, _ declared: annot_type, _ what: String,
    of name: JoinPointName
  ) throws(InterceptionError) {
    guard fits(Value.self, declared) else {
      throw .typeMismatch(name, what, declared: String(cString: declared.text), asked: Value.self)
    }
    address.assumingMemoryBound(to: Value.self).pointee = value
  }
}

private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}
