// swift-tools-version: 6.3
import PackageDescription

/// Every Swift target is checked the same way: Swift 6 language mode, and explicit access on imports.
let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
]

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
  targets: [
    .systemLibrary(name: "CLibelf", pkgConfig: "libelf", providers: [.apt(["libelf-dev"])]),
    .systemLibrary(name: "CCommandLine"),
    .target(name: "CAnnotRecords", dependencies: ["CLibelf"]),
    .target(name: "CAnnot", dependencies: ["CAnnotRecords"]),
    .target(
      name: "AnnotationRecords", dependencies: ["CAnnotRecords"], swiftSettings: swiftSettings),
    .target(
      name: "Annotations", dependencies: ["CAnnot", "AnnotationRecords"],
      swiftSettings: swiftSettings),
    .target(name: "Interception", dependencies: ["CAnnot", "Annotations"], swiftSettings: swiftSettings),
    .target(name: "Aspects", dependencies: ["Interception"], swiftSettings: swiftSettings),
    .executableTarget(
      name: "annot", dependencies: ["AnnotationRecords", "CAnnotRecords", "CCommandLine"],
      swiftSettings: swiftSettings),

    // The demo: a shop in C and Swift, and a plugin that is built with the headers alone.
    .target(name: "ShopRouter", dependencies: ["CAnnot"]),
    .target(name: "ShopPlugin", cSettings: [.headerSearchPath("../CAnnot/include")]),
    .executableTarget(
      name: "annot-demo", dependencies: ["Aspects", "ShopRouter"], swiftSettings: swiftSettings),

    .target(name: "BenchmarkBaselines", dependencies: ["CLibelf"]),
    .executableTarget(
      name: "annot-bench", dependencies: ["Annotations", "CAnnot", "BenchmarkBaselines"],
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
    .testTarget(name: "EmissionTests", exclude: ["Fixtures"], swiftSettings: swiftSettings),
    .testTarget(name: "CAnnotTests", dependencies: ["CAnnot"], swiftSettings: swiftSettings),
    .testTarget(
      name: "AnnotationsTests", dependencies: ["Annotations", "ThreadSupport"], swiftSettings: swiftSettings),
    .testTarget(
      name: "InterceptionTests", dependencies: ["Interception", "InterceptionFixtures", "ThreadSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "AspectsTests", dependencies: ["Aspects", "InterceptionFixtures", "ThreadSupport"],
      swiftSettings: swiftSettings),
  ],
  cLanguageStandard: .c11
)
