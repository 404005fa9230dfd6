/// What is known of a join point at compile time, as the macro or the hand-written form gives it.
public struct WovenDeclaration: Sendable {
  /// What the woven form of a function allows advice to do.
  public struct Form: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes a form of bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A static method or free function.
    public static let isStatic = Form(rawValue: 1)
    /// Only before and after advice is possible: the body cannot be a function of its own.
    public static let isBracket = Form(rawValue: 2)
    /// The function may suspend.
    public static let isAsync = Form(rawValue: 4)
  }

  let name: JoinPointName
  let form: Form
  /// The type of the errors thrown, `Never` for none.
  let failure: Any.Type
  let layout: ArgumentLayout
  let names: [String]
  let file: String
  let line: UInt32

  /// Describes a join point.
  ///
  /// - Parameters:
  ///   - module: the module of the code.
  ///   - cls: the type's name, empty at file scope.
  ///   - sel: the full name of the function.
  ///   - form: what advice can do.
  ///   - failure: the type of the errors thrown, `Never` for none.
  ///   - layout: the parameters' types.
  ///   - names: the parameters' names.
  ///   - file: the source file.
  ///   - line: the line of the declaration.
  public init(
    module: String, cls: String, sel: String, form: Form, failure: Any.Type, layout: ArgumentLayout,
    names: [String], file: String = #fileID, line: UInt32 = #line
  ) {
    name = JoinPointName(module: module, cls: cls, sel: sel)
    self.form = form
    self.failure = failure
    self.layout = layout
    self.names = names
    self.file = file
    self.line = line
  }
}

/// What rare advice needs of a call: made only when it is asked for.
public struct WovenExtras<Arguments, Output> {
  /// The function's body as one that outlives the call; nil where it cannot.
  @usableFromInline let deferrable: ((Arguments) throws -> Output)?
  /// Makes the result of a call that advice did not let proceed; nil when there is none.
  @usableFromInline let fallback: (() -> Output)?
  /// The actor that the function runs on.
  @usableFromInline let isolation: (any Actor)?

  /// Gathers the extras.
  ///
  /// - Parameters:
  ///   - deferrable: the function's body as one that outlives the call.
  ///   - fallback: makes the result of a call that was not let proceed.
  ///   - isolation: the actor that the function runs on.
  @inlinable
  public init(
    deferrable: ((Arguments) throws -> Output)? = nil, fallback: (() -> Output)? = nil,
    isolation: (any Actor)? = nil
  ) {
    self.deferrable = deferrable
    self.fallback = fallback
    self.isolation = isolation
  }
}
