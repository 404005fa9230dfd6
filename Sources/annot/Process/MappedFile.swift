/// A file that a process has mapped, from its `/proc/PID/maps` (proc(5)).
struct MappedFile: Hashable {
  /// As the kernel writes it: absolute, with a newline as `\012`, and ` (deleted)` behind it when it is gone.
  let name: [UInt8]
  let inode: UInt64
  /// The name in `/proc/PID/map_files` of its first mapping.
  let mapping: [UInt8]
  /// Whether code of it is mapped.
  let isExecutable: Bool

  /// The files of a process, in the order of their names.
  ///
  /// - Parameter maps: What the file `maps` holds.
  static func all(in maps: [UInt8]) -> [MappedFile] {
    struct Key: Hashable {
      let name: [UInt8]
      let inode: UInt64
    }
    var files: [Key: MappedFile] = [:]
    for line in maps.split(separator: UInt8(ascii: "\n")) {
      // START-END PERMISSIONS OFFSET DEVICE INODE NAME
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5, omittingEmptySubsequences: true)
      guard fields.count == 6, let inode = UInt64(String(decoding: fields[4], as: UTF8.self)), inode != 0
      else { continue }
      let name = Array(fields[5].drop { $0 == UInt8(ascii: " ") })
      guard name.first == UInt8(ascii: "/") else { continue }
      let isExecutable = fields[1].dropFirst(2).first == UInt8(ascii: "x")
      let key = Key(name: name, inode: inode)
      let known = files[key]
      files[key] = MappedFile(
        name: name, inode: inode, mapping: known?.mapping ?? Array(fields[0]),
        isExecutable: isExecutable || known?.isExecutable ?? false)
    }
    return files.values.sorted {
      $0.name == $1.name ? $0.inode < $1.inode : $0.name.lexicographicallyPrecedes($1.name)
    }
  }

  /// The paths that the name may stand for, the likeliest first: the kernel's marks may be part of a file's own name.
  var paths: [[UInt8]] {
    let decoded = Self.decoded(name)
    return decoded == name ? [name] : [decoded, name]
  }

  /// The path without the mark of a deleted file; nil when it has none.
  var deletedPath: [UInt8]? {
    let mark = Array(" (deleted)".utf8)
    return name.suffix(mark.count).elementsEqual(mark) ? Self.decoded(Array(name.dropLast(mark.count))) : nil
  }

  private static func decoded(_ name: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = name[...]
    while let first = rest.first {
      if rest.starts(with: Array("\\012".utf8)) {
        result.append(UInt8(ascii: "\n"))
        rest = rest.dropFirst(4)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}
