import Annotations
import Glibc

/// The gift-card plugin, opened from the folder that this program is in.
struct Plugin {
  let redeem: @convention(c) (CInt) -> Void
  let lastCard: @convention(c) () -> CInt

  /// Opens the plugin, or tells why not.
  init?() {
    let path = Self.folderOfThisProgram() + "/libShopPlugin.so"
    guard let handle = dlopen(path, RTLD_NOW), let redeem = dlsym(handle, "GiftCard_redeem"),
      let lastCard = dlsym(handle, "gift_card_last")
    else {
      print("The plugin could not be opened: \(String(cString: dlerror()))")
      print("Build it first: swift build --product ShopPlugin")
      return nil
    }
    self.redeem = unsafeBitCast(redeem, to: (@convention(c) (CInt) -> Void).self)
    self.lastCard = unsafeBitCast(lastCard, to: (@convention(c) () -> CInt).self)
  }

  private static func folderOfThisProgram() -> String {
    let path = AnnotationRegistry.shared.images.first { $0.isMain }?.path ?? ""
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
