@preconcurrency import Glibc

/// What LLVM's XRay costs a call, the other way to be told of calls without changing their code.
enum XRaySection: BenchmarkSection {
  static let name = "xray"
  static let title = "One call of a function with XRay's sleds, which tell of calls but cannot change them"
  static let unit = "ns"

  private static let program = """
    #include <stdint.h>
    #include <stdio.h>
    #include <time.h>

    // The toolchain's own header of these is for C++ only.
    int __xray_set_handler(void (*handler)(int32_t function, int type));
    int __xray_patch(void);

    __attribute__((noinline, xray_never_instrument)) static int64_t plain(int64_t a, int64_t b) {
      __asm__ volatile("");
      return a ^ b;
    }
    __attribute__((noinline, xray_always_instrument)) static int64_t sleds(int64_t a, int64_t b) {
      __asm__ volatile("");
      return a ^ b;
    }
    __attribute__((xray_never_instrument)) static void handle(int32_t function, int type) {
      (void)function;
      (void)type;
    }
    __attribute__((xray_never_instrument)) static double once(int64_t (*volatile f)(int64_t, int64_t)) {
      struct timespec from, to;
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
      for (int64_t i = 0; i < 200000; i++) f(i, 3);
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
      return ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / 200000;
    }
    __attribute__((xray_never_instrument)) static double least(int64_t (*f)(int64_t, int64_t)) {
      double best = 1e9;
      for (int i = 0; i < 25; i++) {
        double time = once(f);
        if (time < best) best = time;
      }
      return best;
    }
    __attribute__((xray_never_instrument)) int main(int count, char **arguments) {
      FILE *file = fopen(arguments[count - 1], "w");
      if (!file) return 1;
      double idle = least(sleds);
      __xray_set_handler(handle);
      if (__xray_patch() != 1) return 2;
      fprintf(file, "%f %f %f", least(plain), idle, least(sleds));
      return fclose(file);
    }
    """

  static func run(in directory: WorkDirectory) throws -> [Comparison] {
    guard let clang = toolchainClang() else {
      throw BenchmarkError(message: "the Swift toolchain's clang is not there")
    }
    let source = try directory.write(program, to: "xray.c")
    let binary = "\(directory.path)/xray"
    let result = "\(directory.path)/xray.txt"
    _ = try time(program: clang, ["-O2", "-fxray-instrument", source, "-o", binary])
    _ = try time(program: binary, [result])
    let times = try numbers(in: result)
    guard times.count == 3 else { throw BenchmarkError(message: "the XRay program measured nothing") }
    return [("idle", times[1]), ("patched, a handler that does nothing", times[2])].map {
      Comparison(
        work: "C function with sleds, \($0.0)", reference: "plain C call", time: $0.1,
        referenceTime: times[0],
        budget: nil)
    }
  }

  /// The clang beside the swiftc that is found first.
  private static func toolchainClang() -> String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    for folder in path.split(separator: ":") {
      guard let swiftc = realpath("\(folder)/swiftc", nil) else { continue }
      defer { free(swiftc) }
      let clang =
        String(cString: swiftc).split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/clang"
      return access(clang, X_OK) == 0 ? clang : nil
    }
    return nil
  }

  private static func numbers(in path: String) throws -> [Double] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 200)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ").compactMap { Double($0) }
  }
}
