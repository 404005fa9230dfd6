@preconcurrency import Glibc

/// The command-line tool beside others that print a section.
enum DumpSection: BenchmarkSection {
  static let name = "dump"
  static let title = "`annot dump --format jsonl`, which checks and sorts, against other tools"

  private static let python = """
    import json, sys
    from elftools.elf.elffile import ELFFile
    with open(sys.argv[1], 'rb') as file:
        data = ELFFile(file).get_section_by_name('annot').data()
        for record in data.split(b'\\0'):
            if record: print(json.dumps(json.loads(record)))
    """

  static func run(in directory: WorkDirectory) throws -> [Comparison] {
    let path = try directory.library("dump", records: 100_000)
    let annot = programsDirectory() + "/annot"
    let others: [(name: String, program: String, arguments: [String], budget: Double?)] = [
      ("readelf -p", "readelf", ["-p", "annot", path], 0.5),
      ("llvm-readelf -p", "llvm-readelf", ["-p", "annot", path], nil),
      ("pyelftools and json", "python3", ["-c", python, path], 0.05),
    ]
    var result: [Comparison] = []
    for other in others {
      // Only readelf is sure to be there.
      guard (try? time(program: other.program, other.arguments)) != nil else { continue }
      let times = try least([
        { try time(program: annot, ["dump", "--format", "jsonl", path]) },
        { try time(program: other.program, other.arguments) },
      ])
      result.append(
        Comparison(
          work: "100000 records", reference: other.name, time: times[0], referenceTime: times[1],
          budget: other.budget))
    }
    return result
  }
}
