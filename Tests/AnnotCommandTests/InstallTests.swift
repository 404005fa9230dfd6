import TestSupport
import Testing

@Suite("scripts/install")
struct InstallTests {
  private let directory: TemporaryDirectory
  private let prefix: String

  init() throws {
    directory = try TemporaryDirectory()
    // A space, as folders have them.
    prefix = directory.path(of: "my prefix")
    let result = try run(
      try sourceDirectory() + "/scripts/install", [prefix], environment: ["ANNOT": builtExecutable("annot")])
    if result.status != 0 { throw SupportError(result.errors) }
  }

  private static let annotated = """
    #include <annot.h>
    #include <annot/joinpoint.h>
    ANNOTATE_NEEDLOGIN(Cart, pay, C);
    ANNOT_METHOD(int, Cart, pay, (int, sum)) { return sum; }
    """
  private static let counting = """
    #include <annot/runtime.h>
    #include <stdio.h>
    int main(void) {
      const annot_snapshot *snapshot = annot_snapshot_take();
      printf("%zu\\n", annot_snapshot_record_count(snapshot));
      return Cart_pay(0);
    }
    """

  private func expectRecords(_ program: String) throws {
    let result = try run("\(prefix)/bin/annot", ["check", "--expect-kind", "needlogin=1", program])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test("installs pages, completions and headers, each once")
  func files() throws {
    for file in [
      "share/man/man1/annot.1", "share/man/man1/annot-dump.1", "share/bash-completion/completions/annot",
      "share/zsh/site-functions/_annot", "share/fish/vendor_completions.d/annot.fish", "include/annot.h",
      "include/annot/runtime.h", "include/annot/file.h",
    ] {
      #expect(try !bytes(ofFile: "\(prefix)/\(file)").isEmpty, "\(file)")
    }
    let testing = try run("/usr/bin/find", [prefix, "-name", "*testing*"])
    #expect(testing.output == "")
    let relative = try run(try sourceDirectory() + "/scripts/install", ["relative"])
    #expect(relative.status == 2 && relative.errors.hasPrefix("usage: scripts/install PREFIX"))
  }

  @Test("C programs are built with pkg-config: with the headers alone, and with the runtime")
  func pkgConfig() throws {
    try directory.write(Self.annotated + "\nint main(void) { return 0; }\n", to: "plain.c")
    try directory.write(Self.annotated + "\n" + Self.counting, to: "counting.c")
    let script = #"""
      export PKG_CONFIG_PATH="$1/lib/pkgconfig"
      eval gcc "$(pkg-config --cflags annot)" plain.c -o plain "$(pkg-config --libs annot)"
      eval gcc "$(pkg-config --cflags annot-runtime)" counting.c -o counting "$(pkg-config --libs annot-runtime)"
      ./plain
      LD_LIBRARY_PATH="$1/lib" ./counting
      """#
    let result = try run(
      "/bin/sh", ["-ec", "cd \"$2\"; " + script, "sh", prefix, directory.path])
    #expect(result.output == "2\n" && result.errors == "" && result.status == 0)
    for program in ["plain", "counting"] { try expectRecords(directory.path(of: program)) }
  }

  @Test("C programs are built with CMake")
  func cmake() throws {
    guard let cmake = Toolchain.find("cmake") else { return }
    try directory.write(Self.annotated + "\nint main(void) { return 0; }\n", to: "plain.c")
    try directory.write(Self.annotated + "\n" + Self.counting, to: "counting.c")
    try directory.write(
      """
      cmake_minimum_required(VERSION 3.16)
      project(Shop C)
      find_package(annot 0.1 REQUIRED)
      add_executable(plain plain.c)
      target_link_libraries(plain annot::annot)
      add_executable(counting counting.c)
      target_link_libraries(counting annot::runtime)
      """, to: "CMakeLists.txt")
    let configured = try run(
      cmake, ["-S", directory.path, "-B", directory.path(of: "build"), "-DCMAKE_PREFIX_PATH=\(prefix)"])
    #expect(configured.status == 0, "\(configured.errors)")
    let built = try run(cmake, ["--build", directory.path(of: "build")])
    #expect(built.status == 0, "\(built.output)\(built.errors)")
    let counted = try run(directory.path(of: "build/counting"))
    #expect(counted.output == "2\n" && counted.status == 0)
    try expectRecords(directory.path(of: "build/plain"))
    // A later version is not there.
    let later = try text(ofFile: directory.path(of: "CMakeLists.txt")).replacing(
      "annot 0.1", with: "annot 9.0")
    try directory.write(later, to: "CMakeLists.txt")
    #expect(
      try run(cmake, ["-S", directory.path, "-B", directory.path(of: "b2"), "-DCMAKE_PREFIX_PATH=\(prefix)"])
        .status
        != 0)
  }
}
