import CAnnotRecords
import Glibc
import Testing

/// The reader of files, in a program in C: on another machine that is another byte order, and another way to look
/// for the ends of strings.
@Suite("The file reader in a program in C")
struct FileReaderProgramTests {
  private let workshop: Workshop
  private let reader: String

  init() throws {
    workshop = try Workshop()
    reader = try RuntimeProgram.build("reader", in: workshop)
  }

  private func run(_ commands: String) throws -> Run {
    let run = try Run("timeout 60 \(Machine.start(reader)) \(commands)")
    #expect(run.status == 0, "\(run.output)")
    return run
  }

  private static let clang = "$(dirname \"$(readlink -f \"$(command -v swiftc)\")\")/clang"

  @Test(
    "gives the records of every machine's files, also without section headers",
    .enabled(if: system("test -x \"\(clang)\"") == 0, "needs the Swift toolchain's clang"),
    arguments: [
      "i386", "aarch64", "aarch64_be", "armebv7", "s390x", "powerpc", "powerpc64", "mips", "riscv64",
      "x86_64",
    ])
  func foreign(machine: String) throws {
    let (source, library) = (workshop.path("a.c"), workshop.path("a.so"))
    try workshop.write("#include <annot.h>\nANNOTATE(mark, ANNOT_NAME(name, one));\n", to: "a.c")
    try shell(
      """
      \(Self.clang) -target \(machine)-unknown-linux-gnu -ffreestanding -nostdlib -fuse-ld=lld -shared -fPIC \
      \(Workshop.headers) -o '\(library)' '\(source)'
      """)
    let whole = try run("file '\(library)'")
    #expect(whole.lines("record").count == 1 && whole.output.contains(#""name":"one""#), "\(whole.output)")
    #expect(whole.lines("note") == [])
    guard (try? shell("\(Workshop.headerStripper) --strip-sections '\(library)'")) != nil else { return }
    #expect(try run("file '\(library)'").lines("record") == whole.lines("record"))
  }

  private static let seeds = "'\(Workshop.root)/Tests/Fuzz/seeds'"

  @Test("finds in odd files and records what it finds in this process")
  func seeds() throws {
    for path in try Run("ls -d \(Self.seeds)/records/*").output.split(separator: "\n").map(String.init) {
      let bytes = try Self.bytes(of: path)
      #expect(try run("bytes '\(path)'").output == Self.printed(bytes), "\(path)")
    }
    for path in try Run("ls -d \(Self.seeds)/files/*").output.split(separator: "\n").map(String.init) {
      #expect(try run("file '\(path)'").output == Self.printed(file: path), "\(path)")
    }
  }

  private static func bytes(of path: String) throws -> [CChar] {
    let file = try #require(fopen(path, "re"))
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 1 << 20)
    return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
  }

  /// What reader.c prints of the bytes of a section.
  private static func printed(_ bytes: [CChar]) -> String {
    bytes.withUnsafeBufferPointer { printed([annot_text(bytes: $0.baseAddress, length: $0.count)]) }
  }

  private static func printed(_ sections: [annot_text]) -> String {
    var (found, result) = (annot_collection(), "")
    guard annot_collect(sections, sections.count, &found) else { return "no memory" }
    defer { annot_collection_free(&found) }
    for index in 0..<found.record_count {
      let record = found.records[index]
      let fields = withUnsafePointer(to: record) { annot_found_fields($0) }
      let flags = [record.is_static, record.canonical, record.printable].map { $0 ? "1" : "0" }.joined()
      let whole = annot_text(bytes: record.bytes, length: Int(record.length))
      let texts = [fields.kind, fields.cls, fields.sel, fields.module, fields.file, whole]
      result += "record \(flags) \(record.line) \(texts.map { "[\(string($0))]" }.joined(separator: " "))\n"
    }
    for index in 0..<found.fault_count {
      let fault = found.faults[index]
      let text = String(cString: annot_fault_text(fault.fault))
      result += "fault \(fault.section) \(fault.offset) \(fault.where) \(text)\n"
    }
    return result + "copies \(found.duplicates)\n"
  }

  private static func string(_ text: annot_text) -> String {
    String(decoding: UnsafeRawBufferPointer(start: text.bytes, count: text.length), as: UTF8.self)
  }

  private static func printed(file path: String) -> String {
    var error = annot_error()
    guard let file = annot_file_open(path, nil, &error) else {
      let reason = withUnsafeBytes(of: error.detail) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      return "error \(error.code.rawValue) \(reason)\n"
    }
    defer { annot_file_close(file) }
    let sections = (0..<annot_file_section_count(file)).map { annot_file_section_at(file, $0).pointee }
    let lines = sections.map {
      "section \($0.member.map { String(cString: $0) } ?? "-") \($0.size) \($0.offset) \($0.address)\n"
    }
    let notes = (0..<annot_file_note_count(file)).map { annot_file_note_at(file, $0).pointee }
      .map { "note \($0.code.rawValue) \(String(cString: $0.text))\n" }
    return lines.joined() + notes.joined()
      + printed(sections.map { annot_text(bytes: $0.bytes, length: $0.size) })
  }
}
