internal import AnnotationRecords
@preconcurrency import Glibc

/// `annot diff`: tells what two builds' annotations differ in.
enum DiffCommand: Command {
  private enum Format: String, CaseIterable {
    case text, json, markdown
  }

  static let name: StaticString = "diff"

  static var description: CommandDescription {
    CommandDescription(
      name: name, summary: "tell what the annotations of two builds differ in", operandsText: "OLD NEW",
      operands: .files,
      details: [
        "OLD and NEW are two files, or two directories, whose files are compared by their paths below them. "
          + "Annotations are compared by what they are about and say, not by where they stand: a line that moved is no "
          + "difference unless --moved is given."
      ],
      options: [
        .format(
          Format.allCases.map(\.rawValue),
          help:
            "text (default): a line for each difference; json: one JSON document; markdown: a table for a comment "
            + "on a pull request")
      ] + RecordFilter.options + [
        OptionDescription(
          "only", "o", "CHANGE", .choice(["removed", "added", "changed", "moved"]),
          help: "only differences of this kind, all unless given; when it is given again either will do"),
        OptionDescription("moved", nil, help: "another source file or line is a difference too"),
        Exclusions.option,
        OptionDescription(
          "section", "s", "NAME", .text, help: "read the sections of this name, 'annot' by default"),
        .color,
      ],
      statuses: (
        "the annotations are the same", "they differ",
        "bad usage, or something that could not be read, malformed records among it"
      ),
      examples: [
        .init(line: "annot diff old/libcart.so new/libcart.so", purpose: "compare two files"),
        .init(
          line: "annot diff -k needlogin --only removed old/ new/",
          purpose: "fail when an annotation was lost"),
        .init(line: "annot diff -f markdown old/ new/", purpose: "make a table for a pull request"),
      ])
  }

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    guard arguments.operands.count == 2 else {
      throw UsageError(message: "two files or directories are needed, OLD and NEW")
    }
    let format: Format = arguments.choice("format")
    let filter = try RecordFilter(arguments)
    var reader = BuildReader(
      options: RecordPrinter.readingOptions(arguments), filter: filter,
      exclusions: Exclusions(arguments.values("exclude")))
    let inputs = arguments.operands.map { InputFile(path: UnsafePointer($0)) }
    for input in inputs where !input.exists {
      complain("\(input.shown): \(String(cString: strerror(errno)))")
      return .trouble
    }
    guard inputs[0].isDirectory == inputs[1].isDirectory else {
      throw UsageError(
        message: "a file and a directory cannot be compared: give two files, or two directories")
    }
    let only = arguments.values("only").compactMap { AnnotationChange.Kind(rawValue: $0) }
    let withMoves = arguments.has("moved") || only.contains(.moved)
    let (old, new) = (reader.read(inputs[0]), reader.read(inputs[1]))

    let files = Set(old.keys).union(new.keys).sorted { $0.lexicographicallyPrecedes($1) }.compactMap { path in
      let changes = AnnotationChange.between(
        old[path] ?? [], new[path] ?? [], withMoves: withMoves
      ).filter { only.isEmpty || only.contains($0.kind) }
      let name = inputs[0].isDirectory ? String(decoding: path, as: UTF8.self) : nil
      return changes.isEmpty ? nil : FileDifference(path: name, changes: changes)
    }
    let difference = BuildDifference(
      oldName: inputs[0].name, newName: inputs[1].name, files: files, diagnostics: reader.diagnostics)
    var output = Output()
    switch format {
    case .text:
      output.write(difference.text(isColored: Terminal.wantsColor(arguments.value("color") ?? "auto")))
    case .json: output.write(difference.json())
    case .markdown: output.write(difference.markdown())
    }
    output.flush()
    // What could not be read might have differed.
    return reader.diagnostics.status > .success ? .trouble : difference.isEmpty ? .success : .findings
  }
}

/// Reads the annotations of files and directories.
private struct BuildReader {
  let options: ELFAnnotations.Options
  let filter: RecordFilter
  let exclusions: Exclusions
  private(set) var diagnostics = Diagnostics()

  init(options: ELFAnnotations.Options, filter: RecordFilter, exclusions: Exclusions) {
    self.options = options
    self.filter = filter
    self.exclusions = exclusions
  }

  /// The records by the files' paths below a directory; those of a file by the empty path.
  mutating func read(_ input: InputFile) -> [[UInt8]: [AnnotationRecord]] {
    if !input.isDirectory { return [[]: readFile(input)] }
    var result: [[UInt8]: [AnnotationRecord]] = [:]
    var walk = TreeWalk(exclusions: exclusions)
    walk.walk(input.path) { take($0, &result) }
    return result
  }

  private mutating func take(_ event: TreeEvent, _ result: inout [[UInt8]: [AnnotationRecord]]) {
    switch event {
    case .unreadable(let path, let error):
      diagnostics.report(
        unreadable: String(decoding: path, as: UTF8.self), shown: escaped(path),
        String(cString: strerror(error)))
    case .file(let treeFile):
      let path = treeFile.path
      let descriptor = treeFile.open()
      if descriptor < 0 { return take(.unreadable(path: path, error: errno), &result) }
      defer { close(descriptor) }
      // The members of a thin archive are files of the tree themselves.
      guard let content = FileContent(descriptor), content == .elf || content == .archive else { return }
      let name = String(decoding: path, as: UTF8.self)
      do {
        let file = try ELFAnnotations(descriptor: descriptor, name: name, options: options)
        diagnostics.report(file, shown: escaped(path))
        let records = filter(file.records)
        if !records.isEmpty { result[treeFile.below] = records }
      } catch {
        diagnostics.report(error, shown: escaped(path))
      }
    }
  }

  private mutating func readFile(_ input: InputFile) -> [AnnotationRecord] {
    do {
      let file = try input.read(options)
      diagnostics.report(file, shown: input.shown)
      return filter(file.records)
    } catch {
      diagnostics.report(error, shown: input.shown)
      return []
    }
  }
}
