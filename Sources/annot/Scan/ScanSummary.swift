/// The numbers that a scan ends with.
struct ScanSummary {
  /// Regular files that were opened.
  var files = 0
  /// ELF files, and archives, among them.
  var elfFiles = 0
  /// Those that have annotations that were asked for.
  var annotated = 0
  /// Entries that could not be read.
  var unreadable = 0
  /// How many annotations were printed of each kind.
  var kinds: [String: Int] = [:]

  private var sortedKinds: [(key: String, value: Int)] { kinds.sorted { $0.key < $1.key } }

  /// The numbers in a sentence.
  var text: String {
    let total = kinds.values.reduce(0, +)
    let names = sortedKinds.map { "\(escaped($0.key)) \($0.value)" }.joined(separator: ", ")
    return
      "\(files) file\(files == 1 ? "" : "s") seen, \(elfFiles) ELF; \(annotated) with annotations, \(total) in all"
      + (names.isEmpty ? "" : ": \(names)") + (unreadable > 0 ? "; \(unreadable) could not be read" : "")
  }

  /// The member of a JSON document, with a comma before it.
  var json: String {
    let names = sortedKinds.map { "\(quoted($0.key)):\($0.value)" }.joined(separator: ",")
    return ",\"summary\":{\"files\":\(files),\"elf\":\(elfFiles),\"annotated\":\(annotated),"
      + "\"unreadable\":\(unreadable),\"kinds\":{\(names)}}"
  }
}
