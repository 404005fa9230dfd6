internal import AnnotationRecords
@preconcurrency import Glibc

/// Reads the files that are to be checked.
struct CheckReader {
  let options: ELFAnnotations.Options
  private let exclusions: Exclusions
  private(set) var inventory = Inventory()
  private(set) var diagnostics = Diagnostics()
  /// Malformed records, and what could not be read.
  private(set) var findings: [Finding] = []
  /// The files that were read.
  private(set) var files: [ELFAnnotations] = []
  /// The paths of all files, so that a library that several need is read once.
  private var paths: Set<String> = []

  init(options: ELFAnnotations.Options, exclusions: Exclusions) {
    self.options = options
    self.exclusions = exclusions
  }

  /// Reads a file, or all ELF files and archives below a directory, and the libraries that they need if wanted.
  mutating func read(_ input: InputFile, withNeeded: Bool) {
    if !input.isDirectory {
      add(input)
      if withNeeded && !input.isStandardInput { addNeeded(of: input.name) }
      return
    }
    let before = files.count
    var walk = TreeWalk(exclusions: exclusions)
    walk.walk(input.path) { event in
      switch event {
      case .file(let file): add(file, withNeeded: withNeeded)
      case .unreadable(let path, let error): fail(path, String(cString: strerror(error)))
      }
    }
    if files.count == before { fail(Array(input.name.utf8), "there is no ELF file below this directory") }
  }

  private mutating func fail(_ path: [UInt8], _ reason: String) {
    diagnostics.report(unreadable: String(decoding: path, as: UTF8.self), shown: escaped(path), reason)
  }

  private mutating func addNeeded(of path: String) {
    let search = NeededLibraries(of: path)
    search.reportMissing(to: &diagnostics)
    for library in search.found where paths.insert(library).inserted {
      library.withCString { add(InputFile(path: $0)) }
    }
  }

  private mutating func add(_ file: TreeFile, withNeeded: Bool) {
    let descriptor = file.open()
    if descriptor < 0 { return fail(file.path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    // The members of a thin archive are files of the tree themselves.
    guard let content = FileContent(descriptor), content == .elf || content == .archive else { return }
    withCString(file.path) { add(InputFile(path: $0)) }
    if withNeeded { addNeeded(of: String(decoding: file.path, as: UTF8.self)) }
  }

  private mutating func add(_ file: InputFile) {
    paths.insert(file.name)
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
