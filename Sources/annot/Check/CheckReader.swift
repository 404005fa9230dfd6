internal import AnnotationRecords

/// Reads the files that are to be checked.
struct CheckReader {
  let options: ELFAnnotations.Options
  private(set) var inventory = Inventory()
  private(set) var diagnostics = Diagnostics()
  /// Malformed records, and what could not be read.
  private(set) var findings: [Finding] = []
  /// The files that were read.
  private(set) var files: [ELFAnnotations] = []
  private var libraries: Set<String> = []

  init(options: ELFAnnotations.Options) { self.options = options }

  /// Reads a file, and the libraries that it needs if wanted.
  mutating func read(_ file: InputFile, withNeeded: Bool) {
    add(file)
    guard withNeeded && !file.isStandardInput else { return }
    let search = NeededLibraries(of: file.name)
    search.reportMissing(to: &diagnostics)
    for path in search.found where libraries.insert(path).inserted {
      path.withCString { add(InputFile(path: $0)) }
    }
  }

  private mutating func add(_ file: InputFile) {
    do {
      let annotations = try file.read(options)
      files.append(annotations)
      inventory.add(annotations, path: file.isStandardInput ? nil : file.name)
      for diagnostic in annotations.diagnostics { take(diagnostic, file) }
    } catch {
      diagnostics.report(error, shown: file.shown)
    }
  }

  /// Malformed records are findings; what could not be read is told on standard error too.
  private mutating func take(_ diagnostic: AnnotationDiagnostic, _ file: InputFile) {
    let place = Finding.Place(
      file: diagnostic.image, member: diagnostic.member, section: diagnostic.section,
      offset: diagnostic.offset)
    switch diagnostic.severity {
    case .note: break
    case .malformedRecord:
      findings.append(Finding(rule: .malformedRecord, message: diagnostic.reason, place: place))
    case .unreadable:
      diagnostics.report(diagnostic, shown: file.shown)
      findings.append(Finding(rule: .unreadable, message: diagnostic.reason, place: place))
    }
  }

  /// Checks what was read.
  func report(_ expectations: Expectations?, _ schemas: KindSchemas, elsewhere: [TargetPattern])
    -> CheckReport
  {
    let records = inventory.unique
    let all =
      findings + MembersCheck.findings(records) + RepeatsCheck.findings(inventory)
      + TargetsCheck(inventory, elsewhere: elsewhere).findings + SchemaCheck.findings(records, schemas)
      + (expectations?.findings(inventory) ?? [])
    return CheckReport(all, inventory, fileCount: files.count, diagnostics: diagnostics)
  }
}
