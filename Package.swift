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
    .testTarget(
      name: "EmissionTests", exclude: ["Fixtures"], swiftSettings: swiftSettings),
  ],
  cLanguageStandard: .c11
)
