internal import Foundation

/// The pages that follow from the catalogue, for people and for clients that do not read it: those at the root of a site, and the
/// TileJSON files in `charts/`.
extension Catalog {
  /// The names at the root.
  static let rootCopies = [
    RegionList.path, LatestAnswer.path, SitePage.path, WebMap.stylePath, CycleFeed.path,
  ]

  /// Without `latest.json`.
  ///
  /// - Parameters:
  ///   - regions: the bytes that the catalogue names.
  ///   - site: the public address of the site, for the addresses of tiles and the links of the feed; nil for relative ones.
  func copies(regions: Data, site: String? = nil) throws -> [(name: String, data: Data)] {
    try [
      (RegionList.path, regions), (SitePage.path, SitePage.data),
      (CycleFeed.path, CycleFeed(self, site: site).data),
    ] + WebMap(self, site: site).files
  }
}
