internal import AnnotationRecords

/// What `annot check` found, ready to be written in any format.
struct CheckReport {
  /// In the order of the annotations' places in the sources.
  let findings: [Finding]
  /// How many annotations there are of each kind, by the kind's name.
  let counts: [(kind: String, count: Int)]
  /// How many files were read.
  let fileCount: Int
  /// What could not be read, as JSON objects; told on standard error already.
  let diagnostics: Diagnostics

  init(_ findings: [Finding], _ inventory: Inventory, fileCount: Int, diagnostics: Diagnostics) {
    self.findings = Self.sorted(findings)
    counts = inventory.counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    self.fileCount = fileCount
    self.diagnostics = diagnostics
  }

  /// How many findings are of a level.
  func count(_ level: Finding.Level) -> Int { findings.count { $0.level == level } }

  /// Whether there is anything that is wrong.
  var isSound: Bool { count(.error) + count(.warning) == 0 }

  /// First what is wrong with files, then with records by their places, then what is about all of them.
  private static func sorted(_ findings: [Finding]) -> [Finding] {
    let keyed = findings.enumerated().map { index, finding in
      (
        group: finding.place != nil ? 0 : finding.record != nil ? 1 : 2, file: finding.record?.file ?? "",
        line: finding.record?.line ?? 0, index: index
      )
    }
    return keyed.sorted { ($0.group, $0.file, $0.line, $0.index) < ($1.group, $1.file, $1.line, $1.index) }
      .map { findings[$0.index] }
  }
}

extension CheckReport {
  /// The findings as compilers write theirs, and a last line with numbers.
  func text(isColored: Bool) -> String {
    findings.map { Self.text(of: $0, isColored) }.joined() + summary + "\n"
  }

  private static func text(of finding: Finding, _ isColored: Bool) -> String {
    let style: Style = finding.level == .error ? .red : finding.level == .warning ? .yellow : .cyan
    let place =
      finding.record.map { Self.place(of: $0) } ?? finding.place.map { Self.place(of: $0) } ?? "annot"
    let level = style(finding.level.rawValue, isColored)
    var text =
      Style.bold(place, isColored) + ": \(level): \(escaped(finding.message)) [\(finding.rule.rawValue)]\n"
    func add(_ title: String, _ value: String) { text += "  \(title): \(value)\n" }
    if let record = finding.record, record.file != nil { add("in", image(of: record)) }
    if let related = finding.related { add("other", Self.place(of: related)) }
    if !finding.near.isEmpty { add("near", finding.near.map(escaped).joined(separator: ", ")) }
    if let mend = finding.mend { add("mend", escaped(mend)) }
    return text
  }

  /// Where a record was written; where it stands when it does not say.
  private static func place(of record: AnnotationRecord) -> String {
    guard let file = record.file else { return image(of: record) }
    return escaped(file) + (record.line.map { ":\($0)" } ?? "")
  }

  private static func place(of place: Finding.Place) -> String {
    let name = place.member.map { "\(escaped(place.file))(\(escaped($0)))" } ?? escaped(place.file)
    return name + (place.offset.map { ": offset \($0)" } ?? "")
  }

  private static func image(of record: AnnotationRecord) -> String {
    let source = record.source
    return place(of: .init(file: source.image, member: source.member, offset: record.offset))
  }

  private var summary: String {
    func number(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
    let total = counts.reduce(0) { $0 + $1.count }
    let kinds = counts.map { "\(escaped($0.kind)) \($0.count)" }.joined(separator: ", ")
    let notes = count(.note) > 0 ? ", \(number(count(.note), "note"))" : ""
    return "\(number(count(.error), "error")), \(number(count(.warning), "warning"))\(notes); "
      + "\(number(total, "annotation")) in \(number(fileCount, "file"))" + (kinds.isEmpty ? "" : ": \(kinds)")
  }
}

extension CheckReport {
  /// One JSON document; the schema is in docs/cli.md.
  func json() -> String {
    let objects = findings.map { "\n" + Self.object($0) }.joined(separator: ",")
    let kinds = counts.map { "\(quoted($0.kind)):\($0.count)" }.joined(separator: ",")
    return "{\"version\":1,\"findings\":[\(objects)\(findings.isEmpty ? "" : "\n")],"
      + "\"counts\":{\"files\":\(fileCount),\"errors\":\(count(.error)),\"warnings\":\(count(.warning)),"
      + "\"notes\":\(count(.note)),\"kinds\":{\(kinds)}}\(diagnostics.json)}\n"
  }

  private static func object(_ finding: Finding) -> String {
    var text = "{\"rule\":\"\(finding.rule.rawValue)\",\"level\":\"\(finding.level.rawValue)\""
    text += ",\"message\":\(quoted(finding.message))"
    if let mend = finding.mend { text += ",\"mend\":\(quoted(mend))" }
    if !finding.near.isEmpty { text += ",\"near\":[\(finding.near.map(quoted).joined(separator: ","))]" }
    if let place = finding.place { text += "," + self.place(place) }
    if let record = finding.record { text += "," + annotation(record) }
    if let related = finding.related { text += ",\"related\":{\(annotation(related))}" }
    return text + "}"
  }

  private static func place(_ place: Finding.Place) -> String {
    var text = "\"file\":\(quoted(place.file))"
    if let member = place.member { text += ",\"member\":\(quoted(member))" }
    if let section = place.section { text += ",\"section\":\(quoted(section))" }
    if let offset = place.offset { text += ",\"offset\":\(offset)" }
    return text
  }

  private static func annotation(_ record: AnnotationRecord) -> String {
    placeJSON(of: record) + ",\"record\":"
      + String(decoding: recordJSON(record, withSource: true), as: UTF8.self)
  }
}
