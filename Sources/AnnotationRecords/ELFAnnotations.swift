internal import CAnnotRecords

/// The annotations of a file, read without running anything of it.
///
/// ```swift
/// let file = try ELFAnnotations(path: ".build/release/shop")
/// for record in file.records where record.kind == NeedLogin.kind {
///   print(try record.decode(as: NeedLogin.self))
/// }
/// ```
///
/// What is wrong with a part of the file, such as one malformed record, is in ``diagnostics`` and keeps
/// nothing else from being read.
public struct ELFAnnotations: Sendable {
  /// How a file is read.
  public struct Options: Sendable, Hashable {
    /// The name of the sections to read.
    public var section = "annot"
    /// The most bytes of sections' contents, decompressed, to hold of one file; nil for 512 MiB.
    public var limit: UInt64?
    /// The most bytes that one compressed section may decompress to; nil for ``limit``.
    ///
    /// A section whose header tells more is not decompressed, and a diagnostic says so.
    public var decompressionLimit: UInt64?
    /// The longest record in bytes, its NUL not counted; nil for the format's 65,536, and more counts as that.
    ///
    /// A longer one is a diagnostic. So is one over ``recordDepthLimit``.
    public var recordLengthLimit: UInt32?
    /// How many levels of arrays and objects a record has at most, itself being the first; nil for the format's 32,
    /// and more counts as that.
    public var recordDepthLimit: UInt32?

    /// Creates the defaults.
    public init() {}

    /// The limits as the C reader takes them: 0 means the default there, and as little as nothing fits in 1.
    var recordLimits: annot_record_limits {
      annot_record_limits(
        length: recordLengthLimit.map { max($0, 1) } ?? 0, depth: recordDepthLimit.map { max($0, 1) } ?? 0)
    }
  }

  /// The file's path, as it was given.
  public let path: String
  /// The file's GNU build-id; empty when it has none.
  public let buildID: [UInt8]
  /// The sound records in the readers' order: by source file, line, kind, class and selector.
  ///
  /// Records that are the same byte for byte are one.
  public let records: [AnnotationRecord]
  /// What could not be read, and why: first what concerns the file, then malformed records in the order in
  /// which they stand in it.
  public let diagnostics: [AnnotationDiagnostic]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: An ELF executable, shared object or object file, or an archive of object files. The members of
  ///     a thin archive are files of their own, which are found relative to it.
  ///   - options: How to read it.
  /// - Throws: ``AnnotationError`` when the file cannot be read or is not a sound ELF file. A file without
  ///   annotations is not an error.
  public init(path: String, options: Options = Options()) throws(AnnotationError) {
    try self.init(rawPath: path, name: path, options: options)
  }

  /// Reads a file by a path that need not be UTF-8.
  ///
  /// - Parameters:
  ///   - rawPath: The path, NUL-terminated.
  ///   - name: What to call the file in records and diagnostics.
  ///   - options: How to read it.
  package init(rawPath: UnsafePointer<CChar>, name: String, options: Options) throws(AnnotationError) {
    self = try Self.read(name: name, options: options) { annot_file_open(rawPath, $0, $1) }
  }

  /// Reads an open file.
  ///
  /// - Parameters:
  ///   - descriptor: A descriptor of a regular file, open for reading. Its position does not matter and is not
  ///     changed; it is not closed.
  ///   - name: What to call the file in records and diagnostics.
  ///   - options: How to read it.
  /// - Throws: ``AnnotationError``, as ``init(path:options:)`` does, and for a thin archive, since nothing
  ///   tells where the files are that it names.
  public init(
    descriptor: Int32, name: String, options: Options = Options()
  ) throws(AnnotationError) {
    self = try Self.read(name: name, options: options) { annot_file_open_descriptor(descriptor, $0, $1) }
  }

  /// Reads the bytes of a file.
  ///
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - name: What to call the file in records and diagnostics.
  ///   - options: How to read it.
  /// - Throws: ``AnnotationError``, as ``init(path:options:)`` does, and for a thin archive, since nothing
  ///   tells where the files are that it names.
  public init(
    bytes: some Collection<UInt8>, name: String, options: Options = Options()
  ) throws(AnnotationError) {
    var result: Result<ELFAnnotations, AnnotationError>?
    func take(_ memory: UnsafeBufferPointer<UInt8>) {
      result = Result { () throws(AnnotationError) in
        try Self.read(name: name, options: options) {
          annot_file_open_memory(memory.baseAddress, memory.count, $0, $1)
        }
      }
    }
    if bytes.withContiguousStorageIfAvailable(take) == nil { Array(bytes).withUnsafeBufferPointer(take) }
    self = try result!.get()
  }

  private init(name: String, file: OpenedFile) {
    path = name
    buildID = file.buildID
    let reader = SectionReader(name: name, file: file)
    records = reader.records(of: file.collection)
    diagnostics = reader.notes() + reader.faults(of: file.collection)
  }

  private typealias Opening = (
    UnsafePointer<annot_file_options>, UnsafeMutablePointer<annot_error>
  ) -> OpaquePointer?

  private static func read(
    name: String, options: Options, opening: Opening
  ) throws(AnnotationError) -> ELFAnnotations {
    var error = annot_error()
    let opened = options.section.withCString { section in
      var raw = annot_file_options()
      raw.section = section
      raw.limit = options.limit.map { max($0, 1) } ?? 0
      raw.decompression_limit = options.decompressionLimit.map { max($0, 1) } ?? 0
      return opening(&raw, &error)
    }
    guard let opened else { throw AnnotationError(error, path: name) }
    guard let file = OpenedFile(opened, section: options.section, limits: options.recordLimits) else {
      throw AnnotationError(code: .memory, path: name, reason: "no memory for its records")
    }
    return ELFAnnotations(name: name, file: file)
  }
}
