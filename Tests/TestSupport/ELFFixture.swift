/// An ELF file made byte by byte, of either class and byte order, sound or not.
///
/// The layout is: ELF header, program headers, the sections' bytes, the sections' names, section headers. Where
/// the file is loaded an address is an offset in the file plus ``base``.
public struct ELFFixture: Sendable {
  /// A section.
  public struct Section: Sendable {
    /// Its name.
    public var name: String
    /// `sh_type`: 1 has bytes, 8 has none.
    public var type: UInt32
    /// `sh_flags`: 2 is loaded, 0x800 is compressed.
    public var flags: UInt64
    /// Its contents in the file.
    public var bytes: [UInt8]
    /// What the header gives as the size; nil for the number of bytes.
    public var claimedSize: UInt64?

    /// Creates a section with bytes that is loaded, unless told otherwise.
    public init(
      _ name: String, _ bytes: [UInt8], type: UInt32 = 1, flags: UInt64 = 2, claimedSize: UInt64? = nil
    ) {
      self.name = name
      self.bytes = bytes
      self.type = type
      self.flags = flags
      self.claimedSize = claimedSize
    }
  }

  /// Whether the class is 64 bit.
  public var is64 = true
  /// Whether the byte order is big-endian.
  public var isBigEndian = false
  /// `e_type`: 1 an object file, 3 a shared object, 4 a core file.
  public var type: UInt16 = 3
  /// The sections but for the first, which is empty, and the names.
  public var sections: [Section]
  /// Indexes of sections that a PT_NOTE segment shows.
  public var noteSections: [Int] = []
  /// Whether there are section headers.
  public var hasSectionHeaders = true
  /// Puts the number of sections where it goes when it does not fit the header.
  public var extendedNumbering = false
  /// How much farther back in the file all but the ELF header stands than in ``bytes``.
  public var shift: UInt64 = 0
  /// The address of the file's first byte.
  public let base: UInt64 = 0x10000

  /// Creates a shared object of 64 bits, little-endian, with these sections.
  public init(_ sections: [Section]) { self.sections = sections }

  /// A shared object whose section `annot` holds records.
  public init(records: [String]) { self.init([Section("annot", Self.section(records))]) }

  /// The bytes of a section that holds records.
  public static func section(_ records: [String]) -> [UInt8] { records.flatMap { Array($0.utf8) + [0] } }

  /// A number in the fixture's byte order.
  public func number(_ value: UInt64, _ size: Int) -> [UInt8] {
    let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    return isBigEndian ? little.reversed() : little
  }

  private var word: Int { is64 ? 8 : 4 }
  /// The size of the ELF header in bytes.
  public var headerSize: Int { is64 ? 64 : 52 }
  /// The size of a section header in bytes.
  public var sectionHeaderSize: Int { is64 ? 64 : 40 }
  private var programHeaderSize: Int { is64 ? 56 : 32 }
  private var segmentCount: Int { 1 + noteSections.count }

  /// Where a section's bytes are in the file.
  public func offset(ofSection index: Int) -> Int { offsets[index] }

  /// Where each section's bytes are, and then the names.
  private var offsets: [Int] {
    sections.reduce(into: [aligned(headerSize + segmentCount * programHeaderSize)]) {
      $0.append(aligned($0.last! + $1.bytes.count))
    }
  }

  private func aligned(_ offset: Int) -> Int { (offset + 7) & ~7 }

  private var names: [UInt8] {
    [0] + sections.flatMap { Array($0.name.utf8) + [0] } + Array(".shstrtab".utf8) + [0]
  }

  /// Where the section headers are in the file.
  public var sectionHeaderOffset: Int { aligned(offset(ofSection: sections.count) + names.count) }

  /// The file's bytes.
  public var bytes: [UInt8] {
    var result = header + programHeaders
    let offsets = offsets
    for (index, section) in sections.enumerated() {
      pad(&result, to: offsets[index])
      result += section.bytes
    }
    pad(&result, to: offsets[sections.count])
    result += names
    if hasSectionHeaders {
      pad(&result, to: sectionHeaderOffset)
      result += sectionHeaders
    }
    return result
  }

  private func pad(_ bytes: inout [UInt8], to offset: Int) {
    bytes += [UInt8](repeating: 0, count: offset - bytes.count)
  }

  private var header: [UInt8] {
    let count = sections.count + 2
    var result: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, is64 ? 2 : 1, isBigEndian ? 2 : 1, 1]
    result += [UInt8](repeating: 0, count: 9)
    result += number(UInt64(type), 2) + number(62, 2) + number(1, 4) + number(0, word)
    result += number(UInt64(headerSize) + shift, word)
    result += number(hasSectionHeaders ? UInt64(sectionHeaderOffset) + shift : 0, word)
    result += number(0, 4) + number(UInt64(headerSize), 2) + number(UInt64(programHeaderSize), 2)
    result += number(UInt64(segmentCount), 2) + number(UInt64(sectionHeaderSize), 2)
    result += number(hasSectionHeaders && !extendedNumbering ? UInt64(count) : 0, 2)
    result += number(!hasSectionHeaders ? 0 : extendedNumbering ? 0xFFFF : UInt64(count - 1), 2)
    return result
  }

  private func programHeader(_ type: UInt32, _ offset: Int, _ size: Int) -> [UInt8] {
    let address = base + UInt64(offset)
    let head = number(UInt64(type), 4) + (is64 ? number(4, 4) : [])
    let places = number(UInt64(offset) + shift, word) + number(address, word) + number(address, word)
    let sizes = number(UInt64(size), word) + number(UInt64(size), word)
    return head + places + sizes + (is64 ? [] : number(4, 4)) + number(type == 4 ? 4 : 8, word)
  }

  private var programHeaders: [UInt8] {
    let load = programHeader(1, 0, offset(ofSection: sections.count))
    return noteSections.reduce(load) {
      $0 + programHeader(4, offset(ofSection: $1), sections[$1].bytes.count)
    }
  }

  private func sectionHeader(
    name: Int, type: UInt32, flags: UInt64, address: UInt64, offset: Int, size: UInt64, link: UInt32 = 0
  ) -> [UInt8] {
    number(UInt64(name), 4) + number(UInt64(type), 4) + number(flags, word) + number(address, word)
      + number(UInt64(offset) + shift, word) + number(size, word) + number(UInt64(link), 4) + number(0, 4)
      + number(1, word) + number(0, word)
  }

  private var sectionHeaders: [UInt8] {
    let count = sections.count + 2
    var result = sectionHeader(
      name: 0, type: 0, flags: 0, address: 0, offset: 0, size: extendedNumbering ? UInt64(count) : 0,
      link: extendedNumbering ? UInt32(count - 1) : 0)
    var name = 1
    let offsets = offsets
    for (index, section) in sections.enumerated() {
      let offset = offsets[index]
      result += sectionHeader(
        name: name, type: section.type, flags: section.flags, address: type == 1 ? 0 : base + UInt64(offset),
        offset: offset, size: section.claimedSize ?? UInt64(section.bytes.count))
      name += section.name.utf8.count + 1
    }
    return result
      + sectionHeader(
        name: name, type: 3, flags: 0, address: 0, offset: offset(ofSection: sections.count),
        size: UInt64(names.count))
  }
}

extension ELFFixture {
  /// The place and width of each member of each header, by the System V ABI's tables.
  public var headerFields: [(offset: Int, width: Int)] {
    let header = [1, 1, 1, 1, 1, 7, 2, 2, 4, word, word, word, 4, 2, 2, 2, 2, 2, 2]
    let segment = is64 ? [4, 4, 8, 8, 8, 8, 8, 8] : [Int](repeating: 4, count: 8)
    let section = [4, 4, word, word, word, word, 4, 4, word, word]
    func fields(_ widths: [Int], at start: Int) -> [(Int, Int)] {
      widths.reduce(into: (start, [(Int, Int)]())) {
        $0.1.append(($0.0, $1))
        $0.0 += $1
      }.1
    }
    // The first four bytes are the magic number.
    return fields(header, at: 4)
      + (0..<segmentCount).flatMap { fields(segment, at: headerSize + $0 * programHeaderSize) }
      + (0..<sections.count + 2).flatMap { fields(section, at: sectionHeaderOffset + $0 * sectionHeaderSize) }
  }

  /// An ELF note.
  public func note(owner: String, type: UInt32, descriptor: [UInt8]) -> [UInt8] {
    let name = Array(owner.utf8) + [0]
    func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: -bytes.count & 3) }
    return number(UInt64(name.count), 4) + number(UInt64(descriptor.count), 4) + number(UInt64(type), 4)
      + padded(name) + padded(descriptor)
  }
}

/// Bytes as zlib has them, without compressing them (RFC 1950, and stored blocks of RFC 1951).
public func zlibStored(_ bytes: [UInt8]) -> [UInt8] {
  var result: [UInt8] = [0x78, 0x01]
  var rest = bytes[...]
  repeat {
    let block = rest.prefix(0xFFFF)
    rest = rest.dropFirst(block.count)
    let length = UInt16(block.count)
    for value in [length, ~length] { result += [UInt8(value & 0xFF), UInt8(value >> 8)] }
    result.insert(rest.isEmpty ? 1 : 0, at: result.count - 4)
    result += block
  } while !rest.isEmpty
  var (a, b): (UInt32, UInt32) = (1, 0)
  for byte in bytes {
    a = (a + UInt32(byte)) % 65521
    b = (b + a) % 65521
  }
  let sum = b << 16 | a
  return result + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * UInt32($0))) }
}

/// An archive of members, as `ar` writes it with short names.
public func archive(_ members: [(name: String, bytes: [UInt8])]) -> [UInt8] {
  func field(_ text: String, _ width: Int) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0x20, count: width - text.utf8.count)
  }
  return members.reduce(Array("!<arch>\n".utf8)) { result, member in
    result + field(member.name + "/", 16) + field("0", 12) + field("0", 6) + field("0", 6) + field("644", 8)
      + field(String(member.bytes.count), 10) + Array("`\n".utf8) + member.bytes
      + (member.bytes.count % 2 == 1 ? [0x0A] : [])
  }
}
