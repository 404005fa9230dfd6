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
    .executable(name: "annot", targets: ["annot"]),
  ],
  targets: [
    .systemLibrary(name: "CLibelf", pkgConfig: "libelf", providers: [.apt(["libelf-dev"])]),
    .target(name: "CAnnotRecords", dependencies: ["CLibelf"]),
    .target(name: "CAnnot", dependencies: ["CAnnotRecords"]),
    .target(
      name: "AnnotationRecords", dependencies: ["CAnnotRecords"], swiftSettings: swiftSettings),
    .target(
      name: "Annotations", dependencies: ["CAnnot", "AnnotationRecords"],
      swiftSettings: swiftSettings),
    .systemLibrary(name: "CCommandLine"),
    .executableTarget(
      name: "annot", dependencies: ["AnnotationRecords", "CAnnotRecords", "CCommandLine"],
      swiftSettings: swiftSettings),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
    .testTarget(
      name: "AnnotationRecordsTests",
      dependencies: ["AnnotationRecords", "CAnnotRecords", "TestSupport"], swiftSettings: swiftSettings),
    .testTarget(
      name: "AnnotCommandTests", dependencies: ["annot", "TestSupport"], swiftSettings: swiftSettings),
  ],
  cLanguageStandard: .c11
)
