internal import AnnotationRecords

/// Checks records against the schemas of their kinds.
enum SchemaCheck {
  static func findings(_ records: [AnnotationRecord], _ schemas: KindSchemas) -> [Finding] {
    records.flatMap { record -> [Finding] in
      guard let schema = schemas[record.kind],
        let value = try? JSONParser.parse(record.withJSON { $0.map(UInt8.init(bitPattern:)) })
      else { return [] }
      return schema.violations(of: value).map { violation in
        let subject = violation.path.isEmpty ? "the record" : "the member '\(violation.path)'"
        return Finding(
          rule: .schema, message: "\(subject) of kind '\(record.kind)' \(violation.reason)", record: record)
      }
    }
  }
}
