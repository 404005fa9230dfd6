internal import CAnnotRecords

/// Makes Swift's values of what the C reader found in a file.
struct SectionReader {
  private let name: String
  private let file: OpenedFile
  private let sources: [AnnotationSource]
  private let contents: [annot_text]

  init(name: String, file: OpenedFile) {
    self.name = name
    self.file = file
    contents = file.contents
    // Object files can have a section for each record; those of one member share a source.
    var sources: [AnnotationSource] = []
    sources.reserveCapacity(file.sectionCount)
    for index in 0..<file.sectionCount {
      let member = file.member(ofSection: index)
      if let last = sources.last, last.member == member {
        sources.append(last)
      } else {
        sources.append(AnnotationSource(image: name, member: member, section: file.section, owner: file))
      }
    }
    self.sources = sources
  }

  func records(of collection: annot_collection) -> [AnnotationRecord] {
    (0..<collection.record_count).map {
      let found = UnsafePointer(collection.records + $0)
      let section = Int(found.pointee.section)
      let offset = found.pointee.bytes - contents[section].bytes
      return AnnotationRecord(found: found, source: sources[section], offset: UInt64(offset))
    }
  }

  /// What the reader has to say about the file and its sections.
  func notes() -> [AnnotationDiagnostic] {
    file.notes.map {
      AnnotationDiagnostic(
        severity: $0.code == ANNOT_ERROR_NONE ? .note : .unreadable, image: name,
        member: $0.member.map { String(cString: $0) }, offset: $0.offset == 0 ? nil : $0.offset,
        reason: String(cString: $0.text))
    }
  }

  /// The runs of bytes that are no records.
  func faults(of collection: annot_collection) -> [AnnotationDiagnostic] {
    var faults = UnsafeBufferPointer(start: collection.faults, count: collection.fault_count).map {
      let source = sources[Int($0.section)]
      return AnnotationDiagnostic(
        severity: .malformedRecord, image: name, member: source.member, section: file.section,
        offset: $0.offset, reason: reason($0))
    }
    if collection.unkept_faults > 0 {
      faults.append(
        AnnotationDiagnostic(
          severity: .malformedRecord, image: name, section: file.section,
          reason: "\(collection.unkept_faults) more malformed records"))
    }
    return faults
  }

  private func reason(_ fault: annot_found_fault) -> String {
    let text = "malformed record: \(String(cString: annot_fault_text(fault.fault)))"
    switch fault.fault {
    case ANNOT_FAULT_NOT_UTF8, ANNOT_FAULT_NOT_JSON, ANNOT_FAULT_TOO_DEEP, ANNOT_FAULT_DUPLICATE_MEMBER,
      ANNOT_FAULT_OVER_DEPTH_LIMIT:
      return "\(text), at byte \(fault.where) of it"
    default:
      return text
    }
  }
}
