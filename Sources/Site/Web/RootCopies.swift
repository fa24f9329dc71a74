internal import Foundation

/// The pages that follow from the catalogue, for people and for clients that do not read it: those at the root of a site, and the
/// TileJSON files in `charts/`.
struct RootCopies {
  /// The names at the root.
  static let names = [RegionList.path, LatestAnswer.path, SitePage.path, WebMap.stylePath, CycleFeed.path]

  /// Without `latest.json`.
  let files: [(name: String, data: Data)]

  /// - Parameters:
  ///   - regions: the bytes that the catalogue names.
  ///   - site: the public address of the site, for the addresses of tiles and the links of the feed; nil for relative ones.
  init(_ catalogue: Catalog, regions: Data, site: String? = nil) throws {
    files =
      try [
        (RegionList.path, regions), (SitePage.path, SitePage.data),
        (CycleFeed.path, CycleFeed(catalogue, site: site).data),
      ] + WebMap(catalogue, site: site).files
  }
}
