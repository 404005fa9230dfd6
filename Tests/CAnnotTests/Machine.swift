import Glibc

/// The machine that the programs of these tests are for: this one, or another that an emulator of its user mode
/// shows, as `scripts/qemu-tests` has it.
enum Machine {
  /// The compiler and its words, from `ANNOT_TEST_CC`.
  static let compiler = variable("ANNOT_TEST_CC") ?? "gcc"
  /// The emulator and its words, from `ANNOT_TEST_EMULATOR`; nil for this machine.
  static let emulator = variable("ANNOT_TEST_EMULATOR")

  /// Whether the programs are for another machine; sanitizers and musl are not there then.
  static var isForeign: Bool { emulator != nil }

  /// The shell's words that start a program.
  ///
  /// - Parameters:
  ///   - path: of the program.
  ///   - library: one to load before all others, which the emulator must not load itself.
  static func start(_ path: String, preloading library: String? = nil) -> String {
    guard let emulator else { return "\(library.map { "LD_PRELOAD='\($0)' " } ?? "")'\(path)'" }
    return "\(emulator) \(library.map { "-E LD_PRELOAD='\($0)' " } ?? "")'\(path)'"
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
