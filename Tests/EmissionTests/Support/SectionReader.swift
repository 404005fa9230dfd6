import Foundation

/// Reads ELF64 little-endian section contents: enough to look at what the compilers of this machine wrote.
struct SectionReader {
  private let bytes: [UInt8]

  init(path: String) throws { bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

  private func word(_ offset: Int, _ size: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  struct Section {
    let name: String
    let type: Int
    let flags: Int
    let alignment: Int
    let contents: ArraySlice<UInt8>
  }

  /// All sections that have contents.
  var sections: [Section] {
    let table = word(40, 8)
    let count = word(60, 2)
    func header(_ index: Int) -> Int { table + index * 64 }
    let names = word(header(word(62, 2)) + 24, 8)
    return (0..<count).compactMap { index in
      let at = header(index)
      let type = word(at + 4, 4)
      guard type != 8, type != 0 else { return nil }
      let start = names + word(at, 4)
      let end = bytes[start...].firstIndex(of: 0)!
      let offset = word(at + 24, 8)
      return Section(
        name: String(decoding: bytes[start..<end], as: UTF8.self), type: type, flags: word(at + 8, 8),
        alignment: word(at + 48, 8), contents: bytes[offset..<(offset + word(at + 32, 8))])
    }
  }

  /// The records of all sections `annot`, sorted.
  var records: [String] {
    sections.filter { $0.name == "annot" }
      .flatMap { $0.contents.split(separator: 0) }
      .map { String(decoding: $0, as: UTF8.self) }
      .sorted()
  }
}
