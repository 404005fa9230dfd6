import TestSupport
import Testing

@Suite("annot kinds")
struct KindsTests {
  private let annot: CommandRunner

  init() throws { annot = try CommandRunner() }

  @Test("tells the built-in kinds and their members")
  func tells() throws {
    let result = try annot("kinds", "service")
    #expect(
      result.output == """
        service: a class implements a service
          protocol        required  a string that is not empty  the service's name
          implementation  required  a string that is not empty  the class
          module          optional  a string that is not empty  where both are

        """)
    #expect(result.errors == "" && result.status == 0)
    let all = try annot("kinds").output
    for kind in ["needlogin", "track", "joinpoint", "class", "module", "service", "tweak"] {
      #expect(all.contains("\(kind): "))
    }
    #expect(
      try annot("kinds", "nosuch").errors.hasPrefix(
        "annot: there is no built-in kind 'nosuch': needlogin, track, "))
  }

  @Test("knows the members that docs/record-format.md requires")
  func agreesWithDocumentation() throws {
    let format = try text(ofFile: sourceDirectory() + "/docs/record-format.md")
    guard let jq = Toolchain.find("jq") else { return }
    let json = try annot("kinds", "-f", "json").output
    let rows = try run(
      jq, ["-r", #".kinds[] | .name as $k | .members[] | select(.required) | "\($k) \(.name)""#],
      input: Array(json.utf8)
    ).output.split(separator: "\n")
    #expect(rows.count > 10)
    for row in rows {
      let (kind, member) = (row.split(separator: " ")[0], row.split(separator: " ")[1])
      let part = try #require(format.split(separator: "### `\(kind)`: ").dropFirst().first)
      let table = part.split(separator: "```")[0]
      #expect(
        table.split(separator: "\n").contains { $0.contains("`\(member)`") && $0.contains("| yes |") },
        "\(row)")
    }
  }
}

/// The directory of the package's sources.
func sourceDirectory() throws -> String {
  try String(#require(#filePath.split(separator: "/Tests/").first))
}

@Suite("annot's manual pages and completions")
struct ManualTests {
  private let annot: CommandRunner

  init() throws { annot = try CommandRunner() }

  @Test("docs/man has the pages that the command prints; run scripts/man when not")
  func pages() throws {
    let directory = try sourceDirectory() + "/docs/man"
    let overview = try annot("manual").output
    #expect(try text(ofFile: "\(directory)/annot.1") == overview)
    let names = overview.split(separator: "\n").filter { $0.hasPrefix(".BR annot\\-") }
      .compactMap { $0.split(separator: "-").last?.split(separator: " ").first }
    #expect(names.contains("dump") && names.contains("check") && names.contains("manual"))
    for name in names {
      #expect(try text(ofFile: "\(directory)/annot-\(name).1") == annot("manual", String(name)).output)
    }
  }

  @Test("pages are read by man without a warning")
  func man() throws {
    guard let man = Toolchain.find("man") else { return }
    for command in [
      "", "dump", "check", "diff", "scan", "report", "ps", "kinds", "help", "manual", "completions",
    ] {
      let page = try annot.directory.write(
        try run(annot.annot, ["manual"] + (command.isEmpty ? [] : [command])).output, to: "page.1")
      let result = try run(man, ["--warnings", "-E", "UTF-8", "-l", page], environment: ["MANWIDTH": "80"])
      #expect(result.errors == "" && result.status == 0, "\(command)")
      #expect(result.output.contains("EXIT STATUS"))
    }
    #expect(try annot("manual", "nosuch").errors.hasPrefix("annot: unknown command 'nosuch'"))
  }

  @Test("help, manual and completions name the same options")
  func sameOptions() throws {
    for command in ["dump", "scan", "check", "diff", "report", "ps", "kinds"] {
      let help = try annot(command, "--help").output
      let options = help.matches(of: /--[a-z-]+/).map { String($0.output) }
      let names = Set(options).subtracting(["--"])
      #expect(names.contains("--help"))
      let page = try annot("manual", command).output.replacing("\\-", with: "-")
      for shell in ["bash", "zsh"] {
        let script = try annot("completions", shell).output
        for name in names { #expect(script.contains(name) && page.contains(name), "\(command) \(name)") }
      }
      let fish = try annot("completions", "fish").output
      for name in names { #expect(fish.contains("-l \(name.dropFirst(2))"), "\(command) \(name)") }
    }
    #expect(
      try annot("completions", "tcsh").errors.hasPrefix(
        "annot: unknown shell 'tcsh': bash, zsh and fish are known\n"))
  }

  /// What bash offers for the last of the words.
  private func bash(_ words: String...) throws -> [String] {
    let script = try annot.directory.write(try annot("completions", "bash").output, to: "annot.bash")
    let program = """
      source "$1"; shift
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _annot; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try run(
      try #require(Toolchain.find("bash")), ["-c", program, "bash", script] + words)
    #expect(result.errors == "")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test("bash completes commands, options and their values")
  func completesInBash() throws {
    #expect(try bash("annot", "d") == ["dump", "diff"])
    #expect(try bash("annot", "dump", "--fo") == ["--format"])
    #expect(try bash("annot", "dump", "--format", "=", "js") == ["json", "jsonl"])
    #expect(try bash("annot", "dump", "--format", "=") == ["text", "json", "jsonl", "raw", "csv"])
    #expect(try bash("annot", "check", "-f", "s") == ["sarif"])
    #expect(try bash("annot", "help", "ki") == ["kinds"])
    #expect(try bash("annot", "kinds", "tw") == ["tweak"])
    let file = try annot.directory.write("", to: "with space.so")
    #expect(try bash("annot", "dump", annot.directory.path(of: "with")) == [file])
    #expect(try bash("annot", "scan", annot.directory.path(of: "with")) == [])
  }

  @Test("fish completes commands, options and their values")
  func completesInFish() throws {
    guard let fish = Toolchain.find("fish") else { return }
    let script = try annot.directory.write(try annot("completions", "fish").output, to: "annot.fish")
    func complete(_ line: String) throws -> [String] {
      let result = try run(
        fish, ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, line],
        environment: ["HOME": annot.directory.path])
      #expect(result.errors == "")
      return result.output.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }
    }
    #expect(try Set(complete("annot d")) == ["dump", "diff"])
    #expect(try complete("annot dump --fo") == ["--format"])
    #expect(try complete("annot check -f s") == ["sarif"])
    #expect(try complete("annot help ki") == ["kinds"])
  }

  @Test("zsh completes commands, options and their values", .timeLimit(.minutes(1)))
  func completesInZsh() throws {
    guard let zsh = Toolchain.find("zsh") else { return }
    try annot.directory.write(try annot("completions", "zsh").output, to: "_annot")
    // A shell on a terminal of its own, which is typed into.
    let program = #"""
      zmodload zsh/zpty
      zpty shell zsh -f -i
      await() {
        local all= chunk=
        repeat 400; do
          if zpty -rt shell chunk; then all+=$chunk; else sleep 0.05; fi
          [[ $all == *$1* ]] && { print found $1; return }
        done
        print -r -- missing $1 in $all
      }
      zpty -w shell "PROMPT=; fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -u -D; print re''ady"
      await ready
      zpty -w -n shell $'annot ch\t-f sa\t'
      await sarif
      zpty -w -n shell $' --exp\t'
      await --expect
      zpty -d shell
      """#
    let result = try run(
      zsh, ["-f", "-c", program, "zsh", annot.directory.path], environment: ["TERM": "dumb"])
    #expect(result.output == "found ready\nfound sarif\nfound --expect\n", "\(result.errors)")
  }
}
