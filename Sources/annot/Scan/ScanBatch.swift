internal import AnnotationRecords
@preconcurrency import Glibc

/// What became of an entry of a tree.
enum ScanOutcome: Sendable {
  /// It is a file no more.
  case gone
  /// A regular file that has no annotations by its nature.
  case other
  case elf(ELFAnnotations)
  /// An ELF file or archive that could not be read.
  case failed(AnnotationError)
  /// Something that could not be opened, and the error's number.
  case unreadable(Int32)
}

/// Some entries of a tree, in their order, which one thread reads.
///
/// Unchecked: filled by the walking thread, then only touched by the thread that reads it, and again by the walking
/// thread when that is done. ``ScanPool`` hands it over under its lock.
final class ScanBatch: @unchecked Sendable {
  struct Entry {
    /// Nil for what the walk could not read.
    let file: TreeFile?
    let path: [UInt8]
    var outcome: ScanOutcome
  }

  /// The most entries: enough to make handing it over cheap.
  private static let entryLimit = 256
  /// The most directories, which stay open until the batch is read.
  private static let directoryLimit = 32

  fileprivate(set) var entries: [Entry] = []
  /// Guarded by the pool's lock.
  fileprivate(set) var isDone = false
  private var directories = 0
  private var lastDirectory: TreeDirectory?

  /// Whether it should be read before more is added.
  var isFull: Bool { entries.count >= Self.entryLimit || directories >= Self.directoryLimit }

  /// Adds what a walk met.
  func add(_ event: TreeEvent) {
    switch event {
    case .file(let file):
      if file.directory !== lastDirectory { directories += 1 }
      lastDirectory = file.directory
      entries.append(Entry(file: file, path: [], outcome: .other))
    case .unreadable(let path, let error):
      entries.append(Entry(file: nil, path: path, outcome: .unreadable(error)))
    }
  }

  /// Reads the files.
  fileprivate func read(_ options: ELFAnnotations.Options) {
    for index in entries.indices {
      guard let file = entries[index].file else { continue }
      let outcome = Self.read(file, options)
      // The path is only made for what is shown, and the directory is let go.
      if case .other = outcome {
        entries[index] = Entry(file: nil, path: [], outcome: .other)
      } else {
        entries[index] = Entry(file: nil, path: file.path, outcome: outcome)
      }
    }
    lastDirectory = nil
  }

  private static func read(_ file: TreeFile, _ options: ELFAnnotations.Options) -> ScanOutcome {
    let descriptor = file.open()
    if descriptor < 0 { return errno == ELOOP || errno == ENOENT ? .gone : .unreadable(errno) }
    defer { close(descriptor) }
    switch FileContent(descriptor) {
    case nil: return .unreadable(errno)
    // The members of a thin archive are files of their own, which the walk meets where they are.
    case .other?, .thinArchive?: return .other
    case .elf?, .archive?: break
    }
    do {
      let name = String(decoding: file.path, as: UTF8.self)
      return .elf(try ELFAnnotations(descriptor: descriptor, name: name, options: options))
    } catch {
      return .failed(error)
    }
  }
}

/// Threads that read batches.
final class ScanPool: @unchecked Sendable {
  // Unchecked: all that changes is guarded by the lock.

  private let options: ELFAnnotations.Options
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let submitted = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let done = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var awaited: ScanBatch?
  private var waiting: [ScanBatch] = []
  private var isClosed = false
  private var threads: [pthread_t] = []

  /// - Parameter threadCount: How many threads to start; when none can be, batches are read by the caller.
  init(threadCount: Int, options: ELFAnnotations.Options) {
    self.options = options
    pthread_mutex_init(lock, nil)
    pthread_cond_init(submitted, nil)
    pthread_cond_init(done, nil)
    for _ in 0..<threadCount {
      var thread = pthread_t()
      let me = Unmanaged.passUnretained(self).toOpaque()
      let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        Unmanaged<ScanPool>.fromOpaque(context!).takeUnretainedValue().work()
        return nil
      }
      if pthread_create(&thread, nil, body, me) == 0 { threads.append(thread) }
    }
  }

  deinit {
    pthread_cond_destroy(submitted)
    pthread_cond_destroy(done)
    pthread_mutex_destroy(lock)
    submitted.deallocate()
    done.deallocate()
    lock.deallocate()
  }

  /// Has a batch read.
  func submit(_ batch: ScanBatch) {
    if threads.isEmpty {
      batch.read(options)
      batch.isDone = true
      return
    }
    locked {
      waiting.append(batch)
      pthread_cond_signal(submitted)
    }
  }

  /// Waits until a batch was read.
  func wait(for batch: ScanBatch) {
    locked {
      awaited = batch
      while !batch.isDone { pthread_cond_wait(done, lock) }
      awaited = nil
    }
  }

  /// Ends the threads when all batches were read.
  func close() {
    locked {
      isClosed = true
      pthread_cond_broadcast(submitted)
    }
    for thread in threads { pthread_join(thread, nil) }
    threads = []
  }

  private func locked<R>(_ body: () -> R) -> R {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }

  private func work() {
    while let batch = next() {
      batch.read(options)
      locked {
        batch.isDone = true
        if awaited === batch { pthread_cond_signal(done) }
      }
    }
  }

  private func next() -> ScanBatch? {
    locked {
      while waiting.isEmpty && !isClosed { pthread_cond_wait(submitted, lock) }
      return waiting.isEmpty ? nil : waiting.removeFirst()
    }
  }
}
