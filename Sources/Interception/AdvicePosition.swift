internal import CAnnot

/// When advice runs, in relation to the original code.
@frozen
public enum AdvicePosition: Sendable, Hashable {
  /// Before it.
  case before
  /// In its place; may proceed to it.
  case around
  /// After it, whether or not it ran, returned or threw.
  case after

  var c: annot_position {
    switch self {
    case .before: ANNOT_BEFORE
    case .around: ANNOT_AROUND
    case .after: ANNOT_AFTER
    }
  }
}
