internal import BenchmarkBaselines
internal import CAnnot
@preconcurrency import Glibc

/// What collecting costs a process that has many libraries, by each of the two routes.
enum StartUpSection: BenchmarkSection {
  static let name = "startup"
  static let title = "Find the records of libraries just loaded, five in each"

  static func run(in directory: WorkDirectory) throws -> [Comparison] {
    let most = 300
    var result: [Comparison] = []
    for (route, bounds, budget) in [("note", true, 1.0 / 15), ("file", false, 1.0)] {
      let libraries = try copies(of: "start-\(route)", bounds: bounds, count: most, in: directory)
      for count in [5, 50, most] {
        let some = Array(libraries[..<count])
        let times = try measure(some)
        result += [("libelf on each file", times[1], budget), ("dl_iterate_phdr alone", times[2], nil)].map {
          Comparison(
            work: "\(count) libraries, \(route) route", reference: $0.0, time: times[0],
            referenceTime: $0.1, budget: $0.2)
        }
      }
    }
    return result
  }

  /// Different libraries in all that matters: file, build-id and records are each library's own.
  private static func copies(
    of name: String, bounds: Bool, count: Int, in directory: WorkDirectory
  ) throws -> [String] {
    let first = try directory.library(name, records: 5, bounds: bounds)
    return try (0..<count).map { index in
      let path = "\(directory.path)/\(name)-\(index).so"
      _ = try time(program: "cp", [first, path])
      return path
    }
  }

  /// The times of collecting, of libelf on the same files, and of a walk over the images.
  private static func measure(_ libraries: [String]) throws -> [Double] {
    try least(
      of: 9,
      [
        { try timeCollecting(libraries) },
        {
          try time {
            for path in libraries where baseline_find_section(path) == 0 {
              throw BenchmarkError(message: "libelf finds nothing in \(path)")
            }
          }
        },
        { try timeLoaded(libraries) { _ = baseline_walk_images() } },
      ])
  }

  private static func timeCollecting(_ libraries: [String]) throws -> Double {
    annot_snapshot_free(annot_snapshot_take())
    return try timeLoaded(libraries) {
      let snapshot = annot_snapshot_take()
      annot_snapshot_free(snapshot)
    }
  }

  /// The time of work while libraries are loaded.
  private static func timeLoaded(_ libraries: [String], _ work: () -> Void) throws -> Double {
    let handles = try libraries.map { path in
      guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
        throw BenchmarkError(message: String(cString: dlerror()))
      }
      return handle
    }
    defer { for handle in handles { dlclose(handle) } }
    return time(work)
  }
}
