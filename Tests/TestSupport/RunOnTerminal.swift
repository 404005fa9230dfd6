@preconcurrency internal import Glibc

/// Runs a program whose standard output and error are a terminal, and waits for its end.
///
/// - Parameters:
///   - path: The program's path.
///   - arguments: Its arguments, without its name.
///   - columns: The terminal's width.
///   - environment: Variables to set in addition to this process's own, but for NO_COLOR, which is taken out.
/// - Returns: What it wrote to the terminal, with newlines alone at the ends of lines, and how it ended.
/// - Throws: ``SupportError`` when it cannot be started.
public func runOnTerminal(
  _ path: String, _ arguments: [String], columns: UInt16, environment: [String: String] = [:]
) throws -> ProcessResult {
  // What posix_openpt and its fellows do, which Swift's Glibc module does not show: pts(4), ioctl_tty(2).
  let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
  var number: Int32 = 0
  guard master >= 0, ioctl(master, 0x4004_5431, &number) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
    throw SupportError("there is no terminal to be had")
  }
  defer { close(master) }
  let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
  var size = winsize(ws_row: 25, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
  _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)

  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, terminal, 1)
  posix_spawn_file_actions_adddup2(&actions, terminal, 2)
  var process = pid_t()
  let variables = ["TERM": "xterm"].merging(environment) { $1 }
  let error = spawn(&process, path, arguments, &actions, variables, without: ["NO_COLOR"])
  close(terminal)
  if error != 0 { throw SupportError("cannot start \(path): \(String(cString: strerror(error)))") }

  var output: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  // When the last program that has the terminal open ends, reading fails with EIO.
  while true {
    let count = read(master, &buffer, buffer.count)
    if count > 0 { output += buffer[..<count] } else if count == 0 || errno != EINTR { break }
  }
  let text = String(decoding: output.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
  return ProcessResult(output: text, errors: "", status: exitStatus(of: process))
}
