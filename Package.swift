// swift-tools-version: 6.3
import CompilerPluginSupport
import Foundation
import PackageDescription

/// Every Swift target is checked the same way: Swift 6 language mode, and explicit access on imports.
let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

// MARK: swift-syntax
// The macros are built against the copy of swift-syntax that every toolchain brings, which takes seconds. That
// needs unsafe flags, which SwiftPM refuses in a versioned dependency: there, and where ANNOT_SWIFT_SYNTAX=package
// says so, the swift-syntax package is used instead. Without the trait `Macros` neither is needed.

let usesSwiftSyntaxPackage =
  Context.environment["ANNOT_SWIFT_SYNTAX"] == "package"
  || Context.packageDirectory.contains("/checkouts/")
  // While versions are resolved, before there is a checkout, SwiftPM loads the manifest from the repository.
  || Context.packageDirectory == "/"

/// The toolchain's folder of host libraries: beside the library that this manifest itself was linked with, or else
/// beside the first swiftc of PATH.
func hostLibraries() -> String? {
  func isThere(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/SwiftSyntaxMacros.swiftmodule")
  }
  let marker = "/pm/ManifestAPI/libPackageDescription.so"
  // The kernel writes the list anew for each part that is read: a mapping that comes meanwhile can hide another.
  for _ in 0..<20 {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    for line in maps.split(separator: "\n") where line.hasSuffix(marker) {
      guard let start = line.firstIndex(of: "/") else { continue }
      let host = line[start...].dropLast(marker.count) + "/host"
      if isThere(String(host)) { return String(host) }
    }
  }
  for folder in (Context.environment["PATH"] ?? "").split(separator: ":") {
    let compiler = URL(fileURLWithPath: "\(folder)/swiftc").resolvingSymlinksInPath()
    let host = compiler.deletingLastPathComponent().deletingLastPathComponent().path + "/lib/swift/host"
    if isThere(host) { return host }
  }
  return nil
}

let macroTarget: Target
if usesSwiftSyntaxPackage {
  macroTarget = .macro(
    name: "AnnotationMacros",
    dependencies: [
      "SwiftSyntax", "SwiftSyntaxMacros", "SwiftSyntaxBuilder", "SwiftDiagnostics", "SwiftCompilerPlugin",
    ]
    .map { .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"])) },
    swiftSettings: [.swiftLanguageMode(.v6)])
} else {
  let host = hostLibraries() ?? "/the/toolchain/has/no/swift-syntax/set/ANNOT_SWIFT_SYNTAX=package"
  let libraries = [
    "SwiftSyntax", "SwiftSyntaxMacros", "SwiftSyntaxBuilder", "SwiftDiagnostics",
    "SwiftCompilerPluginMessageHandling",
  ]
  macroTarget = .macro(
    name: "AnnotationMacros",
    swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-I", host])],
    linkerSettings: [
      .unsafeFlags(["-L", host, "-Xlinker", "-rpath", "-Xlinker", host] + libraries.map { "-l\($0)" })
    ])
}
let macros = Target.Dependency.target(name: "AnnotationMacros", condition: .when(traits: ["Macros"]))

let package = Package(
  name: "Annot",
  products: [
    .library(name: "CAnnot", targets: ["CAnnot"]),
    .library(name: "AnnotationRecords", targets: ["AnnotationRecords"]),
    .library(name: "Annotations", targets: ["Annotations"]),
    .library(name: "Interception", targets: ["Interception"]),
    .library(name: "Aspects", targets: ["Aspects"]),
    .executable(name: "annot", targets: ["annot"]),
    .executable(name: "annot-demo", targets: ["annot-demo"]),
    .executable(name: "annot-bench", targets: ["annot-bench"]),
    .library(name: "ShopPlugin", type: .dynamic, targets: ["ShopPlugin"]),
  ],
  traits: [
    .trait(name: "Macros", description: "The macros @Annotate, @NeedLogin and their kin"),
    .default(enabledTraits: ["Macros"]),
  ],
  dependencies: usesSwiftSyntaxPackage
    ? [.package(url: "https://github.com/swiftlang/swift-syntax.git", "603.0.0"..<"604.0.0")] : [],
  targets: [
    macroTarget,
    .systemLibrary(name: "CLibelf", pkgConfig: "libelf", providers: [.apt(["libelf-dev"])]),
    .systemLibrary(name: "CCommandLine"),
    .target(name: "CAnnotRecords", dependencies: ["CLibelf"]),
    .target(name: "CAnnot", dependencies: ["CAnnotRecords"]),
    .target(
      name: "AnnotationRecords", dependencies: ["CAnnotRecords"], swiftSettings: swiftSettings),
    .target(
      name: "Annotations", dependencies: ["CAnnot", "AnnotationRecords", macros],
      swiftSettings: swiftSettings),
    .target(
      name: "Interception", dependencies: ["CAnnot", "CAnnotRecords", "Annotations", macros],
      swiftSettings: swiftSettings),
    .target(name: "Aspects", dependencies: ["Interception", macros], swiftSettings: swiftSettings),
    .executableTarget(
      name: "annot", dependencies: ["AnnotationRecords", "CAnnotRecords", "CCommandLine"],
      swiftSettings: swiftSettings),

    // The demo: a shop in C and Swift, and a plugin that is built with the headers alone.
    .target(name: "ShopRouter", dependencies: ["CAnnot"]),
    .target(name: "ShopPlugin", cSettings: [.headerSearchPath("../CAnnot/include")]),
    .executableTarget(
      name: "annot-demo", dependencies: ["Aspects", "ShopRouter"], swiftSettings: swiftSettings),

    .target(name: "BenchmarkBaselines", dependencies: ["CLibelf", "CAnnot"]),
    .executableTarget(
      name: "annot-bench", dependencies: ["Interception", "CAnnot", "BenchmarkBaselines"],
      swiftSettings: swiftSettings),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
    .testTarget(
      name: "AnnotationRecordsTests",
      dependencies: ["AnnotationRecords", "CAnnotRecords", "TestSupport"], swiftSettings: swiftSettings),
    .testTarget(
      name: "AnnotCommandTests", dependencies: ["annot", "TestSupport"], swiftSettings: swiftSettings),
    .target(
      name: "InterceptionFixtures", dependencies: ["CAnnot"], path: "Tests/InterceptionFixtures"),
    .target(name: "ThreadSupport", path: "Tests/ThreadSupport", swiftSettings: swiftSettings),
    .testTarget(
      name: "DemoTests", dependencies: ["TestSupport"],
      swiftSettings: swiftSettings),
    .target(name: "ReadmeExample", dependencies: ["CAnnot"], path: "Tests/ReadmeExample"),
    .testTarget(
      name: "ReadmeTests", dependencies: ["Aspects", "ReadmeExample", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MacroTests", dependencies: ["Aspects", "TestSupport"], swiftSettings: swiftSettings),
    .testTarget(
      name: "EmissionTests", dependencies: ["TestSupport"], exclude: ["Fixtures"],
      swiftSettings: swiftSettings),
    .testTarget(name: "CAnnotTests", dependencies: ["CAnnot"], swiftSettings: swiftSettings),
    .testTarget(
      name: "AnnotationsTests", dependencies: ["Annotations", "ThreadSupport"], swiftSettings: swiftSettings),
    .testTarget(
      name: "InterceptionTests", dependencies: ["Interception", "InterceptionFixtures", "ThreadSupport"],
      swiftSettings: swiftSettings),
    .target(
      name: "WeavingFixtures", dependencies: ["Interception"], path: "Tests/WeavingFixtures",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "call-probe", dependencies: ["Interception", "BenchmarkBaselines", "CAnnot"],
      path: "Tests/CallProbe", exclude: ["limits.txt"], swiftSettings: swiftSettings),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .executableTarget(
      name: "allocation-probe", dependencies: ["Interception", "AllocationCounter"],
      path: "Tests/AllocationProbe", swiftSettings: swiftSettings),
    .testTarget(
      name: "WeavingTests",
      dependencies: ["Interception", "WeavingFixtures", "TestSupport", "ThreadSupport", "allocation-probe"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "AspectsTests",
      dependencies: ["Aspects", "InterceptionFixtures", "TestSupport", "ThreadSupport"],
      swiftSettings: swiftSettings),
  ],
  cLanguageStandard: .c11
)
