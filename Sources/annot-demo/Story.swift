import Glibc

/// Tells the demo's story and stops it where it is not as told.
enum Story {
  /// A new scene.
  static func scene(_ title: String) {
    print("\n\(title)")
  }

  /// Something that must be so; the program ends with status 1 if it is not.
  static func tell(_ text: String, _ holds: Bool) {
    guard holds else {
      print("  NOT SO: \(text)")
      exit(1)
    }
    print("  \(text)")
  }
}
