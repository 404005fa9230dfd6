import AnnotationRecords
import CAnnotRecords
import TestSupport
import Testing

@Suite("The file reader, on bytes in memory")
struct MemoryTests {
  private func fixture(_ flavour: Flavour) -> ELFFixture {
    var fixture = flavour.fixture([.init("annot", ELFFixture.section([needLogin]))])
    let plain = ELFFixture.section([track])
    let word = fixture.is64 ? 8 : 4
    let header =
      fixture.number(1, 4) + (fixture.is64 ? fixture.number(0, 4) : [])
      + fixture.number(UInt64(plain.count), word) + fixture.number(1, word)
    fixture.sections.append(.init("annot", header + zlibStored(plain), flags: 0x800))
    fixture.sections.append(.init(".note", fixture.note(owner: "GNU", type: 3, descriptor: [1, 2, 3])))
    fixture.noteSections = [2]
    return fixture
  }

  @Test("reads them as it reads files", arguments: Flavour.all)
  func readsBytes(flavour: Flavour) throws {
    let file = try ELFAnnotations(bytes: fixture(flavour).bytes, name: "memory")
    #expect(file.records.map(\.json) == [needLogin, track])
    #expect(file.buildID == [1, 2, 3] && file.path == "memory" && file.diagnostics.isEmpty)
    #expect(file.records.first?.source.image == "memory")
  }

  @Test("reads archives", arguments: Flavour.all)
  func readsArchives(flavour: Flavour) throws {
    let member = fixture(flavour).bytes
    // The odd member puts the next one at an address that is no multiple of a header's alignment.
    let bytes = archive([("a.o", member), ("odd", [1]), ("b.o", member)])
    let file = try ELFAnnotations(bytes: bytes, name: "memory")
    #expect(file.records.count == 2)
    #expect(file.diagnostics.map(\.member) == ["odd"])
  }

  @Test("reads them at any alignment, and leaves them as they are", arguments: Flavour.all)
  func readsUnaligned(flavour: Flavour) throws {
    let bytes = fixture(flavour).bytes
    for shift in 0..<8 {
      let shifted = [UInt8](repeating: 0xAA, count: shift) + bytes
      let copy = shifted
      #expect(try ELFAnnotations(bytes: shifted[shift...], name: "memory").records.count == 2)
      #expect(shifted.elementsEqual(copy))
    }
  }

  @Test("keeps what it read when the bytes go away")
  func keepsRecords() throws {
    var bytes = fixture(Flavour(is64: true, isBigEndian: false)).bytes
    let file = try ELFAnnotations(bytes: bytes, name: "memory")
    for index in bytes.indices { bytes[index] = 0x20 }
    #expect(file.records.map(\.json) == [needLogin, track])
  }

  @Test("reads bytes that are not in one piece")
  func readsAnyCollection() throws {
    let bytes = fixture(Flavour(is64: true, isBigEndian: false)).bytes
    let backwards = Array(bytes.reversed())
    #expect(try ELFAnnotations(bytes: backwards.reversed(), name: "memory").records.count == 2)
  }

  @Test("says what is wrong with bytes that are no file")
  func tellsBadBytes() {
    for (bytes, code) in [
      ([], .empty), (Array("text".utf8), .notELF), ([0x7F, 0x45, 0x4C, 0x46], .malformed),
    ] as [([UInt8], AnnotationError.Code)] {
      let error = #expect(throws: AnnotationError.self) { try ELFAnnotations(bytes: bytes, name: "memory") }
      #expect(error?.code == code && error?.path == "memory")
    }
  }

  @Test("gives an error or the good records for bytes cut off anywhere", arguments: Flavour.all)
  func everyPrefix(flavour: Flavour) throws {
    let whole = archive([("a.o", fixture(flavour).bytes)])
    for length in 0..<whole.count {
      let file = try? ELFAnnotations(bytes: whole.prefix(length), name: "memory")
      #expect(file == nil || file!.records.count <= 2)
    }
  }
}
