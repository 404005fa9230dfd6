import Interception
import Synchronization

/// The shop's controller, in Swift: its checkout is a join point.
final class ShopController: Sendable {
  let sold = Mutex<[String]>([])

  private static let checkoutPoint = JoinPoint(cls: "ShopController", sel: "checkout(cart:)") {
    (shop: ShopController, cart: String) in shop.sold.withLock { $0.append(cart) }
  }

  /// Sells what is in the cart.
  func checkout(cart: String) { Self.checkoutPoint(self, cart) }
}
