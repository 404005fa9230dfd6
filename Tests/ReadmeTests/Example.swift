// The README's Swift example, compiled. The test compares the two.

import Aspects

struct Shop {
  // Whoever closes the shop must be logged in. The record names type, function, module, file and line.
  @NeedLogin func close() {}
}

struct Session: LoginSession {
  var isLoggedIn: Bool { false }
  func requestLogin(_ answer: @escaping @Sendable (LoginAnswer) -> Void) { answer(.loggedIn) }
}

func start() throws {
  // What was annotated, and where.
  for found in AnnotationRegistry.shared.annotations(of: NeedLogin.self) {
    print(found.annotation.cls, found.annotation.sel, found.file ?? "", found.line ?? 0)
  }

  // Calls of annotated functions wait for the login, and then go on with the arguments they were made with.
  try LoginGate(session: Session()).install()

  // Advice of your own.
  let token = try InterceptionRegistry.shared.before(JoinPointName(cls: "Router", sel: "open")) { call in
    print("calling", call.joinPoint)
  }
  token.remove()
}
