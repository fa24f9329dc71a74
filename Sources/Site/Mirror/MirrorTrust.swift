internal import Core
internal import Foundation
internal import Pipeline

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
