import Aspects
import Synchronization

/// The shop's controller, in Swift: its checkout waits for a login.
final class ShopController: Sendable {
  let sold = Mutex<[String]>([])

  /// Sells what is in the cart.
  @NeedLogin func checkout(cart: String) { sold.withLock { $0.append(cart) } }

  /// What a cart costs, in cents.
  @JoinPoint func price(of cart: String, discount: Int) -> Int { cart.utf8.count * 100 - discount }
}
