internal import CAnnot

/// An image of the running process: the program, a shared object, the vdso.
public struct LoadedImage: Sendable, Hashable, Identifiable {
  /// How the records of an image were found.
  public enum Route: Sendable, Hashable {
    /// It has no records, or none that could be found.
    case none
    /// By its bounds note, in memory.
    case note
    /// By its file's section headers.
    case file
  }

  /// Names this very image: one that is loaded later has another number, also at the same place.
  public let id: UInt64
  /// The path, as the loader knows it; the program's own for the main program.
  public let path: String
  /// What is added to an address in the file to get the address in memory.
  public let base: UInt
  /// Whether it is the main program.
  public let isMain: Bool
  /// How its records were found.
  public let route: Route
  /// The GNU build-id; empty when it has none.
  public let buildID: [UInt8]

  init(_ image: annot_image) {
    id = image.identity
    path = String(cString: image.path)
    base = image.base
    isMain = image.is_main
    route =
      switch image.route {
      case ANNOT_ROUTE_NOTE: .note
      case ANNOT_ROUTE_FILE: .file
      default: .none
      }
    buildID = Array(UnsafeBufferPointer(start: image.build_id, count: image.build_id_length))
  }
}
