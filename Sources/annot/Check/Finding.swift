internal import AnnotationRecords

/// Something that `annot check` found.
struct Finding {
  /// How much it matters; only errors and warnings count for the exit status.
  enum Level: String {
    case error, warning, note
  }

  /// The file that a finding is about when it is about no sound record.
  struct Place {
    let file: String
    var member: String?
    var section: String?
    var offset: UInt64?
  }

  let rule: CheckRule
  var level = Level.error
  /// What is wrong, in one sentence without a full stop; text from files in it is not escaped yet.
  let message: String
  /// What to do about it.
  var mend: String?
  /// Names that may have been meant.
  var near: [String] = []
  var record: AnnotationRecord?
  /// Another record that has to do with it.
  var related: AnnotationRecord?
  var place: Place?
}
