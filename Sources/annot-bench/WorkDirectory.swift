@preconcurrency import Glibc

/// A directory for the benchmarks' inputs, which are made by the system's C compiler; removed at the end.
final class WorkDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/annot-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw BenchmarkError(message: "no directory in /tmp") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { _ = try? time(program: "rm", ["-rf", path]) }

  func write(_ text: String, to name: String) throws -> String {
    let path = "\(self.path)/\(name)"
    guard let file = fopen(path, "w") else { throw BenchmarkError(message: "cannot write \(path)") }
    let count = Array(text.utf8).withUnsafeBufferPointer { fwrite($0.baseAddress, 1, $0.count, file) }
    guard fclose(file) == 0 && count == text.utf8.count else {
      throw BenchmarkError(message: "cannot write \(path)")
    }
    return path
  }

  /// A record like those that macros leave: about 120 bytes and six members.
  private static func record(_ index: Int) -> String {
    #"{"kind":"needlogin","cls":"Class\#(index % 997)","sel":"method\#(index):with:","module":"Shop","#
      + #""file":"Sources/Shop/File\#(index / 200).c","line":\#(index * 7 % 4000 + 1)}"#
  }

  /// Makes a shared library with so many records.
  ///
  /// - Parameters:
  ///   - name: The library's, without its suffix.
  ///   - records: How many.
  ///   - bounds: Whether it has a note that tells where they are.
  func library(_ name: String, records: Int, bounds: Bool = false) throws -> String {
    var text = ".section .note.GNU-stack,\"\",%progbits\n.section annot,\"aR\",%progbits\n"
    for index in 0..<records {
      text += ".asciz \"" + Self.record(index).replacing("\"", with: "\\\"") + "\"\n"
    }
    if bounds {
      // As annot.h has it: owner, type 1, the distances to the section's start and end.
      text += """
        .hidden __start_annot
        .hidden __stop_annot
        .section .note.annot,"aG",%note,annot_bounds,comdat
        .balign 4
        .long 6, 8, 1
        .asciz "annot"
        .balign 4
        0: .long __start_annot - 0b
        1: .long __stop_annot - 1b

        """
    }
    let source = try write(text, to: "\(name).s")
    let result = "\(path)/\(name).so"
    _ = try time(program: "cc", ["-shared", "-Wl,--build-id", source, "-o", result])
    return result
  }
}

/// Where this program and those built with it are.
func programsDirectory() -> String {
  var buffer = [CChar](repeating: 0, count: 4096)
  let length = max(readlink("/proc/self/exe", &buffer, buffer.count), 0)
  let path = String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
  return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
}
