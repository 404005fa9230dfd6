internal import FoundationEssentials

/// What the record of a join point tells of its parameters.
struct RecordedParameters: Decodable {
  /// The parameters' names, in order; nil when it does not tell.
  let names: [String]?
  let isAsync: Bool?

  private enum CodingKeys: String, CodingKey {
    case names = "parameters"
    case isAsync = "async"
  }

  /// Nil for a record that cannot be read as one of a join point.
  init?(_ record: AnnotationRecord) {
    guard let it = try? JSONDecoder().decode(Self.self, from: Data(record.json.utf8)) else { return nil }
    self = it
  }
}

extension JoinPointInfo {
  /// A join point as its record declares it; nil if that lacks its name.
  init?(_ record: AnnotationRecord) {
    guard let name = JoinPointName(record) else { return nil }
    self.init(
      name: name, isStatic: record.isStatic, isAsync: false, file: record.file ?? "",
      line: UInt32(clamping: record.line ?? 0), signature: "", argumentNames: [])
  }
}
