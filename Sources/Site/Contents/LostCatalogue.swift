internal import Core
internal import Foundation

/// A site without a catalogue: nothing was published there yet, the catalogue was lost, or the pages are not Chartpipe's.
enum LostCatalogue {
  /// The serial of the catalogue that was lost, which readers have seen; 0 if nothing of it is left.
  ///
  /// Throws a `UserError` if the place has pages that Chartpipe did not write: they would be replaced.
  static func serial(in store: any WritableObjectStore, operation: String) throws -> Int {
    let page = try Catalog.rootCopies.first { try store.info($0) != nil }
    guard let page else { return 0 }
    if let data = try store.data(LatestAnswer.path, limit: PublishedCatalogue.limit)?.data,
      let latest = try? JSONDecoder().decode(LatestAnswer.self, from: data)
    {
      return latest.serial
    }
    // A staging that was killed has the pages before the catalogue.
    if try store.list("cycles/").contains(where: { SiteFolder.page(at: $0.key)?.name == "manifest.json" }) {
      return 0
    }
    throw UserError(
      .badCall, operation: operation, path: store.name,
      reason: "Chartpipe did not write its \(page), and there is no \(PublishedCatalogue.path)",
      suggestion: "Name a new or empty place, or move \(page) away.")
  }
}
