import Testing

@Suite("Advice and threads, in C")
struct AdviceThreadTests {
  @Test(
    "Each call sees a whole list and nothing is freed too early or kept, also by the sanitizers' judgement",
    arguments: ["", "-fsanitize=thread", "-fsanitize=address,undefined"])
  func stress(_ sanitizer: String) throws {
    let workshop = try Workshop()
    let program = workshop.path("advice_stress")
    let sources = ["CAnnot", "CAnnotRecords"].map { "'\(Workshop.root)'/Sources/\($0)/*.c" }
      .joined(separator: " ")
    try shell(
      """
      gcc -std=gnu11 -O1 -g \(sanitizer) \(Workshop.headers) -o '\(program)' \
      '\(Workshop.root)/Tests/RuntimePrograms/advice_stress.c' \(sources) -lelf -pthread
      """)
    let run = try Run("timeout -k 5 60 '\(program)' 500")
    #expect(run.output.contains(" 0 wrong, 0 contexts left\n"), "\(run.output)")
    #expect(!run.output.contains("Sanitizer"), "\(run.output)")
    #expect(run.status == 0)
  }
}
