public import Interception

/// A class of another module than its tests.
open class OtherModuleClerk {
  /// Makes a clerk.
  public init() {}

  /// Gives back what it takes.
  @JoinPoint public func take(_ n: Int) -> Int { n }
}
