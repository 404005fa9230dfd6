internal import AnnotationRecords

/// What `annot check` found as SARIF 2.1.0 (OASIS "Static Analysis Results Interchange Format").
struct SARIFLog {
  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

  let report: CheckReport

  /// The log file's text.
  func text() -> String {
    let results = report.findings.map { "\n" + result($0) }.joined(separator: ",")
    return "{\"$schema\":\"\(Self.schema)\",\"version\":\"2.1.0\",\"runs\":[{\n"
      + "\"tool\":{\"driver\":{\"name\":\"annot\",\"version\":\"\(CommandTable.version)\",\"rules\":[\(rules())\n]}},\n"
      + "\"columnKind\":\"unicodeCodePoints\",\n\"invocations\":[\(invocation())],\n"
      + "\"results\":[\(results)\(report.findings.isEmpty ? "" : "\n")]}]}\n"
  }

  private func rules() -> String {
    CheckRule.allCases.map { rule in
      "\n{\"id\":\"\(rule.rawValue)\",\"shortDescription\":{\"text\":\(quoted(rule.summary))}}"
    }.joined(separator: ",")
  }

  private func invocation() -> String {
    let notifications = report.diagnostics.unreadable.map { unreadable in
      "{\"level\":\"error\",\"message\":{\"text\":\(quoted(unreadable.reason))},"
        + "\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\(quoted(fileURI(unreadable.file)))}}}]}"
    }
    let success = report.diagnostics.unreadable.isEmpty
    return "{\"executionSuccessful\":\(success)"
      + (success ? "" : ",\"toolExecutionNotifications\":[\(notifications.joined(separator: ","))]") + "}"
  }

  private func result(_ finding: Finding) -> String {
    var message = finding.message
    if !finding.near.isEmpty { message += "; near: " + finding.near.joined(separator: ", ") }
    if let mend = finding.mend { message += ". To mend it: \(mend)" }
    let index = CheckRule.allCases.firstIndex(of: finding.rule) ?? 0
    var text = "{\"ruleId\":\"\(finding.rule.rawValue)\",\"ruleIndex\":\(index),"
    text += "\"level\":\"\(finding.level.rawValue)\",\"message\":{\"text\":\(quoted(message + "."))}"
    if let record = finding.record {
      text += ",\"locations\":[\(location(record))]"
      text += ",\"partialFingerprints\":{\"annotation/v1\":\(quoted(fingerprint(finding, record)))}"
    } else if let place = finding.place {
      text +=
        ",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\(quoted(fileURI(place.file)))}}}]"
    }
    if let related = finding.related { text += ",\"relatedLocations\":[\(location(related))]" }
    if let place = finding.place, let offset = place.offset {
      text += ",\"properties\":{\"sectionOffset\":\(offset)}"
    }
    return text + "}"
  }

  private func location(_ record: AnnotationRecord) -> String {
    let uri = quoted(fileURI(record.file ?? record.source.image))
    // A region's lines begin at 1, and GitHub shows no result that is in a file without one.
    let region = record.file == nil ? "" : ",\"region\":{\"startLine\":\(max(record.line ?? 1, 1))}"
    var text = "{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\(uri)}\(region)}"
    if record.cls != nil {
      text +=
        ",\"logicalLocations\":[{\"fullyQualifiedName\":\(quoted(record.targetName)),\"kind\":\"member\"}]"
    }
    return text + "}"
  }

  /// What stays the same when lines move.
  private func fingerprint(_ finding: Finding, _ record: AnnotationRecord) -> String {
    [finding.rule.rawValue, record.kind, record.module ?? "", record.targetName].joined(separator: "|")
  }
}

/// A path as a URI reference (RFC 3986): absolute paths with a scheme, others relative.
func fileURI(_ path: String) -> String {
  var result = path.hasPrefix("/") ? "file://" : ""
  // What stands before a colon in the first segment would be taken for a scheme.
  if !path.hasPrefix("/") && path.prefix(while: { $0 != "/" }).contains(":") { result = "./" }
  let plain = Set("-._~/!$&'()*+,;=:@".utf8)
  for byte in path.utf8 {
    let isLetterOrDigit = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    result +=
      isLetterOrDigit || plain.contains(byte)
      ? String(Unicode.Scalar(byte)) : "%" + hexadecimal(UInt32(byte), width: 2)
  }
  return result
}
