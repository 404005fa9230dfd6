import Interception
import Testing

#annotation("needlogin", ["cls": "Clark", "sel": "take(_:)", "module": "WeavingTests"])
#annotation("needlogin", ["cls": "Clerk", "sel": "teak(_:)"])
#annotation("needlogin", ["cls": "Clerk", "sel": "take(_:_:)"])
#annotation("needlogin", ["cls": "Clerk", "sel": "take(_:)", "module": "Elsewhere"])
#annotation("needlogin", ["cls": "Clerk", "sel": "take:"])
#annotation("needlogin", ["cls": "NotLoaded", "sel": "run()"])

@Suite("Annotations without a join point")
struct UnboundTests {
  private let unbound = InterceptionRegistry.shared.unbound.filter {
    $0.record.file?.hasSuffix("UnboundTests.swift") == true
  }

  private func message(_ cls: String, _ sel: String, module: String? = "WeavingTests") -> String? {
    unbound.first { $0.target.cls == cls && $0.target.sel == sel && $0.target.module == module }?.message
  }

  @Test("Each is told with its file and line, the near names and the mend; a bound one is not")
  func messages() throws {
    #expect(unbound.count == 5)
    #expect(unbound.allSatisfy { $0.record.line != nil && $0.description.contains("UnboundTests.swift:") })
    #expect(message("Clark", "take(_:)")?.contains("(near: Clerk") == true)
    #expect(message("Clerk", "teak(_:)")?.contains("(near: take(_:)") == true)
    #expect(message("Clerk", "take(_:_:)")?.contains("no join point of this name (near: take(_:))") == true)
    #expect(message("Clerk", "take(_:)", module: "Elsewhere")?.contains("module 'WeavingTests' has one") == true)
    #expect(message("NotLoaded", "run()")?.contains("or load the image that has it") == true)
  }
}
