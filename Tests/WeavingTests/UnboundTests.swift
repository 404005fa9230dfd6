import Interception
import Testing

#annotation("needlogin", ["cls": "Tellar", "sel": "take(_:)", "module": "WeavingTests"])
#annotation("needlogin", ["cls": "Teller", "sel": "teak(_:)"])
#annotation("needlogin", ["cls": "Teller", "sel": "take(_:_:)"])
#annotation("needlogin", ["cls": "Teller", "sel": "take(_:)", "module": "Elsewhere"])
#annotation("needlogin", ["cls": "Teller", "sel": "take:"])
#annotation("needlogin", ["cls": "NotLoaded", "sel": "run()"])

/// Never called: the annotations above would gate it where a login gate is installed.
final class Teller {
  @JoinPoint func take(_ n: Int) {}
}

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
    #expect(message("Tellar", "take(_:)")?.contains("(near: Teller") == true)
    #expect(message("Teller", "teak(_:)")?.contains("(near: take(_:)") == true)
    #expect(message("Teller", "take(_:_:)")?.contains("no join point of this name (near: take(_:))") == true)
    #expect(
      message("Teller", "take(_:)", module: "Elsewhere")?.contains("module 'WeavingTests' has one") == true)
    #expect(message("NotLoaded", "run()")?.contains("or load the image that has it") == true)
  }
}
