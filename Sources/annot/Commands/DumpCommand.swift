internal import AnnotationRecords

/// `annot dump`: prints the annotations of files.
enum DumpCommand: Command {
  static let name: StaticString = "dump"

  static var description: CommandDescription {
    CommandDescription(
      name: name, summary: "print the annotations of files", operandsText: "FILE...", operands: .files,
      details: [
        "FILE is an executable, a shared object, an object file or an archive of object files; '-' is standard "
          + "input. Annotations are sorted by source file, line, kind, class and selector. Equal ones of one file "
          + "are shown once. A file without annotations is told of on standard error."
      ],
      options: RecordPrinter.options + [
        OptionDescription(
          "needed", "n",
          help: "also print the libraries that the loader would load with each file; nothing of them is run")
      ],
      statuses: (
        "nothing amiss", "some records are malformed",
        "bad usage, or a file that could not be read; the other files are printed all the same"
      ),
      examples: [
        .init(line: "annot dump .build/release/shop", purpose: "what a program declares"),
        .init(
          line: "annot dump --needed --kind needlogin shop", purpose: "what needs a login, libraries included"
        ),
        .init(
          line: "annot dump --where event='cart.*' --sort target libcart.so",
          purpose: "the events of the cart"),
        .init(
          line: "annot dump -f jsonl libcart.so | jq -r '.record.cls'", purpose: "the same for other programs"
        ),
      ])
  }

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    let files = try arguments.files()
    let printer = try RecordPrinter(arguments, headings: files.count > 1 || arguments.has("needed"))
    var dumper = Dumper(
      printer: printer, options: RecordPrinter.readingOptions(arguments), withNeeded: arguments.has("needed"))
    for path in files { dumper.dump(InputFile(path: path)) }
    return dumper.end()
  }
}

/// Dumps files one after the other.
private struct Dumper: ~Copyable {
  private var printer: RecordPrinter
  private let options: ELFAnnotations.Options
  private let withNeeded: Bool
  private var diagnostics = Diagnostics()

  init(printer: consuming RecordPrinter, options: ELFAnnotations.Options, withNeeded: Bool) {
    self.printer = printer
    self.options = options
    self.withNeeded = withNeeded
    self.printer.begin()
  }

  mutating func dump(_ file: InputFile) {
    guard let annotations = read(file, isNamed: true) else { return }
    printer.print(annotations, name: file.shown)
    if withNeeded && !file.isStandardInput { dumpNeeded(of: file) }
  }

  mutating func end() -> ExitStatus {
    printer.end(more: diagnostics.json)
    return diagnostics.status
  }

  /// - Parameter isNamed: Whether the user named the file, and so is told when it has no annotations.
  private mutating func read(_ file: InputFile, isNamed: Bool) -> ELFAnnotations? {
    do {
      let annotations = try file.read(options)
      report(annotations, file, isNamed: isNamed)
      return annotations
    } catch {
      printer.flush()
      diagnostics.report(error, shown: file.shown)
      return nil
    }
  }

  /// Tells what is wrong with a file, and that it has no annotations.
  private mutating func report(_ annotations: ELFAnnotations, _ file: InputFile, isNamed: Bool) {
    if annotations.records.isEmpty || !annotations.diagnostics.isEmpty { printer.flush() }
    diagnostics.report(annotations, shown: file.shown)
    let isSound = annotations.diagnostics.allSatisfy { $0.severity == .note }
    if isNamed && annotations.records.isEmpty && isSound { complain("\(file.shown): no annotations") }
  }

  private mutating func dumpNeeded(of file: InputFile) {
    let search = NeededLibraries(of: file.name)
    if !search.missing.isEmpty { printer.flush() }
    search.reportMissing(to: &diagnostics)
    for path in search.found {
      path.withCString { path in
        let library = InputFile(path: path)
        if let annotations = read(library, isNamed: false) { printer.print(annotations, name: library.shown) }
      }
    }
  }
}
