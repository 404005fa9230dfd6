/// An annotation together with where it was found.
public struct Annotated<Kind: Annotation>: Sendable {
  /// The annotation.
  public let annotation: Kind
  /// The record it was decoded from.
  public let record: AnnotationRecord

  /// The path of the image that the record is in.
  public var image: String { record.source.image }
  /// The source file of the declaration; nil when the record has none.
  public var file: String? { record.file }
  /// The line of the declaration; nil when the record has none.
  public var line: Int? { record.line }
}

extension Annotated: CustomStringConvertible {
  /// The annotation's target and place, for people.
  public var description: String {
    let target = [record.module, record.cls, record.sel].compactMap { $0 }.joined(separator: " ")
    let place = file.map { file in line.map { "\(file):\($0)" } ?? file }
    return [record.kind, target, place, "in \(image)"].compactMap { $0 }.joined(separator: "  ")
  }
}
