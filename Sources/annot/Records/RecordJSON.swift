internal import AnnotationRecords

/// A record's JSON text fit for output: on one line, with nothing that steers a terminal, read by every reader.
///
/// - Parameter withSource: Whether it keeps the members `file` and `line`.
func recordJSON(_ record: AnnotationRecord, withSource: Bool) -> [UInt8] {
  let json = withSource ? record.withJSON { Array(UnsafeRawBufferPointer($0)) } : jsonWithoutSource(record)
  return json.withUnsafeBytes { bytes in
    let isPlain = record.isPrintable
    if LoneSurrogates.mayBe(in: bytes) {
      return LoneSurrogates.replaced(in: isPlain ? json : Array(respelled(bytes).utf8))
    }
    return isPlain ? json : Array(respelled(bytes).utf8)
  }
}

/// The record's text with the members `file` and `line` left out.
func jsonWithoutSource(_ record: AnnotationRecord) -> [UInt8] {
  var result: [UInt8] = [UInt8(ascii: "{")]
  record.forEachMember { member in
    if ["file", "line"].contains(member.name) { return true }
    if result.count > 1 { result.append(UInt8(ascii: ",")) }
    result.append(UInt8(ascii: "\""))
    result += member.spelledName
    result += Array("\":".utf8)
    result += member.value
    return true
  }
  return result + [UInt8(ascii: "}")]
}

/// The members that say where a record is, as JSON without braces: `"file":…,"section":…,"offset":…`.
func placeJSON(of record: AnnotationRecord) -> String {
  let source = record.source
  let member = source.member.map { ",\"member\":\(quoted($0))" } ?? ""
  return
    "\"file\":\(quoted(source.image))\(member),\"section\":\(quoted(source.section)),\"offset\":\(record.offset)"
}
