import Aspects
import ReadmeExample
import TestSupport
import Testing

@Suite("The README", .serialized)
struct ReadmeTests {
  private static let root = String(#filePath.dropLast("Tests/ReadmeTests/ReadmeTests.swift".count))

  /// The first block of the README in a language.
  private func block(_ language: String) throws -> String {
    let readme = try text(ofFile: Self.root + "README.md")
    let start = try #require(readme.range(of: "```\(language)\n")).upperBound
    let end = try #require(readme[start...].range(of: "```")).lowerBound
    return String(readme[start..<end])
  }

  @Test(
    "Its examples are the ones that are compiled",
    arguments: [("swift", "Tests/ReadmeTests/Example.swift"), ("c", "Tests/ReadmeExample/example.c")])
  func examples(_ language: String, _ path: String) throws {
    #expect(try text(ofFile: Self.root + path).hasSuffix("\n" + block(language)))
  }

  @Test(
    "The example of a page of docs is the one that is compiled",
    arguments: ["login-gate": "LoginGateExample.swift"])
  func pages(_ page: String, _ example: String) throws {
    let text = try TestSupport.text(ofFile: Self.root + "docs/\(page).md")
    let start = try #require(text.range(of: "```swift\n")).upperBound
    let end = try #require(text[start...].range(of: "```")).lowerBound
    #expect(
      try TestSupport.text(ofFile: Self.root + "Tests/ReadmeTests/\(example)").hasSuffix(
        "\n" + text[start..<end]))
  }

  @Test("Its C example is found and gated by its Swift example")
  func together() async {
    // In a process of its own: the example's gate stays in place.
    await #expect(processExitsWith: .success) {
      let found = AnnotationRegistry.shared.annotations(of: NeedLogin.self).map(\.annotation)
      try #require(found.contains(NeedLogin(cls: "Router", sel: "open", module: "C")))
      try #require(Router_open("page") == 1)
      try start()
      // The session answers the login at once, so the call has run when it returns; its result is the gate's.
      try #require(Router_open("page") == 0)
    }
  }
}
