@preconcurrency import Glibc

/// The command-line tool beside another that looks for a section in all files of a tree.
enum ScanSection: BenchmarkSection {
  static let name = "scan"
  static let title = "`annot scan` of a tree, against `scanelf -R -k annot`"

  static func run(in directory: WorkDirectory) throws -> [Comparison] {
    let tree = directory.path + "/tree"
    let library = try directory.library("scan", records: 10)
    // As builds leave them: one ELF file among a hundred others, fifty of them in a directory.
    let script = """
      mkdir "$1"; cd "$1"
      for i in $(seq 400); do
        mkdir d$i
        for j in $(seq 50); do echo "file $j" >d$i/f$j.txt; done
        [ $((i % 2)) = 0 ] || cp "$2" d$i/lib.so
      done
      """
    _ = try time(program: "sh", ["-ec", script, "sh", tree, library])
    let works: [() throws -> Double] = [
      { try time(program: programsDirectory() + "/annot", ["scan", "-q", "-f", "jsonl", tree]) },
      { try time(program: "scanelf", ["-R", "-k", "annot", tree]) },
    ]
    guard (try? works[1]()) != nil else { throw BenchmarkError(message: "there is no scanelf (pax-utils)") }
    let processor = try least(works)
    let elapsed = try least(works.map { work in { try elapsedTime { _ = try work() } } })
    return [("processor time", processor), ("elapsed time", elapsed)].map { what, times in
      Comparison(
        work: "20200 files, \(what)", reference: "scanelf", time: times[0], referenceTime: times[1],
        budget: 0.5)
    }
  }
}
