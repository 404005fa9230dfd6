internal import AnnotationRecords
@preconcurrency import Glibc

/// `annot ps`: prints the annotations of a running process.
enum PsCommand: Command {
  static let name: StaticString = "ps"

  static var description: CommandDescription {
    CommandDescription(
      name: name, summary: "print the annotations of a running process", operandsText: "PID",
      operands: .processes,
      details: [
        "The files that the process has mapped are read, as the process sees them: in its own root directory, and, "
          + "when one was deleted or replaced meanwhile, the very file that is mapped. The process is not stopped or "
          + "changed. Looking into another user's process needs root's rights (CAP_SYS_PTRACE), and reading files that "
          + "were deleted or replaced CAP_CHECKPOINT_RESTORE."
      ],
      options: RecordPrinter.options,
      statuses: (
        "nothing amiss", "some records are malformed",
        "bad usage, a process that cannot be looked into, or a file of it that could not be read"
      ),
      examples: [
        .init(line: "annot ps $(pidof shop)", purpose: "what the running shop has, plugins included"),
        .init(line: "annot ps -f jsonl -k needlogin 1234", purpose: "the same for other programs"),
      ])
  }

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count == 1 else {
      throw UsageError(message: "one process is needed, by its number")
    }
    let text = String(cString: arguments.operands[0])
    guard let process = UInt64(text), process > 0 else {
      throw UsageError(message: "a process is given by its number, not as '\(escaped(text))'")
    }
    var printer = try RecordPrinter(arguments, headings: true)
    let files: ProcessFiles
    do throws(ProcessFiles.Problem) { files = try ProcessFiles(of: process) } catch {
      complain(error.message)
      return .trouble
    }
    let options = RecordPrinter.readingOptions(arguments)
    var diagnostics = Diagnostics()
    var count = 0
    printer.begin()
    for file in files.files {
      guard let annotations = read(file, of: files, options, &printer, &diagnostics) else { continue }
      count += annotations.records.count
      if !annotations.diagnostics.isEmpty { printer.flush() }
      diagnostics.report(annotations, shown: escaped(Array(annotations.path.utf8)))
      printer.print(annotations, name: escaped(annotations.path))
    }
    printer.end(more: diagnostics.json)
    if count == 0 && diagnostics.status == .success { complain("process \(process): no annotations") }
    return diagnostics.status
  }

  /// Reads a file; nil when it is no ELF file, or could not be read, which was told then.
  private static func read(
    _ file: MappedFile, of files: ProcessFiles, _ options: ELFAnnotations.Options,
    _ printer: inout RecordPrinter, _ diagnostics: inout Diagnostics
  ) -> ELFAnnotations? {
    func fail(_ path: [UInt8], _ reason: String) {
      printer.flush()
      diagnostics.report(unreadable: String(decoding: path, as: UTF8.self), shown: escaped(path), reason)
    }
    switch files.open(file) {
    case .other: return nil
    case .unreadable(let path, let reason):
      // Of data that is mapped nobody expects annotations.
      if file.isExecutable { fail(path, reason) }
      return nil
    case .file(let descriptor, let path):
      defer { close(descriptor) }
      guard case .elf? = FileContent(descriptor) else { return nil }
      do {
        let name = String(decoding: path, as: UTF8.self)
        return try ELFAnnotations(descriptor: descriptor, name: name, options: options)
      } catch {
        fail(path, error.reason)
        return nil
      }
    }
  }
}
