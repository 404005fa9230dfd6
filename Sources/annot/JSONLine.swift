internal import AnnotationRecords

/// The lines of `--format jsonl`.
///
/// The schema is in docs/cli.md; members are only added within a version.
struct JSONLine {
  private static let version = 1
  private let file: String
  /// The line up to the offset, which is the same for all records of a source.
  private var beginning: [UInt8] = []
  private var source: AnnotationSource?

  /// - Parameter file: The path of the file that the records are of.
  init(file: String) { self.file = quoted(file) }

  /// Writes a record's line.
  mutating func write(_ record: AnnotationRecord, to output: inout Output) {
    if record.source !== source { begin(record.source) }
    let offset = record.offset
    let isPrintable = record.isPrintable
    beginning.withUnsafeBytes { beginning in
      func put(_ json: UnsafeRawBufferPointer) {
        output.write(beginning, offset, ",\"record\":", json, "}\n")
      }
      record.withJSON {
        let json = UnsafeRawBufferPointer($0)
        if isPrintable { return put(json) }
        var text = respelled(json)
        if LoneSurrogates.mayBe(in: json) {
          LoneSurrogates.replaced(in: Array(text.utf8)).withUnsafeBytes(put)
        } else {
          text.withUTF8 { put(UnsafeRawBufferPointer($0)) }
        }
      }
    }
  }

  private mutating func begin(_ source: AnnotationSource) {
    self.source = source
    let member = source.member.map { ",\"member\":\(quoted($0))" } ?? ""
    let section = quoted(source.section)
    beginning = Array(
      "{\"version\":\(Self.version),\"file\":\(file)\(member),\"section\":\(section),\"offset\":".utf8)
  }
}

/// JSON on one line and without characters that steer a terminal; in JSON both are matters of spelling.
func respelled(_ json: UnsafeRawBufferPointer) -> String {
  var result = ""
  var scanner = UTF8Scanner(json)
  while case .scalar(let scalar)? = scanner.next() {
    // Outside strings only white space can be of this kind.
    if scalar == "\n" || scalar == "\r" || scalar == "\t" {
      result += " "
    } else if steersTerminal(scalar) {
      result += jsonEscape(scalar)
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// A JSON string.
func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case _ where steersTerminal(scalar): result += jsonEscape(scalar)
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

private func jsonEscape(_ scalar: Unicode.Scalar) -> String {
  scalar.utf16.map { "\\u" + hexadecimal(UInt32($0), width: 4) }.joined()
}
