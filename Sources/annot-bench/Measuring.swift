@preconcurrency import Glibc

/// Milliseconds of a clock.
private func now(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// Measures several works side by side and gives the least time of each, in milliseconds.
///
/// They take turns, so that a busy moment of the machine meets all of them, and the least is what the work takes
/// when nothing disturbs it.
///
/// - Parameters:
///   - rounds: How often each is done.
///   - works: Each does the work once and returns what it took in milliseconds.
func least(of rounds: Int = 15, _ works: [() throws -> Double]) throws -> [Double] {
  var best = [Double](repeating: .infinity, count: works.count)
  for _ in 0..<rounds {
    for (index, work) in works.enumerated() { best[index] = min(best[index], try work()) }
  }
  return best
}

/// The processor time that work takes on this thread, in milliseconds.
func time(_ work: () throws -> Void) rethrows -> Double {
  let start = now(CLOCK_THREAD_CPUTIME_ID)
  try work()
  return now(CLOCK_THREAD_CPUTIME_ID) - start
}

/// The time that passes while work is done, in milliseconds; it means little on a busy machine.
func elapsedTime(_ work: () throws -> Void) rethrows -> Double {
  let start = now(CLOCK_MONOTONIC)
  try work()
  return now(CLOCK_MONOTONIC) - start
}

/// The processor time that a program takes from its start to its end, in milliseconds.
///
/// What it prints is dropped.
func time(program path: String, _ arguments: [String]) throws -> Double {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for descriptor: Int32 in 1...2 {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
  }
  var pointers: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
  defer { pointers.forEach { free($0) } }

  var process = pid_t()
  guard posix_spawnp(&process, path, &actions, nil, &pointers, environ) == 0 else {
    throw BenchmarkError(message: "\(path) cannot be started")
  }
  var (status, usage): (Int32, rusage) = (0, rusage())
  while wait4(process, &status, 0, &usage) < 0 && errno == EINTR {}
  guard status == 0 else {
    throw BenchmarkError(message: "\(path) \(arguments.joined(separator: " ")) failed")
  }
  return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
}

private func milliseconds(_ time: timeval) -> Double {
  Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3
}
