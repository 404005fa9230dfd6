internal import Foundation

/// The directory that holds the running tests' products: executables and libraries of the same build.
///
/// It is where the code of this function was loaded from, so it is right in every configuration and for every
/// scratch path, and also when another program loads the tests as a bundle.
public func builtProductsDirectory() -> String {
  let here = UInt(bitPattern: #dsohandle)
  let maps = (try? text(ofFile: "/proc/self/maps")) ?? ""
  for line in maps.split(separator: "\n") {
    // START-END PERMISSIONS OFFSET DEVICE INODE PATH, see proc(5)
    let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
    let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
    guard fields.count == 6, bounds.count == 2, bounds[0] <= here, here < bounds[1] else { continue }
    let path = fields[5].drop { $0 == " " }
    return URL(fileURLWithPath: String(path)).deletingLastPathComponent().path
  }
  return "."
}

/// The path of an executable of the same build.
public func builtExecutable(_ name: String) throws -> String {
  let path = "\(builtProductsDirectory())/\(name)"
  guard FileManager.default.isExecutableFile(atPath: path) else {
    throw SupportError("there is no executable \(path)")
  }
  return path
}
