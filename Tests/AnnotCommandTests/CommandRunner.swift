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
    // What was written does not hold where the files are.
    func place(_ text: String) -> String {
      text.split(separator: directory.path, omittingEmptySubsequences: false).joined(separator: "DIR")
    }
    return ProcessResult(output: place(result.output), errors: place(result.errors), status: result.status)
  }
}
