import AnnotationRecords
import CAnnotRecords.Testing
import TestSupport
import Testing

@Suite("Bad input to the file reader")
struct BadInputTests {
  @Test(
    "is told by what it is",
    arguments: [
      ([UInt8]("#!/bin/sh\n".utf8), AnnotationError.Code.notELF, "a script"),
      ([UInt8]("hello\n".utf8), .notELF, "a text file"),
      ([UInt8]("/* GNU ld script */\nGROUP ( /lib/libc.so.6 )\n".utf8), .notELF, "a linker script"),
      ([0xCF, 0xFA, 0xED, 0xFE, 7, 0, 0, 1], .notELF, "a Mach-O file"),
      ([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 2], .notELF, "a Mach-O file"),
      ([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52], .notELF, "a Java class"),
      ([0x4D, 0x5A, 0x90, 0], .notELF, "a PE file"),
      ([0x1F, 0x8B, 8, 0], .notELF, "a compressed file"),
      ([0, 0x61, 0x73, 0x6D, 1], .notELF, "a WebAssembly module"),
      ([0, 1, 2, 3, 0xFF], .notELF, "data of an unknown format"),
      ([0x42, 0x43, 0xC0, 0xDE], .unsupported, "LLVM bitcode"),
      ([0x7F, 0x45], .malformed, "cut off"),
      ([], .empty, "empty"),
    ] as [([UInt8], AnnotationError.Code, String)])
  func isTold(bytes: [UInt8], code: AnnotationError.Code, words: String) throws {
    let found = try #require(error(reading: bytes))
    #expect(found.code == code)
    #expect(found.reason.contains(words), "\(found)")
    #expect(found.description.hasPrefix(found.path + ": "))
  }

  @Test("a core file is told from a program")
  func coreFile() throws {
    var fixture = ELFFixture(records: [needLogin])
    fixture.type = 4
    #expect(error(reading: fixture.bytes)?.code == .unsupported)
  }

  @Test("what is no file is told and never waited for")
  func irregularFiles() throws {
    let directory = try TemporaryDirectory()
    try Toolchain.call("/usr/bin/env", ["mkfifo", directory.path(of: "pipe")])
    for (path, words) in [
      (directory.path, "a directory"), (directory.path(of: "pipe"), "a pipe"), ("/dev/null", "a device"),
    ] {
      let error = #expect(throws: AnnotationError.self) { try ELFAnnotations(path: path) }
      #expect(error?.code == .notAFile)
      #expect(error?.reason.contains(words) == true)
    }
  }

  @Test("a missing file gives the system's error")
  func missingFile() {
    let error = #expect(throws: AnnotationError.self) { try ELFAnnotations(path: "/nonexistent/file") }
    #expect(error?.code == .system && error?.systemError == 2)
    #expect(error?.description == "/nonexistent/file: cannot be opened: No such file or directory")
  }

  @Test("an unreadable file gives the system's error")
  func unreadableFile() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(ELFFixture(records: [needLogin]).bytes, to: "file")
    // Asked of the call itself, as permissions do not stop root.
    for (call, words) in [
      (ANNOT_SYS_OPEN, "cannot be opened"), (ANNOT_SYS_FSTAT, "cannot be examined"),
      (ANNOT_SYS_PREAD, "cannot be read"),
    ] {
      annot_sys_fail_next(call, 1, 13)
      let error = #expect(throws: AnnotationError.self) { try ELFAnnotations(path: path) }
      #expect(error?.code == .system && error?.systemError == 13)
      #expect(error?.reason == "\(words): Permission denied")
    }
  }

  @Test(
    "an ELF file cut off at any length is an error, or gives the good records and says what is lost",
    arguments: Flavour.all)
  func everyPrefix(flavour: Flavour) throws {
    let fixture = flavour.fixture([.init("annot", ELFFixture.section([needLogin, track]))])
    let whole = fixture.bytes
    for length in 0..<whole.count {
      let found = try #require(error(reading: Array(whole.prefix(length))), "length \(length)")
      #expect(found.code == (length == 0 ? .empty : .malformed), "length \(length): \(found)")
      if length > 0 { #expect(found.reason.contains("cut off"), "length \(length): \(found)") }
    }
  }

  @Test("an ELF file whose headers come first and whose contents are cut off gives what is there")
  func everyPrefixOfContents() throws {
    // The same bytes, the section header table moved to the front by hand: behind the program header.
    let fixture = ELFFixture([.init("annot", ELFFixture.section([needLogin, track]))])
    let whole = fixture.bytes
    let records = fixture.offset(ofSection: 0)
    let table = Array(whole[fixture.sectionHeaderOffset...])
    var moved = Array(whole[..<records]) + table + Array(whole[records..<fixture.sectionHeaderOffset])
    moved.replaceSubrange(40..<48, with: fixture.number(UInt64(records), 8))
    for section in 1...2 {
      let field = records + section * 64 + 24
      let old = moved[field..<field + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      // The names go with the headers' part of the file, or nothing could be found by name.
      moved.replaceSubrange(field..<field + 8, with: fixture.number(old + UInt64(table.count), 8))
    }
    #expect(try read(moved).records.count == 2)
    for length in (records + table.count)..<moved.count {
      let file = try? read(Array(moved.prefix(length)))
      #expect(file == nil || !file!.diagnostics.isEmpty || file!.records.count == 2, "length \(length)")
    }
  }

  private static let edges: [UInt64] = [
    0, 1, 2, 3, 8, 63, 64, 65, 0x7F, 0xFF, 0x7FFF, 0xFFFE, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
    1 << 40,
    1 << 62, .max >> 1, .max - 63, .max - 1, .max,
  ]

  @Test(
    "every header field at every edge value gives an error or records, never a crash", arguments: Flavour.all)
  func everyField(flavour: Flavour) throws {
    let directory = try TemporaryDirectory()
    var fixture = flavour.fixture([
      .init("annot", ELFFixture.section([needLogin])), .init("annot", [1, 2, 3, 4], flags: 0x800),
    ])
    fixture.sections.append(.init(".note", fixture.note(owner: "GNU", type: 3, descriptor: [1, 2])))
    fixture.noteSections = [2]
    let sound = fixture.bytes
    for (offset, width) in fixture.headerFields {
      for edge in Self.edges {
        var mutated = sound
        mutated.replaceSubrange(offset..<offset + width, with: fixture.number(edge, width))
        let file = try? ELFAnnotations(path: try directory.write(mutated, to: "file"))
        #expect(file == nil || file!.records.count <= 8)
      }
    }
  }

  @Test("random bytes in any place give an error or records, never a crash")
  func randomBytes() throws {
    let directory = try TemporaryDirectory()
    var fixture = ELFFixture(records: [needLogin, track])
    fixture.sections.append(.init(".note", fixture.note(owner: "GNU", type: 3, descriptor: [1, 2])))
    fixture.noteSections = [1]
    let sound = archive([("a.o", fixture.bytes), ("b.o", fixture.bytes)])
    for round in 0..<3000 {
      var mutated = round % 2 == 0 ? fixture.bytes : sound
      for _ in 0..<Int.random(in: 1...8) {
        mutated[Int.random(in: 8..<mutated.count)] = [0, 0xFF, UInt8.random(in: 0...255)].randomElement()!
      }
      _ = try? ELFAnnotations(path: try directory.write(mutated, to: "file"))
    }
  }
}

@Suite("Failing calls under the file reader")
struct FailingCallTests {
  private static func fixture() -> [UInt8] {
    var fixture = ELFFixture([.init("annot", ELFFixture.section([needLogin, track]))])
    let plain = ELFFixture.section([#"{"kind":"packed"}"#])
    let header = fixture.number(1, 8) + fixture.number(UInt64(plain.count), 8) + fixture.number(1, 8)
    fixture.sections.append(.init("annot", header + zlibStored(plain), flags: 0x800))
    fixture.sections.append(.init(".note", fixture.note(owner: "GNU", type: 3, descriptor: [1, 2])))
    fixture.noteSections = [2]
    return fixture.bytes
  }

  private static let calls = (ANNOT_SYS_OPEN.rawValue..<ANNOT_SYS_CALL_COUNT.rawValue)

  @Test("give an error or a diagnostic, whichever call fails and whenever", arguments: calls, [false, true])
  func everyCall(call: UInt32, inArchive: Bool) throws {
    let directory = try TemporaryDirectory()
    let bytes = inArchive ? archive([("a.o", Self.fixture()), ("b.o", Self.fixture())]) : Self.fixture()
    let path = try directory.write(bytes, to: "file")
    let sound = try ELFAnnotations(path: path)
    #expect(sound.records.count == 3)
    // Notes only serve the build-id, so a failure there costs nothing else.
    let costsNothing = [ANNOT_SYS_ELF_GETPHDRNUM, ANNOT_SYS_ELF_GETPHDR, ANNOT_SYS_ELF_RAWCHUNK].contains {
      $0.rawValue == call
    }
    var nth: UInt32 = 1
    while nth < 1000 {
      annot_sys_fail_next(annot_sys_call(rawValue: call), nth, 5)
      let file = try? ELFAnnotations(path: path)
      if annot_sys_fail_cancel() { break }
      let isTold = file == nil || !file!.diagnostics.isEmpty
      #expect(isTold != (costsNothing && file?.records.count == 3), "call \(nth)")
      nth += 1
    }
    #expect(nth < 1000)
  }

  @Test("a file that shrinks while it is read gives what is there, and says so")
  func shrinkingFile() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(ELFFixture(records: [needLogin]).bytes, to: "file")
    var nth: UInt32 = 1
    while true {
      annot_sys_fail_next(ANNOT_SYS_PREAD, nth, 0)
      let file = try? ELFAnnotations(path: path)
      if annot_sys_fail_cancel() { break }
      #expect(file == nil || !file!.diagnostics.isEmpty)
      nth += 1
    }
    #expect(nth > 3)
  }
}
