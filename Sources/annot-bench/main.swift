// Compares Annot with other ways to the same, side by side in one run; see docs/benchmarks.md.
@preconcurrency import Glibc

let sections: [any BenchmarkSection.Type] = [
  CallSection.self, XRaySection.self, CollectSection.self, DumpSection.self, ScanSection.self,
  StartUpSection.self,
]

let wanted = CommandLine.arguments.dropFirst()
let known = sections.map { $0.name }
if let unknown = wanted.first(where: { !known.contains($0) }) {
  fputs("annot-bench: there is no section '\(unknown)': there are \(known.joined(separator: ", "))\n", stderr)
  exit(2)
}
#if DEBUG
  fputs("annot-bench: this is a debug build: its figures mean nothing\n", stderr)
#endif

var failed = false
do {
  let directory = try WorkDirectory()
  for section in sections where wanted.isEmpty || wanted.contains(section.name) {
    print("\n## \(section.title)\n")
    do {
      printTable(try section.run(in: directory), unit: section.unit)
    } catch let error as BenchmarkError {
      fputs("annot-bench: \(section.name): \(error.message)\n", stderr)
      failed = true
    }
  }
} catch {
  fputs("annot-bench: \(error)\n", stderr)
  failed = true
}
exit(failed ? 1 : 0)
