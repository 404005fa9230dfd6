import AnnotationRecords
import TestSupport
import Testing

let needLogin = #"{"kind":"needlogin","cls":"Router","sel":"jump","module":"C","file":"r.c","line":3}"#
let track =
  #"{"kind":"track","cls":"Router","sel":"open:","module":"C","file":"r.c","line":7,"event":"open"}"#

/// Reads bytes as a file.
func read(
  _ bytes: [UInt8], limit: UInt64? = nil, _ change: (inout ELFAnnotations.Options) -> Void = { _ in }
) throws -> ELFAnnotations {
  let directory = try TemporaryDirectory()
  var options = ELFAnnotations.Options()
  options.limit = limit
  change(&options)
  return try ELFAnnotations(path: try directory.write(bytes, to: "file"), options: options)
}

/// The error of reading bytes as a file.
func error(reading bytes: [UInt8]) -> AnnotationError? {
  do {
    _ = try read(bytes)
    return nil
  } catch { return error as? AnnotationError }
}

/// An ELF file's class and byte order.
struct Flavour: Sendable, CustomTestStringConvertible {
  let is64: Bool
  let isBigEndian: Bool
  static let all = [(true, false), (true, true), (false, false), (false, true)].map(Flavour.init)
  var testDescription: String { "\(is64 ? 64 : 32) bit, \(isBigEndian ? "big" : "little") endian" }
  init(is64: Bool, isBigEndian: Bool) { (self.is64, self.isBigEndian) = (is64, isBigEndian) }

  func fixture(_ sections: [ELFFixture.Section]) -> ELFFixture {
    var fixture = ELFFixture(sections)
    fixture.is64 = is64
    fixture.isBigEndian = isBigEndian
    return fixture
  }
}

@Suite("The file reader")
struct FileReaderTests {
  private let records = ELFFixture.Section("annot", ELFFixture.section([needLogin, "", "", track]))

  @Test("reads either class and byte order", arguments: Flavour.all)
  func readsFlavours(flavour: Flavour) throws {
    let file = try read(flavour.fixture([records]).bytes)
    #expect(file.records.map(\.json) == [needLogin, track])
    #expect(file.records.map(\.offset) == [0, UInt64(needLogin.utf8.count + 3)])
    #expect(file.diagnostics.isEmpty)
  }

  @Test("gives each record's members and place")
  func givesMembers() throws {
    let record = try #require(try read(ELFFixture([records]).bytes).records.first)
    #expect(
      record.kind == "needlogin" && record.cls == "Router" && record.sel == "jump" && record.module == "C")
    #expect(record.file == "r.c" && record.line == 3 && !record.isStatic && record.isCanonical)
    #expect(record.source.section == "annot" && record.source.member == nil)
    #expect(record.source.image.hasSuffix("/file"))
  }

  @Test(
    "reads all sections of the name in an object file, numbered in the extended way too",
    arguments: Flavour.all)
  func readsSeveralSections(flavour: Flavour) throws {
    let one = ELFFixture.Section("annot", ELFFixture.section([needLogin]))
    let two = ELFFixture.Section("annot", ELFFixture.section([track]))
    var fixture = flavour.fixture([two, .init(".text", [1, 2, 3]), one, .init("annotx", [0x41])])
    fixture.type = 1
    for extended in [false, true] {
      fixture.extendedNumbering = extended
      #expect(try read(fixture.bytes).records.map(\.json) == [needLogin, track])
    }
  }

  @Test("reads over 65,280 sections")
  func readsManySections() throws {
    var sections = [ELFFixture.Section](repeating: .init("x", []), count: 70000)
    sections[69999] = .init("annot", ELFFixture.section([needLogin]))
    var fixture = ELFFixture(sections)
    fixture.type = 1
    fixture.extendedNumbering = true
    #expect(try read(fixture.bytes).records.map(\.json) == [needLogin])
  }

  @Test("reads a file of over 4 GiB, most of it a hole")
  func readsHugeFile() throws {
    // The headers and records of a sound file stand behind the hole, and its ELF header before it.
    let distance: UInt64 = 5 << 30
    var fixture = ELFFixture([records])
    fixture.shift = distance
    let bytes = fixture.bytes
    let directory = try TemporaryDirectory()
    let path = directory.path(of: "huge")
    try writeSparse([(0, Array(bytes.prefix(fixture.headerSize))), (distance, bytes)], to: path)
    let file = try ELFAnnotations(path: path)
    #expect(file.records.map(\.json) == [needLogin, track])
    #expect(file.diagnostics.isEmpty)
    #expect(file.records.map(\.offset) == [0, UInt64(needLogin.utf8.count + 3)])
  }

  @Test("sorts records and shows equal ones once")
  func sortsAndCollapses() throws {
    func record(_ file: String, _ line: Int, _ kind: String = "k", cls: String = "C") -> String {
      #"{"kind":"\#(kind)","cls":"\#(cls)","file":"\#(file)","line":\#(line)}"#
    }
    let sorted = [
      #"{"kind":"nofile"}"#, record("a.c", 2), record("a.c", 10), record("a.c", 10, cls: "D"),
      record("a.c", 10, "z"),
      record("b.c", 1), record("b.c", 4_294_967_296), record("b.c", 4_294_967_297),
    ]
    for _ in 0..<20 {
      let file = try read(ELFFixture(records: (sorted + sorted).shuffled()).bytes)
      #expect(file.records.map(\.json) == sorted)
    }
    #expect(try read(ELFFixture(records: sorted.reversed()).bytes).records.map(\.json) == sorted)
  }

  @Test("keeps good records beside garbage, and tells what and where it is")
  func keepsGoodRecords() throws {
    let garbage = [0xFF, 0xFE, 0x80] as [UInt8]
    let bytes =
      ELFFixture.section([needLogin]) + garbage + [0] + ELFFixture.section(["{}", track, needLogin + "x"])
      + Array(#"{"kind":"cut"#.utf8)
    let file = try read(ELFFixture([.init("annot", bytes)]).bytes)
    #expect(file.records.map(\.json) == [needLogin, track])
    let start = UInt64(needLogin.utf8.count + 1)
    #expect(file.diagnostics.map(\.offset).prefix(2) == [start, start + 4])
    #expect(
      file.diagnostics.map(\.severity) == [
        .malformedRecord, .malformedRecord, .malformedRecord, .malformedRecord,
      ])
    #expect(
      file.diagnostics.map(\.reason) == [
        "malformed record: not UTF-8, at byte 0 of it",
        "malformed record: no member \"kind\" that is a non-empty string",
        "malformed record: not valid JSON, at byte \(needLogin.utf8.count) of it",
        "malformed record: cut off: the section ends before the record's NUL",
      ])
  }

  @Test("bounds what a section of garbage costs")
  func boundsFaults() throws {
    let bytes = [[UInt8]](repeating: [0x78, 0], count: 12000).flatMap { $0 }
    let file = try read(ELFFixture([.init("annot", bytes)]).bytes)
    #expect(file.diagnostics.count == 10001)
    #expect(file.diagnostics.last?.reason == "2000 more malformed records")
  }

  @Test("finds nothing in a file without the section")
  func findsNothing() throws {
    let file = try read(ELFFixture([.init(".text", [1])]).bytes)
    #expect(file.records.isEmpty && file.diagnostics.isEmpty)
  }

  @Test("reads sections of another name when asked")
  func readsOtherName() throws {
    let directory = try TemporaryDirectory()
    let fixture = ELFFixture([.init("mine", ELFFixture.section([track])), records])
    var options = ELFAnnotations.Options()
    options.section = "mine"
    let file = try ELFAnnotations(path: try directory.write(fixture.bytes, to: "file"), options: options)
    #expect(file.records.map(\.json) == [track])
    #expect(file.records.map(\.source.section) == ["mine"])
  }

  @Test("says that a debug file's bytes are elsewhere")
  func readsDebugFile() throws {
    let file = try read(ELFFixture([.init("annot", [], type: 8, claimedSize: 100)]).bytes)
    #expect(file.records.isEmpty)
    #expect(file.diagnostics.map(\.severity) == [.unreadable])
    #expect(file.diagnostics.first?.reason.contains("debug file") == true)
  }

  @Test("reads what is there of a section that is cut off")
  func readsCutSection() throws {
    let section = ELFFixture.Section("annot", ELFFixture.section([needLogin]), claimedSize: 1 << 40)
    let file = try read(ELFFixture([section]).bytes)
    #expect(file.records.map(\.json).contains(needLogin))
    #expect(file.diagnostics.contains { $0.severity == .unreadable && $0.reason.contains("cut off") })
  }

  @Test("reads no more than the limit, and says so")
  func obeysLimit() throws {
    let bytes = ELFFixture([records]).bytes
    #expect(try read(bytes, limit: 1000).records.count == 2)
    let file = try read(bytes, limit: 64)
    #expect(file.records.isEmpty)
    #expect(file.diagnostics.map(\.severity) == [.unreadable])
    #expect(file.diagnostics.first?.reason.contains("limit of 64") == true)
  }

  @Test("holds nothing with a limit of nothing, and all with the largest")
  func absurdLimits() throws {
    let bytes = ELFFixture([records]).bytes
    #expect(try read(bytes, limit: .max).records.count == 2)
    for limit: UInt64 in [0, 1] {
      // Not even the sections' names fit.
      #expect(throws: AnnotationError.self) { try read(bytes, limit: limit) }
    }
  }

  @Test("takes records up to the length that is set and not above the format's")
  func obeysRecordLength() throws {
    let bytes = ELFFixture(records: [needLogin, track]).bytes
    let (short, long) = (
      min(needLogin.utf8.count, track.utf8.count), max(needLogin.utf8.count, track.utf8.count)
    )
    for enough in [UInt32(long), 65536, 65537, .max, nil] {
      #expect(try read(bytes) { $0.recordLengthLimit = enough }.records.count == 2)
    }
    for (limit, count) in [(long - 1, 1), (short, 1), (short - 1, 0), (1, 0), (0, 0)] {
      let file = try read(bytes) { $0.recordLengthLimit = UInt32(limit) }
      #expect(file.records.count == count)
      #expect(file.diagnostics.map(\.severity) == [.malformedRecord, .malformedRecord].dropLast(count))
      #expect(file.diagnostics.allSatisfy { $0.reason.contains("longer than the limit that was set") })
    }
    let tooLong = #"{"kind":"k","x":"\#(String(repeating: "x", count: 65536))"}"#
    let file = try read(ELFFixture(records: [tooLong]).bytes) { $0.recordLengthLimit = .max }
    #expect(file.diagnostics.first?.reason.contains("longer than 64 KiB") == true)
  }

  @Test("takes records of as many levels as are set and not above the format's")
  func obeysRecordDepth() throws {
    func record(_ levels: Int) -> String {
      let inner = [String](repeating: "[", count: levels - 1) + [String](repeating: "]", count: levels - 1)
      return #"{"kind":"k\#(levels)","x":\#(inner.isEmpty ? "0" : inner.joined())}"#
    }
    let bytes = ELFFixture(records: [1, 2, 3, 31, 32, 33].map(record)).bytes
    for (limit, count) in [(nil, 5), (.max, 5), (33, 5), (32, 5), (31, 4), (3, 3), (2, 2), (1, 1), (0, 1)]
      as [(UInt32?, Int)]
    {
      let file = try read(bytes) { $0.recordDepthLimit = limit }
      #expect(file.records.count == count, "\(String(describing: limit))")
      #expect(file.diagnostics.count == 6 - count)
      let reason =
        (limit ?? 32) < 32 ? "nested deeper than the limit that was set" : "nested deeper than 32 levels"
      #expect(file.diagnostics.allSatisfy { $0.reason.contains(reason) && $0.reason.contains("at byte") })
    }
  }

  @Test("finds the build-id", arguments: Flavour.all)
  func findsBuildID(flavour: Flavour) throws {
    var fixture = flavour.fixture([records])
    let other = fixture.note(owner: "Other", type: 3, descriptor: [9])
    fixture.sections.append(
      .init(".note", other + fixture.note(owner: "GNU", type: 3, descriptor: [1, 2, 3, 4, 5])))
    fixture.noteSections = [1]
    #expect(try read(fixture.bytes).buildID == [1, 2, 3, 4, 5])
    fixture.noteSections = []
    #expect(try read(fixture.bytes).buildID == [])
  }

  @Test("reads a descriptor and leaves it open")
  func readsDescriptor() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(ELFFixture([records]).bytes, to: "file")
    let handle = try DescriptorOf(path)
    for _ in 0..<2 {
      let file = try ELFAnnotations(descriptor: handle.number, name: "open file")
      #expect(file.records.count == 2)
      #expect(file.path == "open file")
    }
  }
}

@Suite("The file reader, on compressed sections")
struct CompressedSectionTests {
  private let records = ELFFixture.Section("annot", ELFFixture.section([needLogin]))

  private func section(method: UInt64 = 1, size: Int? = nil, in fixture: ELFFixture) -> ELFFixture.Section {
    let plain = ELFFixture.section([needLogin, track])
    let word = fixture.is64 ? 8 : 4
    let header =
      fixture.number(method, 4) + (fixture.is64 ? fixture.number(0, 4) : [])
      + fixture.number(UInt64(size ?? plain.count), word) + fixture.number(1, word)
    // SHF_ALLOC sections are never compressed, and libelf refuses them.
    return .init("annot", header + zlibStored(plain), flags: 0x800)
  }

  @Test("decompresses zlib", arguments: Flavour.all)
  func decompresses(flavour: Flavour) throws {
    var fixture = flavour.fixture([])
    fixture.sections = [section(in: fixture)]
    let file = try read(fixture.bytes)
    #expect(file.records.map(\.json) == [needLogin, track])
    #expect(file.diagnostics.isEmpty)
  }

  @Test("says that it cannot read another method", arguments: [(2, "zstd"), (3, "method 3")])
  func refusesOtherMethods(method: UInt64, name: String) throws {
    var fixture = ELFFixture([])
    // Bytes that zstd would refuse too, for a libelf that knows it.
    fixture.sections = [section(method: method, in: fixture), records]
    let file = try read(fixture.bytes)
    #expect(file.records.map(\.json) == [needLogin])
    #expect(file.diagnostics.map(\.severity) == [.unreadable])
    #expect(file.diagnostics.first?.reason.contains("compressed by \(name), which") == true)
  }

  @Test("reads what objcopy compressed by zstd, or says why not")
  func readsZstd() throws {
    guard let objcopy = Toolchain.find("objcopy") else { return }
    let directory = try TemporaryDirectory()
    let long = #"{"kind":"k","text":"\#(String(repeating: "x", count: 500))"}"#
    var fixture = ELFFixture([.init(".debug_x", ELFFixture.section([long]), flags: 0)])
    fixture.type = 1
    let (plain, packed) = (try directory.write(fixture.bytes, to: "a.o"), directory.path(of: "b.o"))
    // Not every objcopy is built with zstd.
    guard try run(objcopy, ["--compress-debug-sections=zstd", plain, packed]).status == 0 else { return }
    var options = ELFAnnotations.Options()
    options.section = ".debug_x"
    let file = try ELFAnnotations(path: packed, options: options)
    if file.records.isEmpty {
      #expect(file.diagnostics.first?.reason.contains("compressed by zstd, which") == true)
    } else {
      #expect(file.records.map(\.json) == [long] && file.diagnostics.isEmpty)
    }
  }

  @Test("does not believe a size that cannot be", arguments: [0, 1, 1 << 20, 1 << 33, Int.max])
  func refusesFalseSizes(size: Int) throws {
    var fixture = ELFFixture([])
    fixture.sections = [section(size: size, in: fixture)]
    let file = try read(fixture.bytes)
    #expect(file.diagnostics.map(\.severity) == [.unreadable])
  }

  @Test("applies the limit to the decompressed size")
  func obeysLimit() throws {
    var fixture = ELFFixture([])
    fixture.sections = [section(in: fixture)]
    let file = try read(fixture.bytes, limit: 100)
    #expect(file.records.isEmpty)
    #expect(file.diagnostics.first?.reason.contains("limit of 100") == true)
  }

  @Test("decompresses a section up to the limit of one, and goes on behind one over it")
  func obeysDecompressionLimit() throws {
    let size = UInt64(ELFFixture.section([needLogin, track]).count)
    var fixture = ELFFixture([])
    fixture.sections = [section(in: fixture), records]
    for enough in [size, size + 1, .max, nil] {
      let file = try read(fixture.bytes) { $0.decompressionLimit = enough }
      #expect(file.records.map(\.json) == [needLogin, track] && file.diagnostics.isEmpty)
    }
    for tooLittle in [size - 1, 1, 0] {
      let file = try read(fixture.bytes) { $0.decompressionLimit = tooLittle }
      #expect(file.records.map(\.json) == [needLogin])
      #expect(file.diagnostics.map(\.severity) == [.unreadable])
      #expect(file.diagnostics.first?.reason.contains("the limit of one is \(max(tooLittle, 1))") == true)
    }
    // The lower of both limits holds.
    let both = try read(fixture.bytes, limit: size - 1) { $0.decompressionLimit = .max }
    #expect(both.records.map(\.json) == [needLogin])
  }
}

@Suite("The file reader, without section headers")
struct BoundsNoteTests {
  private func fixture(_ flavour: Flavour, start: Int = 0, end: Int = 0) -> ELFFixture {
    let bytes = ELFFixture.section([needLogin, track])
    var fixture = flavour.fixture([.init("annot", bytes), .init(".note.annot", [])])
    // The descriptor's place is known only by the layout: 12 bytes of header and 8 of name come before it.
    let records = fixture.offset(ofSection: 0)
    let descriptor = fixture.offset(ofSection: 1) + 20
    let distances = [records + start - descriptor, records + bytes.count + end - (descriptor + 4)]
    fixture.sections[1].bytes = fixture.note(
      owner: "annot", type: 1,
      descriptor: distances.flatMap { fixture.number(UInt64(bitPattern: Int64($0)), 4) })
    fixture.noteSections = [1, 1]
    fixture.hasSectionHeaders = false
    return fixture
  }

  @Test("finds the records by their bounds note, once", arguments: Flavour.all)
  func findsByNote(flavour: Flavour) throws {
    let file = try read(fixture(flavour).bytes)
    #expect(file.records.map(\.json) == [needLogin, track])
    #expect(file.diagnostics.isEmpty)
  }

  @Test(
    "reads nothing from bounds outside of the file",
    arguments: [(-1 << 20, 0), (0, 1 << 20), (1 << 20, 1 << 21), (200, -200)])
  func refusesFalseBounds(start: Int, end: Int) throws {
    let file = try read(fixture(Flavour(is64: true, isBigEndian: false), start: start, end: end).bytes)
    #expect(file.records.isEmpty)
    #expect(file.diagnostics.map(\.severity) == [.unreadable])
  }
}

@Suite("The file reader, on archives")
struct ArchiveTests {
  private func member(_ record: String) -> [UInt8] {
    var fixture = ELFFixture(records: [record])
    fixture.type = 1
    return fixture.bytes
  }

  @Test("reads each member and names it")
  func readsMembers() throws {
    let file = try read(
      archive([("one.o", member(needLogin)), ("odd", [1, 2, 3]), ("two.o", member(track))]))
    #expect(file.records.map(\.json) == [needLogin, track])
    #expect(file.records.map(\.source.member) == ["one.o", "two.o"])
    #expect(file.diagnostics.map(\.severity) == [.note])
    #expect(file.diagnostics.first?.member == "odd")
  }

  @Test("goes on behind a damaged member")
  func goesOn() throws {
    let damaged = Array(member(needLogin).prefix(100))
    let file = try read(archive([("bad.o", damaged), ("good.o", member(track))]))
    #expect(file.records.map(\.json) == [track])
    #expect(file.diagnostics.map(\.member) == ["bad.o"])
    #expect(file.diagnostics.map(\.severity) == [.unreadable])
  }

  @Test("reads what is there of an archive that is cut off at any length")
  func readsCutArchives() throws {
    let whole = archive([("one.o", member(needLogin)), ("two.o", member(track))])
    let first = 8 + 60 + member(needLogin).count
    for length in stride(from: 9, to: whole.count, by: 7) {
      let file = try read(Array(whole.prefix(length)))
      if length >= first { #expect(file.records.map(\.json) == [needLogin]) }
      #expect(length == first || file.diagnostics.contains { $0.severity == .unreadable }, "length \(length)")
    }
  }

  @Test("does not believe a table of names that stands behind the members that need it")
  func refusesLateNameTables() throws {
    let directory = try TemporaryDirectory()
    var bytes = archive([("x", member(needLogin)), ("two.o", member(track))])
    bytes.replaceSubrange(8..<24, with: Array("/0              ".utf8))
    // A table of 7 GB, of which the file has nothing.
    let size = "7777777777"
    bytes += Array(("//" + String(repeating: " ", count: 46) + size + "`\n").utf8)
    for file in [
      try ELFAnnotations(path: try directory.write(bytes, to: "x.a")),
      try ELFAnnotations(bytes: bytes, name: "x.a"),
    ] {
      #expect(file.records.map(\.json) == [track])
      #expect(file.diagnostics.first?.reason == "the archive has no table of names before this member")
      #expect(file.diagnostics.first?.offset == 8)
    }
  }

  @Test("reads archives of the system's ar, with long names")
  func readsSystemArchives() throws {
    guard let ar = Toolchain.find("ar") else { return }
    let directory = try TemporaryDirectory()
    let names = ["a.o", "a_member_with_a_long_name.o"]
    let paths = try zip(names, [needLogin, track]).map { try directory.write(member($1), to: $0) }
    try Toolchain.call(ar, ["rc", directory.path(of: "x.a")] + paths)
    let file = try ELFAnnotations(path: directory.path(of: "x.a"))
    #expect(file.records.map(\.source.member) == names)
    #expect(file.diagnostics.isEmpty)
  }
}
