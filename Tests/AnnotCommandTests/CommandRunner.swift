import TestSupport

/// Files in a directory of their own, and the command run on them.
struct CommandRunner {
  let directory: TemporaryDirectory
  let annot: String

  init() throws {
    directory = try TemporaryDirectory()
    annot = try builtExecutable("annot")
  }

  func file(_ name: String, _ records: [String]) throws -> String {
    try directory.write(ELFFixture(records: records).bytes, to: name)
  }

  func callAsFunction(_ arguments: String..., input: [UInt8] = [], output: OutputTarget = .captured) throws
    -> ProcessResult
  {
    let result = try run(annot, arguments, input: input, output: output)
    return placed(result)
  }

  /// The result without the place of the files, for which DIR stands.
  func placed(_ result: ProcessResult) -> ProcessResult {
    func place(_ text: String) -> String {
      text.split(separator: directory.path, omittingEmptySubsequences: false).joined(separator: "DIR")
    }
    return ProcessResult(output: place(result.output), errors: place(result.errors), status: result.status)
  }

  /// Runs the command with its output on a terminal.
  func onTerminal(
    _ arguments: String..., columns: UInt16 = 200, environment: [String: String] = [:]
  ) throws -> ProcessResult {
    placed(try runOnTerminal(annot, arguments, columns: columns, environment: environment))
  }

  /// Writes an ELF file that has the records in a section of another name.
  func file(_ name: String, section: String, _ records: [String]) throws -> String {
    try directory.write(ELFFixture([.init(section, ELFFixture.section(records))]).bytes, to: name)
  }
}

let needLogin =
  #"{"kind":"needlogin","cls":"Router","sel":"jump","module":"C","file":"r.c","line":3}"#
let track =
  #"{"kind":"track","cls":"Router","sel":"open:","module":"C","file":"r.c","line":7,"event":"open"}"#
