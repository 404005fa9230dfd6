internal import AnnotationRecords
@preconcurrency import Glibc

/// `annot dump`: prints the annotations of files.
struct DumpCommand: ~Copyable {
  private enum Format: String {
    case text, jsonl
  }

  private let format: Format
  private let headings: Bool
  private var output = Output()
  private var status = ExitStatus.success
  private var printedTables = 0

  static func run(_ arguments: Command.Arguments) throws(UsageError) -> ExitStatus {
    let parsed = try parse(
      arguments, [OptionDescription("format", "f", takesValue: true), OptionDescription("help", "h")])
    var format = Format.text
    for (name, value) in parsed.options {
      if name == "help" { return Command.show(Help.dump) }
      guard let known = Format(rawValue: value) else {
        throw UsageError(message: "unknown format '\(escaped(value))': text and jsonl are known")
      }
      format = known
    }
    if parsed.operands.isEmpty { throw UsageError(message: "no file is given") }

    var command = DumpCommand(format: format, headings: parsed.operands.count > 1)
    for path in parsed.operands { command.dump(path) }
    command.output.flush()
    return command.status
  }

  private init(format: Format, headings: Bool) {
    self.format = format
    self.headings = headings
  }

  private mutating func dump(_ path: UnsafePointer<CChar>) {
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
