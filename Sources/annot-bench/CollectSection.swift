internal import AnnotationRecords
@preconcurrency import Glibc
internal import CAnnot

/// Collecting and indexing records, of a file and of a loaded library, beside printing them.
enum CollectSection: BenchmarkSection {
  static let name = "collect"
  static let title = "Collect and index records, against `readelf -p annot` on the same file"

  static func run(in directory: WorkDirectory) throws -> [Comparison] {
    try [1_000, 10_000, 100_000].flatMap { count in
      let path = try directory.library("collect\(count)", records: count)
      let times = try least([
        { try time(program: "readelf", ["-p", "annot", path]) },
        { try time { try check(ELFAnnotations(path: path).records.count, count) } },
        { try timeLoaded(path) },
      ])
      let budget = count == 100_000 ? 0.25 : nil
      return [("a file", times[1]), ("a library just loaded", times[2])].map {
        Comparison(
          work: "\(count) records of \($0.0)", reference: "readelf", time: $0.1, referenceTime: times[0],
          budget: budget)
      }
    }
  }

  private static func check(_ count: Int, _ wanted: Int) throws {
    if count != wanted { throw BenchmarkError(message: "\(count) records were found of \(wanted)") }
  }

  /// The time of the first read after the library was loaded.
  private static func timeLoaded(_ path: String) throws -> Double {
    annot_snapshot_free(annot_snapshot_take())
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw BenchmarkError(message: String(cString: dlerror()))
    }
    defer { dlclose(library) }
    return time { annot_snapshot_free(annot_snapshot_take()) }
  }
}
