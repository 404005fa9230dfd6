internal import BenchmarkBaselines
internal import CAnnot
internal import Interception
internal import Synchronization

/// What a call costs: not advised, and with advice of every position and number.
enum CallSection: BenchmarkSection {
  static let name = "calls"
  static let title = "One call, against the same call without a join point"
  static let unit = "ns"

  static func run(in directory: WorkDirectory) throws -> [Comparison] {
    try unadvised() + advisedC() + advisedSwift() + dynamic() + several()
  }

  private static let count = 200_000
  private static let registry = InterceptionRegistry.shared

  /// Times works in turn; each gets what to call it `count` times.
  private static func compare(
    _ works: [(
      name: String, reference: String, budget: Double?, work: () throws -> Double, base: () throws -> Double
    )]
  ) throws -> [Comparison] {
    let times = try least(of: 25, works.flatMap { [$0.work, $0.base] })
    return works.enumerated().map { index, it in
      // Milliseconds of `count` calls, shown as nanoseconds of one.
      let scale = 1e6 / Double(count)
      return Comparison(
        work: it.name, reference: it.reference, time: times[2 * index] * scale,
        referenceTime: times[2 * index + 1] * scale, budget: it.budget)
    }
  }

  private static func timeC(_ function: @escaping @convention(c) (Int64, Int64) -> Int64) -> () throws ->
    Double
  {
    { Double(baseline_time(function, Int64(count))) / 1e6 }
  }

  private static func loop(_ body: (Int) throws -> Int) throws -> Double {
    var sum = 0
    let time = try time { for index in 0..<count { sum &+= try body(index) } }
    if sum == .min { print(sum) }
    return time
  }

  private static func plain(_ bench: Bench) -> () throws -> Double {
    { try loop { bench.plain($0, 3) } }
  }
  private static func woven(_ bench: Bench) -> () throws -> Double {
    { try loop { bench.woven($0, 3) } }
  }

  private static func unadvised() throws -> [Comparison] {
    let bench = Bench()
    let plainC = timeC(baseline_plain)
    return try compare([
      ("C, function pointer", "plain C call", nil, timeC(baseline_pointer), plainC),
      ("C join point, not advised", "plain C call", 1.05, timeC(baseline_joinpoint), plainC),
      ("Swift method, not advised", "plain method", 1.05, woven(bench), plain(bench)),
      (
        "Swift static method, not advised", "plain static method", 1.05,
        { try loop { Bench.wovenStatic($0, 3) } }, { try loop { Bench.plainStatic($0, 3) } }
      ),
      (
        "Swift generic method, not advised", "plain generic method", 1.05,
        { try loop { bench.wovenGeneric($0, 3) } }, { try loop { bench.plainGeneric($0, 3) } }
      ),
      (
        "Swift throwing method, not advised", "plain throwing method", 1.05,
        { try loop { try bench.wovenThrowing($0, 3) } }, { try loop { try bench.plainThrowing($0, 3) } }
      ),
      (
        "Swift async method, not advised", "plain async method", 1.05,
        { try waiting { await bench.wovenAsync($0, 3) } }, { try waiting { await bench.plainAsync($0, 3) } }
      ),
      (
        "Swift method by hand, not advised", "plain method", nil, { try loop { bench.byHand($0, 3) } },
        plain(bench)
      ),
    ])
  }

  private static func advisedC() throws -> [Comparison] {
    let plainC = timeC(baseline_plain)
    func with(_ position: annot_position, _ name: String, _ budget: Double?) throws -> [Comparison] {
      let id = baseline_advise(Int32(position.rawValue))
      defer { annot_unadvise(id) }
      return try compare([(name, "plain C call", budget, timeC(baseline_joinpoint), plainC)])
    }
    return try with(ANNOT_BEFORE, "C join point, C before", nil)
      + with(ANNOT_AROUND, "C join point, C around that proceeds", nil)
      + with(ANNOT_AFTER, "C join point, C after", nil)
  }

  /// Compares a call while advice is there.
  private static func advised(
    _ requests: [AdviceRequest], _ name: String, _ budget: Double?, _ work: @escaping () throws -> Double,
    _ reference: String, _ base: @escaping () throws -> Double
  ) throws -> [Comparison] {
    let tokens = try registry.add(requests)
    defer { for token in tokens { token.remove() } }
    return try compare([(name, reference, budget, work, base)])
  }

  private static func advisedSwift() throws -> [Comparison] {
    let bench = Bench()
    let key = #joinPoint(Bench.woven(_:_:))
    let cKey = joinPointKey("C.Bench.add", on: Int64.self, taking: Int64.self, returning: Int64.self)
    return try advised(
      [.before(key) { _, a, _ in consume(a) }], "Swift method, typed before", 8, woven(bench), "plain method",
      plain(bench))
      + advised(
        [.around(key) { proceed, _, arguments in proceed(arguments) }], "Swift method, typed around", 18,
        woven(bench), "plain method", plain(bench))
      + advised(
        [.afterReturning(key) { result, _, _, _ in consume(result) }], "Swift method, typed after", nil,
        woven(bench), "plain method", plain(bench))
      + advised(
        [.before(cKey) { a, _ in consume(Int(a)) }], "C join point, typed Swift before", nil,
        timeC(baseline_joinpoint), "plain C call", timeC(baseline_plain))
  }

  private static func dynamic() throws -> [Comparison] {
    guard baseline_make_closure() else {
      print("libffi is not installed: left out\n")
      return []
    }
    let bench = Bench()
    let ffi = timeC(baseline_closure)
    let pointcut: Pointcut = "Bench.woven(_:_:)"
    return try advised(
      [.dynamic(.before, pointcut) { _ in }], "Swift method, dynamic before that reads nothing", 0.5,
      woven(bench), "libffi closure and ffi_call", ffi)
      + advised(
        [.dynamic(.before, pointcut) { consume($0[0] as? Int ?? 0) }],
        "Swift method, dynamic before that reads one argument as Any", 1.5, woven(bench),
        "libffi closure and ffi_call", ffi)
      + advised(
        [.dynamic(.before, pointcut) { consume(try $0.argument(0, as: Int.self)) }],
        "Swift method, dynamic before that reads one argument as its type", nil, woven(bench),
        "libffi closure and ffi_call", ffi)
      + advised(
        [.dynamic(.around, pointcut) { try $0.proceed() }], "Swift method, dynamic around", nil, woven(bench),
        "libffi closure and ffi_call", ffi)
      + advised(
        [.dynamic(.before, "C.Bench.add") { _ in }], "C join point, dynamic Swift before that reads nothing",
        0.5,
        timeC(baseline_joinpoint), "libffi closure and ffi_call", ffi)
  }

  private static func several() throws -> [Comparison] {
    let bench = Bench()
    let key = #joinPoint(Bench.woven(_:_:))
    return try [2, 4, 8].flatMap { number in
      try advised(
        (0..<number).map { _ in .before(key) { _, a, _ in consume(a) } },
        "Swift method, \(number) typed before", nil,
        woven(bench), "plain method", plain(bench))
    }
  }

  /// The same for async calls, all of them in one task.
  private static func waiting(_ body: @escaping @Sendable (Int) async -> Int) throws -> Double {
    let result = Mutex(0.0)
    let done = Semaphore()
    Task.detached {
      var sum = 0
      let start = baseline_now()
      for index in 0..<count { sum &+= await body(index) }
      let end = baseline_now()
      if sum == .min { print(sum) }
      result.withLock { $0 = Double(end - start) / 1e6 }
      done.signal()
    }
    done.wait()
    return result.withLock { $0 }
  }
}

/// Keeps a value from being optimised away.
@inline(never) private func consume(_ value: Int) {}
