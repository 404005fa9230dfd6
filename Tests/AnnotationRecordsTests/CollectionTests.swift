import CAnnotRecords
import Testing

/// A source of numbers that is the same on every run.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64 = 1
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}

/// A record as the collection gives it.
private struct Found: Equatable {
  let text: String
  let offset: Int
}

/// The records that a collection finds in a section, and how many copies it leaves out.
private func collect(_ bytes: [UInt8]) -> (found: [Found], copies: Int, faults: Int) {
  bytes.withUnsafeBytes { raw in
    let section = annot_text(bytes: raw.baseAddress?.assumingMemoryBound(to: CChar.self), length: raw.count)
    var collection = annot_collection()
    guard annot_collect([section], 1, &collection) else { return ([], -1, -1) }
    defer { annot_collection_free(&collection) }
    let found = UnsafeBufferPointer(start: collection.records, count: collection.record_count).map {
      Found(
        text: String(decoding: UnsafeRawBufferPointer(start: $0.bytes, count: Int($0.length)), as: UTF8.self),
        offset: $0.bytes - section.bytes)
    }
    return (found, collection.duplicates, collection.fault_count + collection.unkept_faults)
  }
}

/// The members of a record that Annot reads, as text.
private func members(of record: String) -> [String] {
  Array(record.utf8CString).withUnsafeBufferPointer { bytes in
    var fields = annot_record_fields()
    guard annot_validate(bytes.baseAddress, bytes.count - 1, &fields, nil) == ANNOT_FAULT_NONE else {
      return []
    }
    let texts = [fields.kind, fields.cls, fields.sel, fields.module, fields.file]
    return texts.map { text in
      text.bytes == nil
        ? "-" : String(decoding: UnsafeRawBufferPointer(start: text.bytes, count: text.length), as: UTF8.self)
    } + ["\(fields.line)", "\(fields.is_static)"]
  }
}

@Suite("Collecting the records of a section")
struct CollectionTests {
  /// A record of members that are few, so that some are the same in all that they are sorted by.
  private func record(_ numbers: inout Numbers, files: Int) -> String {
    let lines = [
      "0", "1", "2", "4095", "4294967295", "4294967296", "9223372036854775808", "18446744073709551615",
    ]
    let texts = ["a", "b", "\\u0061", "ab", "é", ""]
    var members = ["\"kind\":\"\(["k", "l"].randomElement(using: &numbers)!)\""]
    if numbers.next() % 4 > 0 {
      members.append("\"file\":\"f\(Int.random(in: 0..<files, using: &numbers))\"")
    }
    if numbers.next() % 4 > 0 { members.append("\"line\":\(lines.randomElement(using: &numbers)!)") }
    for name in ["cls", "sel", "other"] where numbers.next() % 2 > 0 {
      members.append("\"\(name)\":\"\(texts.randomElement(using: &numbers)!)\"")
    }
    return "{\(members.joined(separator: ","))}"
  }

  @Test(
    "sorts any number of them as annot_record_order has it, and leaves the first of equal ones",
    arguments: [0, 1, 2, 15, 16, 17, 18, 100, 3000], [1, 3, 300])
  func sorts(count: Int, files: Int) {
    var numbers = Numbers(state: UInt64(count * 1000 + files))
    let records = (0..<count).map { _ in record(&numbers, files: files) }
    var (firsts, offset) = ([String: Int](), 0)
    for record in records {
      if firsts[record] == nil { firsts[record] = offset }
      offset += record.utf8.count + 1
    }
    let expected = firsts.map { Found(text: $0.key, offset: $0.value) }.sorted { isBefore($0.text, $1.text) }
    // In the order in which they are, as they are sorted already, and reversed.
    for section in [records, expected.map(\.text), expected.map(\.text).reversed()] {
      let result = collect(section.flatMap { Array($0.utf8) + [0] })
      #expect(result.found.map(\.text) == expected.map(\.text))
      #expect(result.copies == section.count - expected.count && result.faults == 0)
    }
    #expect(collect(records.flatMap { Array($0.utf8) + [0] }).found == expected)
  }

  private func isBefore(_ a: String, _ b: String) -> Bool {
    Array(a.utf8CString).withUnsafeBufferPointer { x in
      Array(b.utf8CString).withUnsafeBufferPointer { y in
        var (first, second) = (annot_record_fields(), annot_record_fields())
        _ = annot_validate(x.baseAddress, x.count - 1, &first, nil)
        _ = annot_validate(y.baseAddress, y.count - 1, &second, nil)
        return annot_record_order(
          &first, annot_text(bytes: x.baseAddress, length: x.count - 1), &second,
          annot_text(bytes: y.baseAddress, length: y.count - 1)) < 0
      }
    }
  }

  @Test("finds records of every length, one behind the other and with padding between")
  func lengths() {
    let records = (0..<300).map {
      #"{"kind":"k","line":\#($0 + 1),"x":"\#(String(repeating: "x", count: $0))"}"#
    }
    for padding in [0, 1, 63] {
      let bytes = records.flatMap { Array($0.utf8) + [UInt8](repeating: 0, count: 1 + padding) }
      #expect(collect(bytes).found.map(\.text) == records)
      // What is cut off anywhere loses its last record only.
      for cut in [bytes.count - 1 - padding, bytes.count - 100, 64, 25] {
        let result = collect(Array(bytes[..<cut]))
        let whole = bytes[..<cut].split(separator: 0, omittingEmptySubsequences: true).count
        #expect(result.found.count + result.faults == whole && result.faults <= 1)
      }
    }
  }

  @Test("reads a record with space, which takes another way, as it reads one without")
  func bothWays() {
    var numbers = Numbers()
    for _ in 0..<500 {
      let plain = record(&numbers, files: 3)
      let first = members(of: plain)
      #expect(!first.isEmpty)
      for spaced in [
        " " + plain, plain + " ", plain.replacing(",", with: " ,"), plain.replacing(",", with: ",\n"),
        plain.replacing(":", with: " : "), plain.replacing("}", with: ",\"z\":[{}]}"),
      ] { #expect(members(of: spaced) == first, "\(spaced)") }
      // A name that is there twice is found wherever the ways part.
      let twice = String(plain.dropLast()) + ",\"kind\":\"k\"}"
      #expect(members(of: twice) == [])
      #expect(members(of: twice.replacing(",", with: ", ")) == [])
    }
  }
}
