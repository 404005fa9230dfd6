internal import BenchmarkBaselines
internal import CAnnot
internal import CAnnot.Testing
@preconcurrency import Glibc

/// What collecting costs a process that has many libraries, by each of the two routes.
enum StartUpSection: BenchmarkSection {
  static let name = "startup"
  static let title = "Find the records of loaded libraries, five in each"

  static func run(in directory: WorkDirectory) throws -> [Comparison] {
    let most = 300
    var result: [Comparison] = []
    for (route, bounds, budget) in [("note", true, 1.0 / 15), ("file", false, 1.0)] {
      let libraries = try copies(of: "start-\(route)", bounds: bounds, count: most, in: directory)
      for count in [5, 50, most] {
        let some = Array(libraries[..<count])
        let times = try measure(some)
        let work = "\(count) libraries, \(route) route"
        result += [
          Comparison(
            work: work, reference: "libelf on each file", time: times[0], referenceTime: times[2],
            budget: budget),
          Comparison(
            work: work, reference: "dl_iterate_phdr alone", time: times[0], referenceTime: times[3],
            budget: nil),
          Comparison(
            work: work + ", first touch", reference: "libelf on each file", time: times[1],
            referenceTime: times[2], budget: nil),
        ]
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

  /// The times of collecting, of collecting when the libraries' memory was not touched before, of libelf on the same
  /// files, and of a walk over the images.
  ///
  /// All but the second find what they need in the caches, as each is done a few times in a row.
  private static func measure(_ libraries: [String]) throws -> [Double] {
    let before = annot_snapshot_take()
    defer { annot_snapshot_free(before) }
    return try least(
      of: 9,
      [
        { try whileLoaded(libraries) { try timeCollecting(libraries, since: before) } },
        {
          annot_snapshot_free(annot_snapshot_take())
          return try whileLoaded(libraries) { time { annot_snapshot_free(annot_snapshot_take()) } }
        },
        {
          try again {
            try time {
              for path in libraries where baseline_find_section(path) == 0 {
                throw BenchmarkError(message: "libelf finds nothing in \(path)")
              }
            }
          }
        },
        { try whileLoaded(libraries) { again { time { _ = baseline_walk_images() } } } },
      ])
  }

  /// The least time of a few in a row.
  private static func again(_ work: () throws -> Double) rethrows -> Double {
    try (0..<6).map { _ in try work() }.min() ?? 0
  }

  /// The time of collecting the libraries, as if they had been loaded since the snapshot.
  private static func timeCollecting(_ libraries: [String], since before: OpaquePointer?) throws -> Double {
    try again {
      var made: OpaquePointer?
      let took = time { made = annot_runtime_collect(before) }
      defer { annot_snapshot_free(made) }
      guard let made, annot_snapshot_record_count(made) >= 5 * libraries.count else {
        throw BenchmarkError(message: "records of the libraries are missing")
      }
      return took
    }
  }

  /// What a closure returns while libraries are loaded.
  private static func whileLoaded(_ libraries: [String], _ work: () throws -> Double) throws -> Double {
    let handles = try libraries.map { path in
      guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
        throw BenchmarkError(message: String(cString: dlerror()))
      }
      return handle
    }
    defer { for handle in handles { dlclose(handle) } }
    return try work()
  }
}
