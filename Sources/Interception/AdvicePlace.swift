/// Where a call goes on inside around advice.
@usableFromInline
struct AdvicePlace {
  /// The next around advice of the level to run.
  @usableFromInline var around: Int
  /// Behind the level's last around advice.
  @usableFromInline let aroundEnd: Int
  /// The first entry of the level enclosed by this one.
  @usableFromInline let nextLevel: Int

  @inlinable
  init(around: Int, aroundEnd: Int, nextLevel: Int) {
    self.around = around
    self.aroundEnd = aroundEnd
    self.nextLevel = nextLevel
  }
}
