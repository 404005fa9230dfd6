internal import AnnotationRecords
@preconcurrency import Glibc

/// `annot scan`: prints the annotations of all files below directories.
enum ScanCommand: Command {
  static let name: StaticString = "scan"

  static var description: CommandDescription {
    CommandDescription(
      name: name, summary: "print the annotations of all files below directories", operandsText: "DIR...",
      operands: .directories,
      details: [
        "Every ELF file and archive of object files is read, whatever its name. Symbolic links are not followed, but "
          + "for DIR itself; no FIFO, device or socket is opened. What cannot be read is named on standard error, and "
          + "a summary ends the output there. The members of thin archives are read where they are."
      ],
      options: RecordPrinter.options + [
        Exclusions.option,
        OptionDescription(
          "one-file-system", nil, help: "leave out directories on other file systems than DIR"),
        OptionDescription("quiet", "q", help: "print no summary"),
      ],
      statuses: (
        "nothing amiss", "some records are malformed",
        "bad usage, something that could not be read, or no ELF file was seen"
      ),
      examples: [
        .init(line: "annot scan .build/release", purpose: "what a build declares"),
        .init(
          line: "annot scan -f jsonl --exclude '*.o' --kind needlogin build", purpose: "what needs a login"),
      ])
  }

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    if arguments.operands.isEmpty { throw UsageError(message: "no directory is given") }
    var options = RecordPrinter.readingOptions(arguments)
    options.limit = Scanner.limit
    var scanner = Scanner(
      printer: try RecordPrinter(arguments, headings: true), options: options, isQuiet: arguments.has("quiet")
    )
    let exclusions = Exclusions(arguments.values("exclude"))
    for root in arguments.operands {
      var walk = TreeWalk(exclusions: exclusions, staysOnFileSystem: arguments.has("one-file-system"))
      walk.walk(root) { scanner.take($0) }
    }
    return scanner.end()
  }
}

/// Reads files on several threads, and prints what they have in the order in which they were met.
private struct Scanner: ~Copyable {
  /// The most bytes of sections' contents that are held of one file, as several are read at once.
  static let limit: UInt64 = 128 << 20

  private var printer: RecordPrinter
  private let pool: ScanPool
  /// The most batches that are not printed yet; it bounds memory and open files.
  private let batchLimit: Int
  private let isQuiet: Bool
  private var batch = ScanBatch()
  private var submitted: [ScanBatch] = []
  private var diagnostics = Diagnostics()
  private var summary = ScanSummary()
  private var progress = Progress()

  init(printer: consuming RecordPrinter, options: ELFAnnotations.Options, isQuiet: Bool) {
    self.printer = printer
    self.isQuiet = isQuiet
    let processors = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
    let threads = min(processors, 8)
    batchLimit = 2 * threads + 2
    pool = ScanPool(threadCount: threads, options: options)
    Self.allowManyFiles()
    self.printer.begin()
  }

  /// Raises the number of files that may be open as far as the system lets it: deep trees need one for each level.
  private static func allowManyFiles() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
  }

  mutating func take(_ event: TreeEvent) {
    batch.add(event)
    if batch.isFull { submit() }
  }

  private mutating func submit() {
    pool.submit(batch)
    submitted.append(batch)
    batch = ScanBatch()
    if submitted.count >= batchLimit { printFirst() }
  }

  private mutating func printFirst() {
    let first = submitted.removeFirst()
    pool.wait(for: first)
    for entry in first.entries { print(entry) }
  }

  private mutating func print(_ entry: ScanBatch.Entry) {
    switch entry.outcome {
    case .gone: return
    case .other: summary.files += 1
    case .unreadable(let error): fail(entry, String(cString: strerror(error)))
    case .failed(let error): print(error, entry)
    case .elf(let file): print(file, entry)
    }
    progress.update("annot: \(summary.files) files seen, \(summary.elfFiles) ELF")
  }

  private mutating func print(_ file: ELFAnnotations, _ entry: ScanBatch.Entry) {
    summary.files += 1
    summary.elfFiles += 1
    if !file.records.isEmpty || !file.diagnostics.isEmpty { progress.clear() }
    let problems = file.diagnostics.filter { $0.severity != .note }
    if !problems.isEmpty { printer.flush() }
    if problems.contains(where: { $0.severity == .unreadable }) { summary.unreadable += 1 }
    for problem in problems { diagnostics.report(problem, shown: escaped(entry.path)) }
    let printed = printer.print(file, name: escaped(entry.path))
    if !printed.isEmpty { summary.annotated += 1 }
    for record in printed { summary.kinds[record.kind, default: 0] += 1 }
  }

  private mutating func print(_ error: AnnotationError, _ entry: ScanBatch.Entry) {
    summary.files += 1
    // A core file among others is nothing amiss.
    if error.code == .unsupported {
      progress.clear()
      printer.flush()
      complain("\(escaped(entry.path)): passed over: \(escaped(error.reason))")
      return
    }
    summary.elfFiles += 1
    fail(entry, error.reason, offset: error.offset)
  }

  private mutating func fail(_ entry: ScanBatch.Entry, _ reason: String, offset: UInt64? = nil) {
    summary.unreadable += 1
    progress.clear()
    printer.flush()
    diagnostics.report(
      unreadable: String(decoding: entry.path, as: UTF8.self), shown: escaped(entry.path), offset: offset,
      reason)
  }

  mutating func end() -> ExitStatus {
    submit()
    while !submitted.isEmpty { printFirst() }
    pool.close()
    progress.clear()
    printer.end(more: diagnostics.json + summary.json)
    if !isQuiet { complain(summary.text) }
    if summary.elfFiles == 0 {
      complain("0 ELF files were seen: is this where the build puts its files?")
      return .trouble
    }
    return diagnostics.status
  }
}
