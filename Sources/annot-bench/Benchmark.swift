/// One comparison: what Annot takes beside what something else takes for the same.
struct Comparison {
  /// What is done, and in words what it is compared with.
  let work, reference: String
  /// What each took, in the section's unit.
  let time, referenceTime: Double
  /// The most that the ratio should be; nil when there is no such promise.
  let budget: Double?

  var ratio: Double { time / referenceTime }
}

/// A group of comparisons.
///
/// Each is in a file of its own; `sections` in main.swift lists them.
protocol BenchmarkSection {
  /// What it is called on the command line.
  static var name: String { get }
  /// Its heading.
  static var title: String { get }
  /// The unit of its times.
  static var unit: String { get }
  /// Measures; throws ``BenchmarkError`` when that cannot be done.
  static func run(in directory: WorkDirectory) throws -> [Comparison]
}

extension BenchmarkSection {
  static var unit: String { "ms" }
}

/// Why something could not be measured.
struct BenchmarkError: Error {
  let message: String
}
