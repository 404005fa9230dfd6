import Glibc
import Interception
import InterceptionFixtures
import Testing

@Suite("Advice on functions of other libraries")
struct ShimTests {
  @Test("Calls from Swift of a function of the C library run the advice while there is any")
  func swiftCalls() throws {
    let parent = getppid()
    let token = try InterceptionRegistry.shared.around(JoinPointName(cls: "Machine", sel: "parent")) {
      call in
      try? call.proceed()
      guard let own = try? call.result(as: Int32.self) else { return }
      try? call.setResult(own + 1)
    }
    #expect(getppid() == parent + 1)
    #expect(token.remove())
    #expect(getppid() == parent)
  }

  @Test("Advice on a function that nobody calls is refused with its name")
  func missing() throws {
    let name = JoinPointName(cls: "Machine", sel: "missing")
    let error = #expect(throws: InterceptionError.self) {
      _ = try InterceptionRegistry.shared.before(name) { _ in }
    }
    #expect(error?.code == .notInterceptable)
    #expect(error?.message.hasPrefix("no image imports calls_nowhere, so its shim is never called; ") == true)
  }
}
