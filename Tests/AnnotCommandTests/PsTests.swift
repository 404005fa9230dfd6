import Glibc
import TestSupport
import Testing

@Suite("annot ps")
struct PsTests {
  private let annot: CommandRunner

  init() throws {
    annot = try CommandRunner()
    let compiler = try #require(Toolchain.cCompilers.first)
    func compile(_ name: String, _ body: String, _ arguments: [String]) throws {
      let source = try annot.directory.write(
        """
        #include <stdio.h>
        #include <stdlib.h>
        #include <unistd.h>
        #include <dlfcn.h>
        static const char record[] __attribute__((used, retain, aligned(1), section("annot"))) =
          "{\\"kind\\":\\"k\\",\\"cls\\":\\"\(name)\\"}";
        \(body)
        """, to: "\(name).c")
      try Toolchain.call(compiler, [source, "-o", annot.directory.path(of: name)] + arguments)
    }
    try compile("plugin", "int answer(void) { return 42; }", ["-shared", "-fPIC"])
    try compile(
      "host",
      """
      int main(int count, char **arguments) {
        for (int i = 1; i < count; i++) if (!dlopen(arguments[i], RTLD_NOW)) return 1;
        puts("ready");
        fflush(stdout);
        for (;;) pause();
      }
      """, ["-ldl"])
  }

  /// Starts the host with plugins, runs a script with its number as $pid, and gives what that wrote.
  ///
  /// In the script `$1` is the command and the working directory holds the host and its plugin.
  private func withHost(
    _ plugins: String, as prefix: String = "", _ script: String, setup: String = ":"
  ) throws -> ProcessResult {
    let all = """
      cd "$2"; rm -f ready; mkfifo ready; \(setup)
      \(prefix) ./host \(plugins) >ready & pid=$!
      trap 'kill $pid' EXIT
      read -r line <ready
      \(script)
      """
    return annot.placed(try run("/bin/sh", ["-c", all, "sh", annot.annot, annot.directory.path]))
  }

  @Test("prints the annotations of program and plugins")
  func prints() throws {
    let result = try withHost("./plugin", #""$1" ps $pid"#)
    #expect(
      result.output == """
        DIR/host:
        OFFSET  KIND  CLASS  SELECTOR  MODULE  PLACE  MEMBERS
        0       k     host   -         -       -

        DIR/plugin:
        OFFSET  KIND  CLASS   SELECTOR  MODULE  PLACE  MEMBERS
        0       k     plugin  -         -       -

        """)
    #expect(result.errors == "" && result.status == 0)
    let lines = try withHost("", #""$1" ps -f jsonl $pid"#)
    #expect(
      lines.output
        == #"{"version":1,"file":"DIR/host","section":"annot","offset":0,"record":{"kind":"k","cls":"host"}}"#
        + "\n")
  }

  @Test("finds files of odd names")
  func oddNames() throws {
    let result = try withHost(
      #""$(printf './a\nb')" "./c (deleted)""#,
      #""$1" ps -f csv $pid | cut -d, -f1"#, setup: #"cp plugin "$(printf 'a\nb')"; cp plugin "c (deleted)""#)
    #expect(
      result.output == "file\nDIR/a\\nb\nDIR/c (deleted)\nDIR/host\n", "\(result.errors)")
  }

  @Test("reads what is mapped when the file was deleted or replaced, with the rights to")
  func replaced() throws {
    guard geteuid() == 0 else { return }
    let result = try withHost(
      "./plugin", #"rm plugin; cp host other; mv other host; "$1" ps -f csv $pid | cut -d, -f1,6"#)
    let isAllowed = !result.errors.contains("CAP_CHECKPOINT_RESTORE")
    if isAllowed {
      #expect(result.output == "file,cls\nDIR/host,host\nDIR/plugin,plugin\n" && result.errors == "")
    }
  }

  @Test("says what is needed when it may not look")
  func forbidden() throws {
    guard geteuid() == 0, Toolchain.find("setpriv") != nil else { return }
    let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    _ = try run("/bin/chmod", ["-R", "a+rX", annot.directory.path])
    // Where nobody may not reach the command itself there is nothing to see.
    guard try run("/bin/sh", ["-c", "\(nobody) \"$1\" --version", "sh", annot.annot]).status == 0 else {
      return
    }
    let other = try withHost("", "\(nobody) \"$1\" ps $pid; echo $?")
    #expect(other.output == "2\n")
    #expect(
      other.errors.contains(
        "may not be looked into: that needs its user's rights, or root's (CAP_SYS_PTRACE)"))
    let deleted = try withHost(
      "./plugin", as: nobody, "rm plugin; \(nobody) \"$1\" ps -f csv $pid | cut -d, -f6")
    #expect(deleted.output == "cls\nhost\n")
    #expect(
      deleted.errors
        == "annot: DIR/plugin: was deleted or replaced since the process mapped it, and reading what is mapped "
        + "needs root's rights (CAP_CHECKPOINT_RESTORE)\n")
  }

  @Test("says when there is no such process, and what a process is named by")
  func misunderstood() throws {
    let none = try annot("ps", "4194305")
    #expect(none.errors == "annot: there is no process 4194305\n" && none.status == 2)
    #expect(try annot("ps").errors.hasPrefix("annot: one process is needed, by its number\n"))
    #expect(
      try annot("ps", "shop").errors.hasPrefix("annot: a process is given by its number, not as 'shop'\n"))
    let plain = try run(
      "/bin/sh", ["-c", #"sleep 60 & pid=$!; sleep 0.2; "$1" ps $pid; kill $pid"#, "sh", annot.annot])
    #expect(plain.output == "" && plain.errors.hasSuffix(": no annotations\n"))
  }
}
