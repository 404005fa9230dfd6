@preconcurrency import Glibc

/// A semaphore, for a thread that waits for a task.
final class Semaphore: @unchecked Sendable {
  // POSIX semaphores are thread-safe.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }
  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }
  func signal() { sem_post(semaphore) }
  func wait() { while sem_wait(semaphore) != 0 {} }
}
