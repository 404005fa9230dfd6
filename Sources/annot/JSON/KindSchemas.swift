@preconcurrency import Glibc

/// The schemas of kinds, as a file has them: one JSON Schema for each kind, under `$defs` by the kind's name.
struct KindSchemas {
  private var schemas: [String: Schema] = [:]

  /// Why a file cannot be used, as a message for people.
  struct Problem: Error {
    let message: String
  }

  /// No schemas.
  init() {}

  /// Reads a file.
  ///
  /// - Parameter path: NUL-terminated.
  init(path: UnsafePointer<CChar>) throws(Problem) {
    let shown = escaped(UnsafeRawBufferPointer(start: path, count: strlen(path)))
    guard let bytes = readFile(path, limit: 16 << 20) else {
      throw Problem(message: "\(shown): cannot be read: \(String(cString: strerror(errno)))")
    }
    let document: JSONValue
    do { document = try JSONParser.parse(bytes) } catch {
      throw Problem(
        message: "\(shown): line \(error.line), column \(error.column): not JSON: \(escaped(error.reason))")
    }
    guard case .object(let members)? = document["$defs"] else {
      throw Problem(
        message: "\(shown): the schemas are looked for in an object '$defs', by the names of kinds")
    }
    do throws(Schema.Problem) {
      for member in members { schemas[member.name] = try Schema(member.value, at: "#/$defs/\(member.name)") }
    } catch {
      throw Problem(message: "\(shown): \(escaped(error.path)): \(escaped(error.reason))")
    }
  }

  /// The kinds that there is a schema for.
  var kinds: [String] { schemas.keys.sorted() }

  /// The schema of a kind.
  subscript(_ kind: String) -> Schema? { schemas[kind] }
}

/// The bytes of a file; nil, with errno set, when it cannot be read or is longer than the limit.
func readFile(_ path: UnsafePointer<CChar>, limit: Int) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count == 0 { return bytes }
    if count < 0 && errno != EINTR { return nil }
    if count > 0 { bytes += buffer[..<count] }
    if bytes.count > limit {
      errno = EFBIG
      return nil
    }
  }
}
