import Foundation

/// A way by which strangers' bytes come into the program, under the name of its folder of the corpus.
///
/// Whatever is fed may be refused; it may not trap, hang, or take memory without end.
enum FuzzEntry: String, CaseIterable, Sendable {
  case aixm, catalog, csv, definition, htm, image, listing, mbtiles, nasr, obstacles, pmtiles, product,
    request, s3,
    signature,
    tif, zip

  /// Throws where the input is refused, which is what is hoped for.
  func feed(_ bytes: [UInt8]) throws {
    switch self {
    case .aixm: try SourceEntries.aixm(bytes)
    case .csv: try SourceEntries.csv(bytes)
    case .nasr: try SourceEntries.nasr(bytes)
    case .obstacles: try SourceEntries.obstacles(bytes)
    case .htm: try SheetEntries.htm(bytes)
    case .tif: try SheetEntries.tif(bytes)
    case .image: try SheetEntries.image(bytes)
    case .zip: try SheetEntries.zip(bytes)
    case .mbtiles: try ArchiveEntries.archive(bytes, ending: "mbtiles")
    case .pmtiles: try ArchiveEntries.archive(bytes, ending: "pmtiles")
    case .product: try ArchiveEntries.product(bytes)
    case .catalog: try SiteEntries.catalog(bytes)
    case .signature: try SiteEntries.signature(bytes)
    case .s3: try SiteEntries.s3(bytes)
    case .listing: try SiteEntries.listing(bytes)
    case .definition: try SiteEntries.definition(bytes)
    case .request: try SiteEntries.request(bytes)
    }
  }
}
