import Glibc
import Testing

private let hasMusl =
  system("command -v musl-gcc >/dev/null") == 0 && RuntimeProgram.hasArchive("libelf.a")
  && !Machine.isForeign

@Suite("The runtime with musl", .enabled(if: hasMusl, "needs musl-gcc and libelf.a"))
struct MuslTests {
  /// Builds the shell with musl-gcc; libelf's archive is the one made for the GNU C library.
  private func build(in workshop: Workshop, _ flags: String) throws -> String {
    let path = workshop.path("shell")
    try shell(
      """
      musl-gcc -std=c11 -O1 \(flags) \(Workshop.headers) -o '\(path)' \
      '\(Workshop.root)/Tests/RuntimePrograms/shell.c' -Wl,--whole-archive \
      '\(try RuntimeProgram.muslArchive.get())' -Wl,--no-whole-archive "$(cc -print-file-name=libelf.a)" "$(cc -print-file-name=libz.a)"
      """)
    return path
  }

  @Test(
    "finds the program's records, linked statically or not", arguments: ["-static", "-fPIE -pie"],
    [true, false])
  func program(linking: String, noted: Bool) throws {
    let workshop = try Workshop()
    let path = try build(in: workshop, linking + (noted ? "" : " -DBARE"))
    let run = try Run("timeout 60 '\(path)' print")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.marks(in: path) == ["program"])
    #expect(run.routes(of: path) == [noted ? "note main" : "file main"])
    #expect(run.lines("diagnostic") == [])
  }

  @Test("finds the records of a library that is opened")
  func library() throws {
    let workshop = try Workshop()
    let path = try build(in: workshop, "-fPIE -pie -rdynamic")
    let bare = try workshop.library("bare.so", flags: "-nostdlib")
    let noted = try workshop.library("noted.so", noted: true, flags: "-nostdlib")
    let run = try Run("timeout 60 '\(path)' print open '\(bare)' open '\(noted)' print fork print")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.marks(in: bare) == ["a", "a"])
    #expect(run.marks(in: noted) == ["a", "a"])
  }
}
