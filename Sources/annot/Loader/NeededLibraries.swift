@preconcurrency import Glibc

/// The libraries that the loader would load with a file, found by its rules (ld.so(8)) without running anything.
///
/// Left out are subdirectories for certain processors (glibc-hwcaps) and what LD_PRELOAD names.
struct NeededLibraries {
  /// A library that was not found.
  struct Missing {
    let name: String
    /// The file that needs it.
    let user: String
  }

  /// The libraries' paths, in the order in which they are loaded.
  private(set) var found: [String] = []
  private(set) var missing: [Missing] = []

  /// A file that is loaded, and the one that first needed it.
  private struct Loaded {
    let linkage: Linkage
    let user: Int?
  }

  private var loaded: [Loaded] = []
  /// The names by which a library that is needed again is known.
  private var known: Set<String> = []
  private let cache: LoaderCache
  private let environment: String

  /// - Parameter path: An executable or shared object; of anything else nothing is needed.
  init(of path: String) {
    cache = LoaderCache.system()
    environment = getenv("LD_LIBRARY_PATH").map { String(cString: $0) } ?? ""
    guard let root = Linkage(path: path) else { return }
    loaded.append(Loaded(linkage: root, user: nil))
    var next = 0
    while next < loaded.count {
      for name in loaded[next].linkage.needed where !known.contains(name) { load(name, for: next) }
      next += 1
    }
  }

  private mutating func load(_ name: String, for user: Int) {
    known.insert(name)
    guard let library = find(name, for: user) else {
      missing.append(Missing(name: name, user: loaded[user].linkage.path))
      return
    }
    if let soname = library.soname { known.insert(soname) }
    if loaded.contains(where: { $0.linkage.path == library.path }) { return }
    found.append(library.path)
    loaded.append(Loaded(linkage: library, user: user))
  }

  private func find(_ name: String, for user: Int) -> Linkage? {
    let linkage = loaded[user].linkage
    if name.contains("/") {
      let paths = SearchPath.directories(name, origin: linkage.path, linkage.architecture)
      return first(of: paths, for: linkage)
    }
    // The loader itself is loaded already.
    if let interpreter = loaded[0].linkage.interpreter, interpreter.hasSuffix("/" + name) {
      return Linkage(path: interpreter)
    }
    return first(of: directories(for: user).map { "\($0)/\(name)" }, for: linkage)
      ?? (linkage.usesDefaultDirectories
        ? first(of: cache[name] + defaults(name, linkage), for: linkage) : nil)
  }

  private func defaults(_ name: String, _ linkage: Linkage) -> [String] {
    SearchPath.defaults(loaded[0].linkage, linkage.architecture).map { "\($0)/\(name)" }
  }

  /// The directories before those of the system, in their order.
  private func directories(for user: Int) -> [String] {
    let linkage = loaded[user].linkage
    let environment = self.environment.replacingAll(";", with: ":")
    let fromEnvironment =
      environment.isEmpty
      ? [] : SearchPath.directories(environment, origin: linkage.path, linkage.architecture)
    if let runpath = linkage.runpath {
      return fromEnvironment + SearchPath.directories(runpath, origin: linkage.path, linkage.architecture)
    }
    return inherited(by: user) + fromEnvironment
  }

  /// The DT_RPATH of a file and of those that it was loaded for; each only counts without a DT_RUNPATH.
  private func inherited(by user: Int) -> [String] {
    var result: [String] = []
    var next: Int? = user
    while let index = next {
      let linkage = loaded[index].linkage
      if let rpath = linkage.rpath, linkage.runpath == nil {
        result += SearchPath.directories(rpath, origin: linkage.path, linkage.architecture)
      }
      next = loaded[index].user
    }
    return result
  }

  /// The first that is a library of the same architecture.
  private func first(of paths: [String], for user: Linkage) -> Linkage? {
    for path in paths {
      guard access(path, F_OK) == 0, let linkage = Linkage(path: path) else { continue }
      if linkage.architecture == user.architecture { return linkage }
    }
    return nil
  }
}

extension NeededLibraries {
  /// Tells of the libraries that were not found.
  func reportMissing(to diagnostics: inout Diagnostics) {
    for library in missing {
      let reason = "needs '\(library.name)', which was not found where the loader looks for it"
      diagnostics.report(unreadable: library.user, shown: escaped(library.user), reason)
    }
  }
}
