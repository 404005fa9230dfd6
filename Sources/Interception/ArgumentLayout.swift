/// Where the arguments of a join point stand in their tuple, and what types they have.
public struct ArgumentLayout: Sendable {
  struct Argument: Sendable {
    let type: Any.Type
    let offset: Int
    let size: Int
  }

  let arguments: [Argument]

  /// The layout of no arguments.
  public init() { arguments = [] }

  /// The layout of a tuple of the values' types; the values themselves are not kept.
  ///
  /// - Parameter values: the elements, in order.
  public init<each Value>(of values: repeat each Value) {
    self.init(types: repeat (each Value).self)
  }

  /// The layout of a tuple of the types.
  ///
  /// - Parameter types: the elements' types, in order.
  public init<each Value>(types: repeat (each Value).Type) {
    // A tuple's elements stand at the next multiple of their alignment, as a C struct's members do.
    var arguments: [Argument] = []
    var end = 0
    func add<Element>(_ type: Element.Type) {
      let alignment = MemoryLayout<Element>.alignment
      let offset = (end + alignment - 1) / alignment * alignment
      arguments.append(Argument(type: type, offset: offset, size: MemoryLayout<Element>.size))
      end = offset + MemoryLayout<Element>.size
    }
    repeat add(each types)
    self.arguments = arguments
  }

  /// Reads an argument out of a tuple.
  func read(_ tuple: UnsafeRawPointer, _ index: Int) -> Any {
    func load<Element>(_ type: Element.Type) -> Any {
      (tuple + arguments[index].offset).assumingMemoryBound(to: type).pointee
    }
    return _openExistential(arguments[index].type, do: load)
  }

  /// Replaces an argument in a tuple; false when the value is of another type.
  func write(_ tuple: UnsafeMutableRawPointer, _ index: Int, _ value: Any) -> Bool {
    func store<Element>(_ type: Element.Type) -> Bool {
      guard let new = value as? Element else { return false }
      (tuple + arguments[index].offset).assumingMemoryBound(to: type).pointee = new
      return true
    }
    return _openExistential(arguments[index].type, do: store)
  }
}
