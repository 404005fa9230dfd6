/// What is known of a join point, for pointcuts and lists.
public struct JoinPointInfo: Sendable {
  /// Its full name: module, type and selector.
  public let name: JoinPointName
  /// Whether it is a static method or a free function.
  public let isStatic: Bool
  /// Whether it is an async function.
  public let isAsync: Bool
  /// The source file, empty when not known.
  public let file: String
  /// The line of the declaration, 0 when not known.
  public let line: UInt32
  /// The parameters' types, effects and result, as text.
  public let signature: String
  /// The parameters' names, where known.
  public let argumentNames: [String]

  init(_ shape: JoinPointShape) {
    name = shape.name
    isStatic = shape.isStatic
    isAsync = shape.isAsync
    file = shape.file
    line = shape.line
    signature = shape.signature
    argumentNames = shape.argumentNames
  }

  init(
    name: JoinPointName, isStatic: Bool, isAsync: Bool, file: String, line: UInt32, signature: String,
    argumentNames: [String]
  ) {
    self.name = name
    self.isStatic = isStatic
    self.isAsync = isAsync
    self.file = file
    self.line = line
    self.signature = signature
    self.argumentNames = argumentNames
  }
}
