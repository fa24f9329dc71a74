internal import Foundation
internal import Pipeline

extension PublishedSite {
  /// What it offers; nil where nothing is published yet, which is not the same as a site that cannot be reached.
  public func catalogue() throws -> Catalog? {
    do {
      return try files.data(PublishedCatalogue.path, limit: PublishedCatalogue.limit)
        .map { try PublishedCatalogue($0.data).catalogue }
    } catch let trouble as Unreadable {
      throw Fault(
        .badInput, doing: "reading the catalogue of", subject: name, problem: trouble.problem,
        remedy: "`chartpipe verify` tells more.")
    }
  }
}
