import Glibc

/// Runs `body` on `count` threads at once, with each thread's number, and waits for all.
public func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  final class Work: Sendable {
    let index: Int
    let body: @Sendable (Int) -> Void
    init(_ index: Int, _ body: @escaping @Sendable (Int) -> Void) {
      self.index = index
      self.body = body
    }
  }
  let threads = (0..<count).map { index in
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(index, body))
    let status = pthread_create(
      &thread, nil,
      { context in
        let work = Unmanaged<Work>.fromOpaque(context!).takeRetainedValue()
        work.body(work.index)
        return nil
      }, work.toOpaque())
    precondition(status == 0, "pthread_create failed: \(status)")
    return thread
  }
  for thread in threads { pthread_join(thread, nil) }
}
