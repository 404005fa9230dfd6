import Testing

@Suite("Advice and threads, in C")
struct AdviceThreadTests {
  @Test(
    "Each call sees a whole list and nothing is freed too early or kept, also by the sanitizers' judgement",
    arguments: Machine.isForeign ? [""] : ["", "-fsanitize=thread", "-fsanitize=address,undefined"])
  func stress(_ sanitizer: String) throws {
    let workshop = try Workshop()
    let program = workshop.path("advice_stress")
    let archive = try RuntimeProgram.archive(under: sanitizer)
    try shell(
      """
      \(Machine.compiler) -std=gnu11 -O1 -g \(sanitizer) \(Workshop.headers) -o '\(program)' \
      '\(Workshop.root)/Tests/RuntimePrograms/advice_stress.c' -Wl,--whole-archive '\(archive)' -Wl,--no-whole-archive -lelf -pthread
      """)
    let run = try Run("timeout -k 5 60 \(Machine.start(program)) 500")
    #expect(run.output.contains(" 0 wrong, 0 contexts left\n"), "\(run.output)")
    #expect(!run.output.contains("Sanitizer"), "\(run.output)")
    #expect(run.status == 0)
  }

  /// A library with many join points, so that loading it takes a while.
  private func library(in workshop: Workshop) throws -> String {
    let others = (0..<200).map { "ANNOT_METHOD(int, Plug, other\($0), (int, a)) { return a; }" }
    let source = workshop.path("plug.c")
    try shell(
      """
      cat > '\(source)' <<'END'
      #include <annot/joinpoint.h>
      ANNOT_METHOD_NAMED(int, plug_run, Plug, run, (int, a)) { return a; }
      \(others.joined(separator: "\n"))
      END
      \(Machine.compiler) -shared -fPIC -O1 \(Workshop.headers) -o '\(workshop.path("plug.so"))' '\(source)'
      """)
    return workshop.path("plug.so")
  }

  @Test("A library that is just being loaded is left alone, and its very first call meets the advice")
  func loading() throws {
    let workshop = try Workshop()
    let library = try library(in: workshop)
    let program = try RuntimeProgram.build("advice_loading", in: workshop)
    let run = try Run("timeout -k 5 60 \(Machine.start(program)) '\(library)' 1500")
    #expect(run.output == "1500 rounds, 0 wrong\n")
    #expect(run.status == 0)
  }

  @Test("A program that takes the runtime from a static archive has its note, and its advice is met")
  func archive() throws {
    let workshop = try Workshop()
    let library = try library(in: workshop)
    let program = try RuntimeProgram.build("advice_loading", in: workshop, isWhole: false)
    let run = try Run("timeout -k 5 60 \(Machine.start(program)) '\(library)' 10")
    #expect(run.output == "10 rounds, 0 wrong\n")
  }
}
