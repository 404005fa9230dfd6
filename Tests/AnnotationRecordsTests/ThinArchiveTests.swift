import AnnotationRecords
import TestSupport
import Testing

@Suite("The file reader, on thin archives", .enabled(if: Toolchain.find("ar") != nil))
struct ThinArchiveTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try Toolchain.call("/usr/bin/env", ["mkdir", directory.path(of: "out")])
    for (name, record) in [("one.o", needLogin), ("out/two_with_a_long_name.o", track)] {
      var fixture = ELFFixture(records: [record])
      fixture.type = 1
      try directory.write(fixture.bytes, to: name)
    }
  }

  private func ar(_ operation: String, _ name: String, _ members: String...) throws -> String {
    // In the directory, as ar keeps absolute paths.
    let command = #"cd "$1" && shift && exec ar "$@""#
    try Toolchain.call("/bin/sh", ["-c", command, "sh", directory.path, operation, name] + members)
    return directory.path(of: name)
  }

  @Test("reads the files that are its members, from wherever it is called")
  func followsMembers() throws {
    let path = try ar("rcT", "out/thin.a", "one.o", "out/two_with_a_long_name.o")
    let file = try ELFAnnotations(path: path)
    #expect(file.records.map(\.json) == [needLogin, track])
    #expect(file.records.map(\.source.member) == ["../one.o", "two_with_a_long_name.o"])
    #expect(file.diagnostics.isEmpty)
  }

  @Test("reads members that are named by absolute paths, and those beside an archive without a directory")
  func followsAbsolutePaths() throws {
    func member(_ name: String) -> String {
      name.padding(16) + "0".padding(12) + "0".padding(6) + "0".padding(6) + "644".padding(8)
        + "1".padding(10) + "`\n"
    }
    let names = directory.path(of: "one.o") + "/\n"
    let table = "//".padding(48) + "\(names.utf8.count)".padding(10) + "`\n" + names
    let padding = names.utf8.count % 2 == 1 ? "\n" : ""
    let path = try directory.write("!<thin>\n" + table + padding + member("/0"), to: "thin.a")
    #expect(try ELFAnnotations(path: path).records.map(\.json) == [needLogin])
  }

  @Test("reads the members of an archive that it was made of")
  func followsNestedArchives() throws {
    _ = try ar("rc", "plain.a", "one.o", "out/two_with_a_long_name.o")
    let path = try ar("rcT", "out/thin.a", "plain.a")
    let file = try ELFAnnotations(path: path)
    #expect(file.records.map(\.json) == [needLogin, track])
    #expect(
      file.records.map(\.source.member)
        == ["../plain.a(one.o)", "../plain.a(two_with_a_long_name.o)"])
    #expect(file.diagnostics.isEmpty)
  }

  @Test("says which member's file is missing or no file, and reads the others")
  func tellsMissingMembers() throws {
    let path = try ar("rcT", "thin.a", "one.o", "out/two_with_a_long_name.o")
    try Toolchain.call("/usr/bin/env", ["rm", directory.path(of: "one.o")])
    var file = try ELFAnnotations(path: path)
    #expect(file.records.map(\.json) == [track])
    #expect(file.diagnostics.map(\.severity) == [.unreadable])
    #expect(
      file.diagnostics.first?.description == """
        \(path)(one.o): cannot be opened: No such file or directory: this is a thin archive, and the member's \
        file is \(directory.path)/one.o
        """)
    try Toolchain.call("/usr/bin/env", ["mkdir", directory.path(of: "one.o")])
    file = try ELFAnnotations(path: path)
    #expect(file.records.map(\.json) == [track])
    #expect(file.diagnostics.first?.reason.contains("a directory") == true)
  }

  @Test("says when an archive that it was made of has changed")
  func tellsChangedArchives() throws {
    let member = try bytes(ofFile: directory.path(of: "one.o"))
    try directory.write(archive([("a.o", member), ("b.o", member)]), to: "plain.a")
    let path = try ar("rcT", "thin.a", "plain.a")
    try directory.write(archive([("a.o", member)]), to: "plain.a")
    let file = try ELFAnnotations(path: path)
    #expect(file.records.map(\.json) == [needLogin])
    #expect(file.diagnostics.map(\.severity) == [.unreadable])
    #expect(file.diagnostics.first?.reason.contains("is not where it was") == true)
    try directory.write("no archive", to: "plain.a")
    #expect(try ELFAnnotations(path: path).diagnostics.first?.reason.contains("no archive any more") == true)
  }

  @Test("is refused where its place is not known")
  func refusesUnknownPlaces() throws {
    let path = try ar("rcT", "thin.a", "one.o")
    let handle = try DescriptorOf(path)
    let contents = try bytes(ofFile: path)
    for read in [
      { try ELFAnnotations(descriptor: handle.number, name: "thin") },
      { try ELFAnnotations(bytes: contents, name: "thin") },
    ] as [() throws -> ELFAnnotations] {
      let error = #expect(throws: AnnotationError.self) { try read() }
      #expect(error?.code == .unsupported)
      #expect(
        error?.reason.contains("a thin archive") == true && error?.reason.contains("by its path") == true)
    }
  }

  @Test("does not read names for ever when the archive is damaged")
  func readsCutArchives() throws {
    let whole = try bytes(ofFile: try ar("rcT", "thin.a", "one.o", "out/two_with_a_long_name.o"))
    for length in 8..<whole.count {
      let path = try directory.write(Array(whole.prefix(length)), to: "cut.a")
      let file = try ELFAnnotations(path: path)
      #expect(file.records.count <= 2)
    }
  }
}

extension String {
  /// The text, and spaces behind it up to a width.
  fileprivate func padding(_ width: Int) -> String {
    self + String(repeating: " ", count: width - utf8.count)
  }
}
