// The tour: a small shop in C and Swift whose annotated functions wait for a login and go on by themselves.

import Aspects
import Glibc
import ShopRouter
import Synchronization

// For a comparison with what `annot dump` finds in the files.
if CommandLine.arguments.dropFirst() == ["--records"] {
  guard Plugin() != nil else { exit(1) }
  for record in AnnotationRegistry.shared.records { print(record.source.image, record.json, separator: "\t") }
  exit(0)
}

let shop = ShopController()
let session = ShopSession()
let told = Mutex<[GatedCallOutcome]>([])
let gate = LoginGate(session: session)

Story.scene("1. These annotations were found in this program, with no list kept anywhere:")
showAnnotations()

Story.scene("2. Nobody is logged in. Two calls are made: one to C code, one to Swift code.")
try gate.install()
Router_open("orders", 7)
shop.checkout(cart: "3 apples")
Story.tell("Neither ran; both wait at the gate.", lastPage().isEmpty && shop.sold.withLock { $0.isEmpty })
Story.tell("The login page was shown once.", session.timesAsked == 1 && gate.waitingCount == 2)

Story.scene("3. The user logs in.")
session.press(.loggedIn)
Story.tell("The C call went on by itself and opened orders/7.", lastPage() == "orders/7")
Story.tell("The Swift call went on by itself and sold 3 apples.", shop.sold.withLock { $0 == ["3 apples"] })

Story.scene("4. Now that somebody is logged in, calls go straight through.")
Router_open("invoice", 8)
Story.tell("invoice/8 opened at once.", lastPage() == "invoice/8")
Story.tell("The login page was not shown again.", session.timesAsked == 1)

Story.scene("5. A plugin is opened while the program runs; its annotations count from its first call on.")
guard let plugin = Plugin() else { exit(1) }
session.logOut()
LoginGate.withHandler({ call in told.withLock { $0.append(call.outcome) } }) { plugin.redeem(1234) }
Story.tell(
  "Logged out, its function was stopped, and the login page shown.",
  plugin.lastCard() == 0 && session.timesAsked == 2)
session.press(.cancelled)
Story.tell(
  "The user cancelled: the call was dropped, and its caller was told.",
  told.withLock { $0 == [.dropped] })
Story.tell("It never ran.", plugin.lastCard() == 0)
showAnnotations()

Story.scene("6. Advice of your own: look at the arguments before each call.")
let seen = Mutex<[CInt]>([])
let token = try InterceptionRegistry.shared.before(JoinPointName(module: "C", cls: "Router", sel: "price")) {
  invocation in
  if let item = try? invocation.argument(0, as: CInt.self) { seen.withLock { $0.append(item) } }
}
Story.tell("price(5) is still 500.", Router_price(5) == 500)
Story.tell("The advice saw item 5.", seen.withLock { $0 == [5] })
Story.tell("It is removed.", token.remove())
Story.tell(
  "price(6) is 600, and the advice saw nothing.",
  Router_price(6) == 600 && seen.withLock { $0 == [5] })

Story.scene("7. Advice over a Swift function's types, checked by the compiler: nobody gets more than 50 off.")
let limit = try InterceptionRegistry.shared.around(#joinPoint(ShopController.price(of:discount:))) {
  proceed, _, arguments in
  proceed((arguments.0, min(arguments.1, 50)))
}
Story.tell("A discount of 200 became one of 50.", shop.price(of: "pear", discount: 200) == 350)
Story.tell("It is removed.", limit.remove())
Story.tell("200 off again.", shop.price(of: "pear", discount: 200) == 200)
Story.tell("Every annotation has its join point.", InterceptionRegistry.shared.unbound.isEmpty)

print("\nAll as told.")

func lastPage() -> String { String(cString: router_last_page()) }

func showAnnotations() {
  var table = Table(["ANNOTATION", "MODULE", "CLASS", "SELECTOR", "DECLARED AT", "FOUND IN"])
  for found in AnnotationRegistry.shared.annotations(of: NeedLogin.self) {
    let target = found.annotation
    let place = "\(lastPart(of: found.file ?? "?")):\(found.line ?? 0)"
    table.add([NeedLogin.kind, target.module ?? "", target.cls, target.sel, place, lastPart(of: found.image)])
  }
  print(table)
}

func lastPart(of path: String) -> String { String(path.split(separator: "/").last ?? "") }
