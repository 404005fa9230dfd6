internal import CAnnot

/// A Swift handle on the engine's advice list of one call.
final class AdviceList: @unchecked Sendable {
  // The list is immutable and counted atomically.
  private let list: OpaquePointer
  /// The number of entries.
  let count: Int

  /// Takes over the reference that the engine gave.
  init(_ list: OpaquePointer) {
    self.list = list
    count = annot_advice_list_count(list)
  }

  deinit { annot_advice_list_release(list) }

  /// The bounds of the level that begins with entry `first`.
  func level(_ first: Int) -> (beforeEnd: Int, aroundEnd: Int, end: Int) {
    let level = annot_advice_list_level(list, first)
    return (level.before_end, level.around_end, level.end)
  }

  /// The advice at `index` if it is to run now, nil when it was for one call and has run.
  func begin(_ index: Int) -> Advice? {
    guard annot_advice_list_begin(list, index) else { return nil }
    return Advice.from(annot_advice_list_entry(list, index).context)
  }
}
