internal import AnnotationRecords

/// `annot check`: tells whether the annotations of files are sound.
enum CheckCommand: Command {
  private enum Format: String, CaseIterable {
    case text, json, sarif
  }

  static let name: StaticString = "check"

  static var description: CommandDescription {
    CommandDescription(
      name: name, summary: "tell whether the annotations of files are sound", operandsText: "FILE...",
      operands: .files,
      details: [
        "Finds malformed records, members of built-in kinds that are missing, misspelt or of a wrong type, records "
          + "that contradict or repeat each other, annotations whose target has no join point in the given files, "
          + "and annotated C functions that do not exist. Names that come near are listed. FILE may be a directory, which stands for all ELF files and archives below it. Give all files of a "
          + "program together, so that annotations in one find their targets in another."
      ],
      options: [
        .format(
          Format.allCases.map(\.rawValue),
          help: "text (default): as compilers write; json: one JSON document; sarif: SARIF 2.1.0")
      ] + Expectations.options + [
        OptionDescription(
          "schema", nil, "FILE", .file,
          help:
            "check records against the JSON Schemas that FILE has under '$defs' by the names of their kinds"),
        OptionDescription(
          "elsewhere", nil, "TARGET", .text,
          help:
            "targets that match are in files that are not given, such as plugins: their absence is only noted"
        ),
        OptionDescription(
          "needed", "n", help: "also check the libraries that the loader would load with each file"),
        OptionDescription(
          "section", "s", "NAME", .text, help: "read the sections of this name, 'annot' by default"),
        Exclusions.option,
        .color,
      ],
      statuses: (
        "nothing amiss, notes aside", "there are errors or warnings",
        "bad usage, a schema that cannot be used, or a file that could not be read"
      ),
      examples: [
        .init(line: "annot check build", purpose: "check all programs and libraries of a build together"),
        .init(
          line: "annot check --expect-kind needlogin=12 build/shop",
          purpose: "notice an annotation that was lost"),
        .init(
          line: "annot check --require 'needlogin: Account.*' build/shop",
          purpose: "every method of Account must need a login"),
        .init(line: "annot check -f sarif build/shop >annot.sarif", purpose: "for code scanning"),
      ])
  }

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    let paths = try arguments.files()
    let expectations = try Expectations(arguments)
    let format: Format = arguments.choice("format")
    var schemas = KindSchemas()
    if let path = arguments.path("schema") {
      do throws(KindSchemas.Problem) { schemas = try KindSchemas(path: path) } catch {
        complain(error.message)
        return .trouble
      }
    }
    var reader = CheckReader(
      options: RecordPrinter.readingOptions(arguments), exclusions: Exclusions(arguments.values("exclude")))
    for path in paths { reader.read(InputFile(path: path), withNeeded: arguments.has("needed")) }
    let elsewhere = arguments.values("elsewhere").map { TargetPattern($0) }
    let report = reader.report(expectations, schemas, elsewhere: elsewhere)

    var output = Output()
    switch format {
    case .text: output.write(report.text(isColored: Terminal.wantsColor(arguments.value("color") ?? "auto")))
    case .json: output.write(report.json())
    case .sarif: output.write(SARIFLog(report: report).text())
    }
    output.flush()
    let status = report.diagnostics.status
    return max(status, report.isSound ? .success : .findings)
  }
}
