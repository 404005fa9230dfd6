import TestSupport
import Testing

@Suite("The workflow of docs/ci.md")
struct WorkflowTests {
  private let annot: CommandRunner

  init() throws { annot = try CommandRunner() }

  /// The shell commands of a step of the documented workflow.
  private func step(_ name: String) throws -> String {
    let page = try text(ofFile: sourceDirectory() + "/docs/ci.md")
    let workflow = try #require(page.split(separator: "```yaml\n").dropFirst().first).split(separator: "```")[
      0]
    let step = try #require(workflow.split(separator: "- name: \(name)\n").dropFirst().first)
    let script = try #require(step.split(separator: "run: |\n").dropFirst().first)
    return script.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("          ") }.map { $0.dropFirst(10) }.joined(separator: "\n")
  }

  /// Runs a step as GitHub does, with two builds.
  private func run(step name: String) throws -> ProcessResult {
    let directory = annot.directory.path
    return try TestSupport.run(
      "/bin/bash", ["-e", "-c", "cd \"$1\"\n" + step(name), "bash", directory],
      environment: [
        "OLD": "\(directory)/old", "NEW": "\(directory)/new", "GITHUB_STEP_SUMMARY": "\(directory)/summary",
        "PATH": "/\(annot.annot.split(separator: "/").dropLast().joined(separator: "/")):/usr/bin:/bin",
      ])
  }

  private func build(_ name: String, _ records: [String]) throws {
    _ = try TestSupport.run("/bin/mkdir", ["-p", "\(annot.directory.path)/\(name)"])
    try annot.directory.write(ELFFixture(records: records).bytes, to: "\(name)/shop.so")
  }

  private let point = #"{"kind":"joinpoint","cls":"Router","sel":"jump","module":"C","file":"r.c","line":4}"#

  @Test("fails a change that loses a needlogin, and no other")
  func fails() throws {
    try build("old", [needLogin, point])
    try build("new", [needLogin.replacing("\"line\":3", with: "\"line\":30"), point, track])
    #expect(try run(step: "No needlogin may be lost").status == 0)
    #expect(try run(step: "Show what changed").status == 0)
    #expect(try text(ofFile: annot.directory.path(of: "summary")).contains("**Annotations:** 1 added"))

    try build("new", [point])
    let lost = try run(step: "No needlogin may be lost")
    #expect(lost.status == 1 && lost.output.contains("- needlogin  C/Router.jump  r.c:3"))
    #expect(try run(step: "Show what changed").status == 0)
    #expect(try text(ofFile: annot.directory.path(of: "summary")).contains("| removed | `needlogin` |"))

    _ = try TestSupport.run("/bin/rm", ["-r", "\(annot.directory.path)/new"])
    #expect(try run(step: "No needlogin may be lost").status == 2)
    #expect(try run(step: "Show what changed").status != 0)
  }

  @Test("leaves a SARIF log of what is checked")
  func checks() throws {
    try build("new", [needLogin])
    #expect(try run(step: "Check the annotations").status != 0)
    let log = try text(ofFile: annot.directory.path(of: "annot.sarif"))
    #expect(log.contains(#""ruleId":"no-join-point""#))
  }
}
