/// Reads and replaces the arguments of a join point one by one, which are kept as one tuple.
///
/// Made where the parameters' types are still known one by one, so that no call has to look into the tuple's
/// layout.
struct ArgumentAccess<Arguments>: Sendable {
  /// How many there are.
  let count: Int
  /// The types' names, for messages.
  let typeNames: [String]
  let get: @Sendable (Arguments, Int) -> Any
  /// Returns false when the value is of another type.
  let set: @Sendable (inout Arguments, Int, Any) -> Bool

  init<each Argument>() where Arguments == (repeat each Argument) {
    var names: [String] = []
    for type in repeat (each Argument).self { names.append("\(type)") }
    typeNames = names
    count = names.count
    get = { arguments, wanted in
      var index = 0
      var found: Any = ()
      for argument in repeat each arguments {
        if index == wanted { found = argument }
        index += 1
      }
      return found
    }
    set = { arguments, wanted, value in
      var index = 0
      var fits = false
      func replaced<Value>(_ argument: Value) -> Value {
        defer { index += 1 }
        guard index == wanted, let new = value as? Value else { return argument }
        fits = true
        return new
      }
      arguments = (repeat replaced(each arguments))
      return fits
    }
  }
}
