internal import AnnotationRecords
@preconcurrency import Glibc

/// Prints the records of files in one of the formats, for every command that shows records.
struct RecordPrinter: ~Copyable {
  enum Format: String, CaseIterable {
    case text, json, jsonl, raw, csv
  }

  private let format: Format
  private let filter: RecordFilter
  private let order: RecordOrder
  private let withSource: Bool
  private let isColored: Bool
  private let width: Int?
  /// Whether each file's table has the file's name above it.
  private let headings: Bool
  private var printedFiles = 0
  /// How many objects are in the JSON document, so that commas go between them.
  private var printedObjects = 0
  private var output: Output

  /// The options of commands that print records.
  static var options: [OptionDescription] {
    [
      .format(
        Format.allCases.map(\.rawValue),
        help:
          "text (default): a table; json: one JSON document; jsonl: one JSON object a line; raw: the records' "
          + "bytes, each with a NUL behind it; csv: a table for spreadsheets")
    ] + RecordFilter.options + [
      OptionDescription(
        "section", "s", "NAME", .text, help: "read the sections of this name, 'annot' by default"),
      RecordOrder.option,
      OptionDescription("no-source", help: "leave out the source file and line"),
      .color,
    ]
  }

  /// - Parameter headings: Whether several files are expected.
  init(_ arguments: ParsedArguments, headings: Bool) throws(UsageError) {
    let format: Format = arguments.choice("format")
    let filter = try RecordFilter(arguments)
    let width = Terminal.width()
    if format == .raw && width != nil {
      throw UsageError(
        message: "raw records may hold anything and do not go to a terminal: write them to a file")
    }
    self.format = format
    self.filter = filter
    self.width = width
    self.headings = headings
    order = arguments.choice("sort")
    withSource = !arguments.has("no-source")
    isColored = Terminal.wantsColor(arguments.value("color") ?? "auto")
    output = Output()
  }

  /// How files are to be read.
  static func readingOptions(_ arguments: ParsedArguments) -> ELFAnnotations.Options {
    var options = ELFAnnotations.Options()
    if let section = arguments.value("section") { options.section = section }
    return options
  }

  /// Begins the output, before the first file.
  mutating func begin() {
    switch format {
    case .json: output.write("{\"version\":1,\"annotations\":[")
    case .csv: output.write(RecordCSV.header(withSource: withSource))
    case .text, .jsonl, .raw: break
    }
  }

  /// Prints those records of a file that are wanted.
  ///
  /// - Parameter name: The file's name, escaped.
  /// - Returns: The records that were printed.
  @discardableResult
  mutating func print(_ file: ELFAnnotations, name: String) -> [AnnotationRecord] {
    let records = order(filter(file.records))
    if records.isEmpty { return records }
    switch format {
    case .text: printTable(records, name)
    case .json: for record in records { printObject(record) }
    case .jsonl: printLines(records, path: file.path)
    case .raw: for record in records { printRaw(record) }
    case .csv: for record in records { output.write(RecordCSV.line(of: record, withSource: withSource)) }
    }
    printedFiles += 1
    return records
  }

  /// Ends the output.
  ///
  /// - Parameter more: Members of the JSON document beside the annotations, each with a comma before it.
  mutating func end(more: String = "") {
    if format == .json { output.write("\(printedObjects > 0 ? "\n" : "")]\(more)}\n") }
    output.flush()
  }

  /// Writes what was printed so far, so that it comes first where a message goes to the same terminal.
  mutating func flush() { output.flush() }

  private mutating func printTable(_ records: [AnnotationRecord], _ name: String) {
    if printedFiles > 0 { output.write("\n") }
    if headings { output.write(Style.bold(name, isColored) + ":\n") }
    RecordTable(records, withSource: withSource).write(limit: width, isColored: isColored, to: &output)
  }

  private mutating func printLines(_ records: [AnnotationRecord], path: String) {
    if withSource {
      var line = JSONLine(file: path)
      for record in records { line.write(record, to: &output) }
      return
    }
    for record in records {
      output.write("{\"version\":1,\(placeJSON(of: record)),\"record\":")
      recordJSON(record, withSource: false).withUnsafeBytes { output.write($0) }
      output.write("}\n")
    }
  }

  private mutating func printObject(_ record: AnnotationRecord) {
    output.write("\(printedObjects > 0 ? "," : "")\n{\(placeJSON(of: record)),\"record\":")
    recordJSON(record, withSource: withSource).withUnsafeBytes { output.write($0) }
    output.write("}")
    printedObjects += 1
  }

  private mutating func printRaw(_ record: AnnotationRecord) {
    if withSource {
      record.withJSON { output.write(UnsafeRawBufferPointer($0)) }
    } else {
      jsonWithoutSource(record).withUnsafeBytes { output.write($0) }
    }
    output.write("\0")
  }
}
