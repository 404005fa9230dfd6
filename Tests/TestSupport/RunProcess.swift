@preconcurrency internal import Glibc

/// What a program that ended left behind.
public struct ProcessResult: Sendable {
  /// What it wrote to standard output.
  public let output: String
  /// What it wrote to standard error.
  public let errors: String
  /// Its exit status; for a death by signal, 128 and the signal's number, as a shell has it.
  public let status: Int32

  /// Creates a result.
  public init(output: String, errors: String, status: Int32) {
    self.output = output
    self.errors = errors
    self.status = status
  }
}

/// Where a program's standard output goes.
public enum OutputTarget: Sendable {
  /// To the result.
  case captured
  /// To a file, opened for writing.
  case file(String)
  /// Nowhere: the descriptor is closed.
  case closed
}

/// Runs a program and waits for its end.
///
/// - Parameters:
///   - path: The program's path.
///   - arguments: Its arguments, without its name.
///   - input: What it reads from standard input.
///   - output: Where its standard output goes.
///   - environment: Variables to set in addition to this process's own.
/// - Returns: What it wrote and how it ended.
/// - Throws: ``SupportError`` when it cannot be started.
public func run(
  _ path: String, _ arguments: [String] = [], input: [UInt8] = [], output: OutputTarget = .captured,
  environment: [String: String] = [:]
) throws -> ProcessResult {
  // Files and not pipes: nothing can block, however much is written.
  let directory = try TemporaryDirectory()
  let inputPath = try directory.write(input, to: "stdin")
  let outputPath = try directory.write([], to: "stdout")
  let errorPath = try directory.write([], to: "stderr")

  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, inputPath, O_RDONLY, 0)
  posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY, 0)
  switch output {
  case .captured: posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY, 0)
  case .file(let path): posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY, 0)
  case .closed: posix_spawn_file_actions_addclose(&actions, 1)
  }

  var process = pid_t()
  let error = spawn(&process, path, arguments, &actions, environment)
  if error != 0 { throw SupportError("cannot start \(path): \(String(cString: strerror(error)))") }
  let status = exitStatus(of: process)
  return ProcessResult(
    output: try text(ofFile: outputPath), errors: try text(ofFile: errorPath), status: status)
}

/// Starts a program; returns 0 or an error's number.
///
/// - Parameters:
///   - environment: Variables to set in addition to this process's own.
///   - without: Variables of this process's to leave out unless they are set.
func spawn(
  _ process: inout pid_t, _ path: String, _ arguments: [String], _ actions: inout posix_spawn_file_actions_t,
  _ environment: [String: String], without: Set<String> = []
) -> Int32 {
  // Signals that this process blocks, such as that for the end of a child, would be blocked in the program too.
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

  let own = currentEnvironment().filter { !without.contains($0.key) }
  let variables = own.merging(environment) { $1 }.map { "\($0)=\($1)" }
  return withCStrings([path] + arguments) { arguments in
    withCStrings(variables) { posix_spawn(&process, path, &actions, &attributes, arguments, $0) }
  }
}

/// Waits for a program's end; returns its exit status, or 128 and the signal's number.
func exitStatus(of process: pid_t) -> Int32 {
  var status: Int32 = 0
  while waitpid(process, &status, 0) < 0 && errno == EINTR {}
  let signal = status & 0x7F
  return signal == 0 ? status >> 8 & 0xFF : 128 + signal
}

private func currentEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  var entry = environ
  while let variable = entry.pointee {
    let text = String(cString: variable)
    if let equals = text.firstIndex(of: "=") {
      result[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
    entry += 1
  }
  return result
}

/// Calls a closure with a null-terminated array of C strings.
private func withCStrings<R>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
  let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
  defer { copies.forEach { free($0) } }
  return body(copies + [nil])
}
