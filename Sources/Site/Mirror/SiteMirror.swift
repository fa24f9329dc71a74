public import Core
public import Foundation

/// Copies a published site into a folder, byte for byte, and verifies every file.
///
/// At every instant the mirror is one complete site, the old or the new one: the catalogue comes last, by one rename. A run after a kill
/// continues the copy.
public struct SiteMirror: Sendable {
  public var source: PublishedSite
  public var folder: URL
  /// The key that must have signed the catalogue; nil to trust the source.
  public var verifier: PublicKey?
  /// How many files are copied at a time.
  public var jobs = 4
  /// Whether files that are present are read and verified again.
  public var checks = false
  /// Whether unreferenced files stay.
  public var keepsOld = false
  /// The cycle in force at this time should be in the mirror.
  public var now: Instant

  /// The content of the mirror, and how much was copied.
  public struct Outcome: Encodable, Equatable, Sendable {
    public var source: String
    public var folder: String
    public var serial: Int
    public var cycles: [AiracCycle]
    public var files: Int
    public var bytes: Int
    /// How many files had to be copied.
    public var copied: Int
    public var copiedBytes: Int
    public var removed: Int
    /// The name of the key that signed the catalogue; nil for an unsigned site.
    public var key: String?
    /// Whether the signature was verified with a given key.
    public var isProved: Bool
  }

  /// How often the copy starts over because the source changed meanwhile.
  private static let attempts = 5

  public func run(progress: any ProgressReporter) throws -> Outcome {
    try checkFolder()
    let isNew = folder.kindOnDisk == nil
    let folder = MirrorFolder(site: SiteFolder(root: folder))
    do {
      return try folder.site.withLock {
        try folder.prepare()
        return try copy(into: folder, progress)
      }
    } catch {
      folder.removeEmpty(andRoot: isNew)
      throw error
    }
  }

  private func copy(into folder: MirrorFolder, _ progress: any ProgressReporter) throws -> Outcome {
    var attempt = 1
    while true {
      let bytes = try catalogue()
      do {
        return try MirrorPass(self, folder, bytes, progress).run()
      } catch let problem as MirrorPass.FileProblem {
        guard attempt < SiteMirror.attempts, bytes.isOutdated(in: source.store) else {
          throw problem.error(source)
        }
        attempt += 1
        progress.warn("mirror", "the source changed meanwhile: starting over")
      }
    }
  }

  private func catalogue() throws -> CatalogueBytes {
    try Unreadable.explained({
      MirrorPass.FileProblem(path: PublishedCatalogue.path, problem: $0).error(source)
    }) { try CatalogueBytes.read(from: source.store) }
  }

  /// Refuses a folder with other contents, since unreferenced files are removed from a mirror.
  private func checkFolder() throws {
    let path = folder.resolvingSymlinksInPath().path
    if let source = source.folder {
      guard !folder.isWithin(source), !source.isWithin(folder) else {
        throw UserError(
          .badCall, operation: "mirroring into", path: path,
          reason: "it is the source, or one of the two contains the other",
          suggestion: "Name another folder.")
      }
    }
    let names = folder.names
    guard names.isEmpty || names.contains(SiteFolder.mirrorParts) else {
      let isSite = names.contains(PublishedCatalogue.path)
      throw UserError(
        .badCall, operation: "mirroring into", path: path,
        reason: isSite ? "it is a site that is no mirror" : "it has other contents and no site",
        suggestion: "Name a new or empty folder."
          + (isSite
            ? " To make a copy of the source a mirror, make the folder \(SiteFolder.mirrorParts) in it." : "")
      )
    }
  }
}
