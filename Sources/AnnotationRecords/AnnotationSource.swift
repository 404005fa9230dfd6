/// Where records come from: the sections of one name of one image.
///
/// All records of a section share one. It owns the memory that its records' bytes are in, so a record stays valid for as long as it is held.
public final class AnnotationSource: Sendable {
  /// The path of the file, or of the loaded image, as it was given or as the loader knows it.
  public let image: String
  /// The archive member, or nil when the file is not an archive.
  public let member: String?
  /// The section's name.
  public let section: String
  /// What keeps the records' bytes alive.
  private let owner: any AnyObject & Sendable

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - image: The path of the file or loaded image.
  ///   - member: The archive member, if any.
  ///   - section: The section's name.
  ///   - owner: An object that keeps the bytes of the source's records alive and unchanged.
  package init(
    image: String, member: String? = nil, section: String = "annot", owner: any AnyObject & Sendable
  ) {
    self.image = image
    self.member = member
    self.section = section
    self.owner = owner
  }
}
