internal import Core
internal import Foundation
internal import Pipeline

extension PublishedSite {
  /// What it offers; nil where nothing is published yet, which is not the same as a site that cannot be reached.
  public func catalogue() throws -> Catalog? {
    do {
      return try files.data(PublishedCatalogue.path, limit: PublishedCatalogue.limit)
        .map { try PublishedCatalogue($0.data).catalogue }
    } catch let trouble as Unreadable {
      throw UserError(
        .badInput, operation: "reading the catalogue of", path: name, reason: trouble.problem,
        suggestion: "`chartpipe verify` tells more.")
    }
  }
}
