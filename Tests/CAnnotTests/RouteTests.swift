import Glibc
import Testing

@Suite("The records of every fixture of the matrix")
struct RouteTests {
  private static let compilers =
    Machine.isForeign
    ? [Machine.compiler]
    : ["gcc", "g++", "clang", "clang++"].filter { system("command -v \($0) >/dev/null") == 0 }

  private static let fixtures = "\(Workshop.root)/Tests/EmissionTests/Fixtures"

  /// The fixtures that leave records, by a macro that stands by itself, and that the compiler knows the language of.
  private static func fixtures(for compiler: String) throws -> [String] {
    try Run("grep -lE '^ *ANNOT[A-Z_]*\\(' '\(fixtures)'/*.c '\(fixtures)'/*.cpp").output
      .split(separator: "\n").map(String.init)
      .filter { $0.hasSuffix(".c") || compiler.hasSuffix("++") }
      // It stands in front of functions that no library has, so the loader would not take it.
      .filter { !$0.hasSuffix("/shims.c") }
  }

  @Test(
    "are the same by note, by the file's section headers and in the file itself", arguments: compilers)
  func routesAgree(_ compiler: String) throws {
    let workshop = try Workshop()
    let host = try RuntimeProgram.build("shell", in: workshop, flags: "-pie -DNO_RECORDS")
    let reader = try RuntimeProgram.build("reader", in: workshop)
    let (noted, bare) = (workshop.path("noted.so"), workshop.path("bare.so"))
    let fixtures = try Self.fixtures(for: compiler)
    #expect(fixtures.count >= 3)
    for fixture in fixtures {
      try shell(
        """
        \(compiler) -x \(compiler.hasSuffix("++") ? "c++" : "c") -shared -fPIC -O1 \(Workshop.headers) \
        -o '\(noted)' '\(fixture)'
        """)
      // The same library with the notes' owner changed, so that they are nobody's.
      try shell("LC_ALL=C sed 's/annot\\x00\\x00\\x00/annoy\\x00\\x00\\x00/g' '\(noted)' > '\(bare)'")
      let run = try Run("timeout 60 \(Machine.start(host)) open '\(noted)' open '\(bare)' print")
      #expect(run.status == 0 && run.lines("diagnostic") == [], "\(fixture): \(run.output)")
      #expect(run.routes(of: noted) == ["note"], "\(fixture)")
      #expect(run.routes(of: bare) == ["file"], "\(fixture)")
      let records = run.records(of: noted)
      #expect(!records.isEmpty && records == run.records(of: bare), "\(fixture): \(run.output)")
      let read = try Run("timeout 60 \(Machine.start(reader)) file '\(noted)'")
      #expect(read.lines("record").map { $0.drop { $0 != "{" }.dropLast() } == records.map { $0[...] })
    }
  }
}
