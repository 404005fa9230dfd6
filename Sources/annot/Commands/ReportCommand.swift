internal import AnnotationRecords

/// `annot report`: makes a page of the annotations of files.
enum ReportCommand: Command {
  static let name: StaticString = "report"

  static var description: CommandDescription {
    CommandDescription(
      name: name, summary: "make an HTML page of the annotations of files", operandsText: "FILE...",
      operands: .files,
      details: [
        "The page is one file that needs no network: numbers by kind, module and file, what 'annot check' finds, a "
          + "picture of modules, classes and annotations, and a table that can be searched and sorted. Without "
          + "scripts it can be read all the same."
      ],
      options: [
        OptionDescription("title", "t", "TEXT", .text, help: "the page's title, 'Annotations' by default")
      ]
        + RecordFilter.options + [
          OptionDescription(
            "needed", "n", help: "also show the libraries that the loader would load with each file"),
          Exclusions.option,
          OptionDescription(
            "section", "s", "NAME", .text, help: "read the sections of this name, 'annot' by default"),
        ],
      statuses: (
        "nothing amiss", "some records are malformed",
        "bad usage, or a file that could not be read; the others are shown all the same"
      ),
      examples: [
        .init(
          line: "annot report -t 'Shop 2.1' build/shop build/*.so >annotations.html", purpose: "make a page")
      ])
  }

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    let paths = try arguments.files()
    let filter = try RecordFilter(arguments)
    var reader = CheckReader(
      options: RecordPrinter.readingOptions(arguments), exclusions: Exclusions(arguments.values("exclude")))
    for path in paths { reader.read(InputFile(path: path), withNeeded: arguments.has("needed")) }
    let check = reader.report(nil, KindSchemas(), elsewhere: [])
    let page = ReportPage(
      title: arguments.value("title") ?? "Annotations", files: reader.files,
      records: filter(reader.inventory.records), check: check)
    var output = Output()
    page.write(to: &output)
    output.flush()
    let isMalformed = check.findings.contains { $0.rule == .malformedRecord }
    return max(check.diagnostics.status, isMalformed ? .findings : .success)
  }
}
