internal import AnnotationRecords
@preconcurrency import Glibc

/// `annot dump`: prints the annotations of files.
enum DumpCommand: Command {
  static var description: CommandDescription {
    CommandDescription(
      name: "dump", summary: "print the annotations of files", operandsText: "FILE...", operands: .files,
      details: [
        "FILE is an executable, a shared object, an object file or an archive of object files; '-' is standard "
          + "input. Annotations are sorted by source file, line, kind, class and selector. Equal ones of one file "
          + "are shown once. A file without annotations is told of on standard error."
      ],
      options: [
        .format(["text", "jsonl"], help: "text (default): a table; jsonl: one JSON object a line")
      ],
      statuses: (
        "nothing amiss", "some records are malformed",
        "bad usage, or a file that could not be read; the other files are printed all the same"
      ),
      examples: [
        .init(line: "annot dump .build/release/shop", purpose: "what a program declares"),
        .init(
          line: "annot dump -f jsonl libcart.so | jq -r '.record.cls'", purpose: "the same for other programs"
        ),
      ])
  }

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    let files = try arguments.files()
    var dumper = Dumper(format: arguments.choice("format"), headings: files.count > 1)
    for path in files { dumper.dump(path) }
    dumper.output.flush()
    return dumper.status
  }
}

/// Dumps files.
private struct Dumper: ~Copyable {
  enum Format: String {
    case text, jsonl
  }

  private let format: Format
  private let headings: Bool
  var output = Output()
  private(set) var status = ExitStatus.success
  private var printedTables = 0

  init(format: Format, headings: Bool) {
    self.format = format
    self.headings = headings
  }

  mutating func dump(_ path: UnsafePointer<CChar>) {
    let file: ELFAnnotations
    do {
      file = try open(path)
    } catch {
      // What is on standard output so far comes first where both go to one terminal.
      output.flush()
      status.raise(to: .trouble)
      complain(message(shown(path), error.offset, error.reason))
      return
    }
    report(file, path)
    print(file, path)
  }

  private func open(_ path: UnsafePointer<CChar>) throws(AnnotationError) -> ELFAnnotations {
    let isStandardInput = strcmp(path, "-") == 0
    let name = isStandardInput ? "-" : String(cString: path)
    if !isStandardInput { return try ELFAnnotations(rawPath: path, name: name, options: .init()) }
    let input = try StandardInput()
    return try ELFAnnotations(descriptor: input.descriptor, name: name)
  }

  private func shown(_ path: UnsafePointer<CChar>, member: String? = nil) -> String {
    let name = escaped(UnsafeRawBufferPointer(start: path, count: strlen(path)))
    return member.map { "\(name)(\(escaped($0)))" } ?? name
  }

  private func message(_ file: String, _ offset: UInt64?, _ reason: String) -> String {
    let place = offset.map { "offset \($0): " } ?? ""
    return "\(file): \(place)\(escaped(reason))"
  }

  /// Tells what is wrong with a file, and that it has no annotations.
  private mutating func report(_ file: ELFAnnotations, _ path: UnsafePointer<CChar>) {
    if file.records.isEmpty || !file.diagnostics.isEmpty { output.flush() }
    for diagnostic in file.diagnostics {
      switch diagnostic.severity {
      case .note: break
      case .malformedRecord: status.raise(to: .findings)
      case .unreadable: status.raise(to: .trouble)
      }
      complain(message(shown(path, member: diagnostic.member), diagnostic.offset, diagnostic.reason))
    }
    if file.records.isEmpty && file.diagnostics.allSatisfy({ $0.severity == .note }) {
      complain("\(shown(path)): no annotations")
    }
  }

  private mutating func print(_ file: ELFAnnotations, _ path: UnsafePointer<CChar>) {
    if file.records.isEmpty { return }
    switch format {
    case .jsonl:
      var line = JSONLine(file: file.path)
      for record in file.records { line.write(record, to: &output) }
    case .text:
      if printedTables > 0 { output.write("\n") }
      if headings { output.write(shown(path) + ":\n") }
      printedTables += 1
      RecordTable(file.records).write(to: &output)
    }
  }
}
