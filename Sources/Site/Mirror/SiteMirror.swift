internal import Core
internal import CryptoIO
public import Foundation
public import Pipeline

/// A copy of a published site, for those who host it elsewhere: the same bytes, proved while they come.
///
/// At every instant the mirror is a whole site, that of before or that of now: the catalogue comes last, by one rename. Whoever
/// starts it again after it was killed gets the same bytes in the end.
public struct SiteMirror: Sendable {
  public struct Request: Sendable {
    public var source: PublishedSite
    public var folder: URL
    /// Whose signature the catalogue must bear; nil to take the source's word.
    public var verifier: VerifyingKey?
    /// How many files come at a time.
    public var jobs: Int
    /// Whether files that are there are read again.
    public var checks: Bool
    /// Whether files that nothing names any more stay.
    public var keepsOld: Bool

    public init(
      source: PublishedSite, folder: URL, signedBy verifier: VerifyingKey? = nil, jobs: Int = 4,
      checks: Bool = false, keepsOld: Bool = false
    ) {
      self.source = source
      self.folder = folder
      self.verifier = verifier
      self.jobs = jobs
      self.checks = checks
      self.keepsOld = keepsOld
    }
  }

  /// What the mirror holds now, and what had to be done for it.
  public struct Outcome: Encodable, Equatable, Sendable {
    public var source: String
    public var folder: String
    public var serial: Int
    public var cycles: [String]
    public var files: Int
    public var bytes: Int
    /// How many files had to be copied.
    public var copied: Int
    public var copiedBytes: Int
    public var removed: Int
    /// The name of the key that signed the catalogue; nil for a site that nobody signs.
    public var key: String?
    /// Whether that was the key that was asked for.
    public var isProved: Bool
  }

  let request: Request

  public init(_ request: Request) {
    self.request = request
  }

  /// How often it is begun anew because the source was published to meanwhile.
  private static let attempts = 5

  public func run(progress: any ProgressReporter) throws -> Outcome {
    try checkFolder()
    let place = MirrorPlace(request.folder)
    return try place.site.withLock {
      try place.prepare()
      return try bring(place, progress)
    }
  }

  private func bring(_ place: MirrorPlace, _ progress: any ProgressReporter) throws -> Outcome {
    var attempt = 1
    while true {
      let read = try catalogue()
      do {
        return try MirrorPass(request, place, read, progress).run()
      } catch let trouble as MirrorPass.Trouble {
        guard attempt < SiteMirror.attempts, read.isOutdated(in: request.source.files) else {
          throw trouble.fault(from: request.source)
        }
        attempt += 1
        progress.report(
          .warning(step: "mirror", message: "the source was published to meanwhile: beginning anew"))
      }
    }
  }

  private func catalogue() throws -> PublishedCatalogue {
    do {
      return try PublishedCatalogue.read(from: request.source.files)
    } catch let trouble as Unreadable {
      throw MirrorPass.Trouble(PublishedCatalogue.path, trouble).fault(from: request.source)
    }
  }

  /// A folder with other things in it is not taken for a mirror: what nothing names is removed from it.
  private func checkFolder() throws {
    let folder = request.folder.resolvingSymlinksInPath().path
    if let source = request.source.folder?.resolvingSymlinksInPath().path {
      guard !(folder + "/").hasPrefix(source + "/"), !(source + "/").hasPrefix(folder + "/") else {
        throw UserError(
          .badCall, operation: "mirroring into", path: folder,
          reason: "it is the source, or one lies in the other",
          suggestion: "Name another folder.")
      }
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let isMirror = names.contains(PublishedCatalogue.path) || names.contains(MirrorPlace.parts)
    guard names.isEmpty || isMirror else {
      throw UserError(
        .badCall, operation: "mirroring into", path: folder,
        reason: "there are other things in it, and no site", suggestion: "Name a new or empty folder.")
    }
  }
}

/// Whether a source's catalogue may take the place of the mirror's own.
struct MirrorTrust {
  private let request: SiteMirror.Request
  private let place: MirrorPlace

  init(_ request: SiteMirror.Request, _ place: MirrorPlace) {
    self.request = request
    self.place = place
  }

  /// The signature that the mirror will have; nil for a site that nobody signs.
  func signature(
    of read: PublishedCatalogue, after own: PublishedCatalogue?
  ) throws -> CatalogueSignature? {
    if let objection = own?.seen.objection(to: read.seen) {
      throw refusal(
        objection,
        remedy: "Try again later. If the publisher started a new site, mirror it into a new folder.")
    }
    let found: CatalogueSignature?
    do {
      found = try CatalogueSignature.find(of: read, in: request.source.files, by: request.verifier)
    } catch let trouble as Unreadable {
      guard request.verifier == nil, place.keyName() == nil else {
        throw MirrorPass.Trouble(PublishedCatalogue.signature, trouble)
      }
      return nil
    }
    if request.verifier == nil, let own = place.keyName(), own != found?.keyName {
      throw refusal(
        "it is signed by key \(found?.keyName ?? ""), and the mirror's was by \(own)",
        remedy: "If the publisher announced a new key, give it with --public-key.")
    }
    return found
  }

  private func refusal(_ problem: String, remedy: String) -> UserError {
    UserError(
      .refused, operation: "mirroring", path: "\(request.source.name)/\(PublishedCatalogue.path)",
      reason: problem, suggestion: "\(remedy) The mirror was left as it was.")
  }
}
