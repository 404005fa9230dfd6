import Glibc
import Testing

@Suite("Advice in C")
struct AdviceTests {
  /// A check of Tests/RuntimePrograms/advice_checks.c and what it shows.
  struct Check: CustomTestStringConvertible, Sendable {
    let name: String
    let testDescription: String
    init(_ name: String, _ description: String) {
      self.name = name
      testDescription = description
    }
  }

  static let checks = [
    Check("instance", "Advice on one object runs for calls with that object alone, beside advice on any"),
    Check("instance-once", "Once-only advice on one object is not used up by calls of others"),
    Check("instance-around", "Around advice replaces the call of its object and leaves others alone"),
    Check("instance-without-pointer", "Advice on an object does not apply where no call has one"),
    Check("identifiers", "An identifier in use is refused with the place of the first, and nothing changes"),
    Check("long-identifier", "Long names and paths are cut to fit into the message"),
    Check("order", "A given order puts advice among its equals as if registered with that number"),
    Check(
      "positions",
      "The three kinds of after advice run in one reverse order, throwing only after an exception"),
    Check("batch", "A batch adds all its advice, in its order"),
    Check("bad-batch", "A batch with one bad entry applies none, names the entry and releases nothing"),
    Check("no-memory", "When memory runs out at any point, nothing is added and nothing released"),
    Check("pause", "Paused advice costs a branch and keeps its identifier and place"),
    Check("pause-before-first-call", "Advice paused before the first call runs from its resumption on"),
    Check("pause-inside", "Advice may pause itself; the running call ends with its list"),
    Check("remove-inside", "Advice may remove itself and add other; the running call ends with its list"),
    Check("remove-all", "All advice can be removed at once, by advice too, and is released"),
    Check("listing", "Listing tells what advice was there at one moment, whatever is changed meanwhile"),
    Check("listing-inside", "Advice may list"),
    Check("patterns", "Stars in module, class and selector name any text"),
    Check("once", "Once-only advice runs exactly once over eight threads"),
    Check("memory", "Retired lists are freed under steady change while a call runs on"),
  ]

  /// Made once; its folder goes when the process ends.
  private static let workshop = Result { try Workshop() }
  private static let program = Result { try RuntimeProgram.build("advice_checks", in: workshop.get()) }
  private static let cleaning: Void = {
    atexit { _ = system("rm -rf '\((try? AdviceTests.workshop.get().folder) ?? "")'") }
  }()

  @Test("holds what it promises", arguments: checks)
  func check(_ check: Check) throws {
    Self.cleaning
    let run = try Run("timeout -k 5 60 \(Machine.start(try Self.program.get())) \(check.name)")
    #expect(run.status == 0 && run.output == "", "\(run.output)")
  }

  @Test("Every check of the program is run")
  func complete() throws {
    let run = try Run(
      """
      sed -n 's/^    {"\\([a-z-]*\\)", .*/\\1/p' '\(Workshop.root)/Tests/RuntimePrograms/advice_checks.c'
      """)
    #expect(run.output.split(separator: "\n").map(String.init) == Self.checks.map(\.name))
  }

  @Test(
    "An exception reaches the caller as it was; after advice of its kind runs and nothing is kept",
    .disabled(if: Machine.isForeign),
    arguments: ["g++ -std=c++11", "clang++ -std=c++20"])
  func exceptions(_ compiler: String) throws {
    let workshop = try Workshop()
    let program = try RuntimeProgram.build(
      "advice_exceptions", in: workshop, compiler: "\(compiler) -Wall -Wextra -Werror", suffix: ".cpp")
    let run = try Run("timeout -k 5 60 '\(program)'")
    #expect(run.status == 0 && run.output == "", "\(run.output)")
  }

  @Test(
    "The same by the judgement of AddressSanitizer and UndefinedBehaviorSanitizer",
    .disabled(if: Machine.isForeign))
  func sanitizedExceptions() throws {
    let workshop = try Workshop()
    let program = workshop.path("program")
    let sources = ["CAnnot", "CAnnotRecords"].map { "'\(Workshop.root)'/Sources/\($0)/*.c" }
      .joined(separator: " ")
    let words = "-O1 -g -fsanitize=address,undefined \(Workshop.headers)"
    try shell(
      """
      cd '\(workshop.folder)' && gcc -std=c11 -c \(words) \(sources) && g++ -std=c++17 \(words) -o '\(program)' \
      '\(Workshop.root)/Tests/RuntimePrograms/advice_exceptions.cpp' *.o -lelf -pthread
      """)
    let run = try Run("timeout -k 5 60 '\(program)'")
    #expect(run.status == 0 && run.output == "", "\(run.output)")
  }

  @Test(
    "A thread that is cancelled or ends inside an advised C call runs its after advice, with -fexceptions",
    .disabled(if: Machine.isForeign),
    arguments: ["gcc", "clang"])
  func cancelled(_ compiler: String) throws {
    let workshop = try Workshop()
    let program = try RuntimeProgram.build(
      "advice_cancel", in: workshop, compiler: "\(compiler) -std=gnu11 -fexceptions")
    let run = try Run("timeout -k 5 60 '\(program)'")
    #expect(run.status == 0 && run.output == "", "\(run.output)")
  }
}
