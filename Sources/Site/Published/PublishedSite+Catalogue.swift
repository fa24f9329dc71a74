internal import Core
internal import Foundation
internal import Pipeline

extension PublishedSite {
  /// What it offers; nil where nothing is published yet, which is not the same as a site that cannot be reached.
  ///
  /// - Parameter key: the key that must have signed the catalogue; nil for no check of its signature.
  public func catalogue(signedBy key: VerifyingKey? = nil) throws -> Catalog? {
    do {
      let read = try files.data(PublishedCatalogue.path, limit: PublishedCatalogue.limit)
        .map { try PublishedCatalogue($0.data) }
      if let key, let read { try verify(read, by: key) }
      return read?.catalogue
    } catch let trouble as Unreadable {
      throw UserError(
        .badInput, operation: "reading the catalogue of", path: name, reason: trouble.problem,
        suggestion: "Run `chartpipe verify` for details.")
    }
  }
  private func verify(_ catalogue: PublishedCatalogue, by key: VerifyingKey) throws {
    do {
      _ = try CatalogueSignature.find(of: catalogue, in: files, by: key)
    } catch let trouble as Unreadable {
      throw UserError(
        .refused, operation: "verifying the signature of", path: "\(name)/\(PublishedCatalogue.path)",
        reason: trouble.problem,
        suggestion: "Compare --public-key with the publisher's key, or run `chartpipe verify --public-key`.")
    }
  }
}
