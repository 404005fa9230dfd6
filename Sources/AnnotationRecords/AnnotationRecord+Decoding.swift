internal import FoundationEssentials

extension AnnotationRecord {
  /// Decodes the record into an annotation's type.
  ///
  /// Costs a few microseconds; call it when the values are needed and keep the result.
  ///
  /// - Parameter type: The type to decode.
  /// - Returns: The annotation.
  /// - Throws: `DecodingError` when a member that the type requires is missing or of another type, or when
  ///   the record's kind is not the type's.
  public func decode<A: Annotation>(as type: A.Type) throws -> A {
    let kind = self.kind
    guard kind == A.kind else {
      throw DecodingError.typeMismatch(
        type,
        DecodingError.Context(
          codingPath: [],
          debugDescription: "the record's kind is \"\(kind)\", and \(type) reads \"\(A.kind)\""))
    }
    let data = withJSON { Data($0.map(UInt8.init(bitPattern:))) }
    return try JSONDecoder().decode(type, from: data)
  }
}
