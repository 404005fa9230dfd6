import Testing

/// A workshop with a library `libthing.so` and Tests/RuntimePrograms/shims.c, which advises a function of it.
struct ShimProgram {
  let workshop: Workshop

  /// The library's code.
  static let thing = """
    int thing_add(int a, int b) { return a + b; }
    int thing_twice(int a) { return thing_add(a, a); }
    """
  /// A library's that calls the function.
  static let caller = """
    int thing_add(int, int);
    int plug_add(int a, int b) { return thing_add(a, b); }
    """

  init(thing: String = thing, flags: String = "") throws {
    workshop = try Workshop()
    try library("thing", thing, flags: flags)
  }

  /// Builds a library `libNAME.so`, without Annot's runtime, and returns its path.
  @discardableResult
  func library(_ name: String, _ code: String, needs: String? = nil, flags: String = "") throws -> String {
    try workshop.write(code, to: name + ".c")
    let path = workshop.path("lib\(name).so")
    let needed = needs.map { "-L '\(workshop.folder)' -l\($0) -Wl,-rpath,'\(workshop.folder)'" } ?? ""
    try shell(
      """
      gcc -shared -fPIC -O1 \(Workshop.headers) '\(workshop.path(name)).c' -o '\(path)' \(flags) \(needed)
      """)
    return path
  }

  /// Builds a library with a shim for the function.
  func shimLibrary(_ name: String, sel: String = "add") throws -> String {
    try library(
      name,
      """
      #include <annot/joinpoint.h>
      ANNOT_SHIM(int, Thing, \(sel), thing_add, (int, a), (int, b));
      """, flags: "-Wl,-z,defs")
  }

  /// Builds the program, linked with the library unless `needs` says otherwise.
  ///
  /// - Parameter defines: of NO_SHIM, NO_THING and NO_POINTER.
  func build(_ defines: String..., needs: String = "-lthing", flags: String = "-pie -rdynamic -Wl,-z,lazy")
    throws
    -> String
  {
    let words = defines.map { "-D" + $0 }.joined(separator: " ")
    let libraries = defines.contains("NO_THING") ? "" : needs
    return try RuntimeProgram.build(
      "shims", in: workshop, flags: "\(words) \(flags)",
      libraries: "-L '\(workshop.folder)' \(libraries) -Wl,-rpath,'\(workshop.folder)' -lelf")
  }
}

/// The verdicts of annot/shim_report.h, as the program prints them.
enum Verdict {
  static let reached = 1
  static let notImported = 2
  static let boundInside = 3
  static let ifuncInside = 4
  static let pointer = 5
  static let otherFunction = 6
  static let undefined = 7
  static let unbound = 8
  static let `protected` = 10
  static let linkedStatically = 11
  static let runtime = 12
}

extension Run {
  /// The results of calls, and whether advice printed, in order.
  var calls: [String] {
    output.split(separator: "\n").filter { $0.hasPrefix("call ") || $0 == "before" }
      .map { $0.hasPrefix("call ") ? String($0.dropFirst(5)) : String($0) }
  }

  /// The verdicts on an image, by the end of its path.
  func verdicts(on image: String) -> [Int] {
    lines("row").map { $0.split(separator: " ") }
      .filter { $0[0] == image || $0[0].hasSuffix("/" + image) }.compactMap { Int($0[1]) }
  }
}
