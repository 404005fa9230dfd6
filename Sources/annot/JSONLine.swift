internal import AnnotationRecords

/// The lines of `--format jsonl`. The schema is in docs/cli.md; members are only added within a version.
struct JSONLine {
  private static let version = 1
  private let file: String

  /// - Parameter file: The path of the file that the records are of.
  init(file: String) { self.file = quoted(file) }

  /// Writes a record's line.
  func write(_ record: AnnotationRecord, to output: inout Output) {
    output.write("{\"version\":\(Self.version),\"file\":")
    output.write(file)
    if let member = record.source.member {
      output.write(",\"member\":")
      output.write(quoted(member))
    }
    output.write(",\"section\":")
    output.write(quoted(record.source.section))
    output.write(",\"offset\":\(record.offset),\"record\":")
    record.withJSON { writeJSON(UnsafeRawBufferPointer($0), to: &output) }
    output.write("}\n")
  }
}

/// Writes JSON on one line and without characters that steer a terminal; in JSON both are matters of spelling.
private func writeJSON(_ json: UnsafeRawBufferPointer, to output: inout Output) {
  if json.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
    output.write(json)
    return
  }
  var spelled = ""
  var scanner = UTF8Scanner(json)
  while case .scalar(let scalar)? = scanner.next() {
    // Outside strings only white space can be of this kind.
    if scalar == "\n" || scalar == "\r" || scalar == "\t" { spelled += " " }
    else if steersTerminal(scalar) { spelled += jsonEscape(scalar) }
    else { spelled.unicodeScalars.append(scalar) }
  }
  output.write(spelled)
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
