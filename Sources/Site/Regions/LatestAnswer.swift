internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// `latest.json`: the answer to "is there anything newer?" in a few hundred bytes.
///
/// It holds hashes only. A client that finds one that it does not have reads the catalogue or `regions.json`, which say the rest
/// and which a signature covers.
struct LatestAnswer: Codable, Equatable {
  enum Format: String, Codable {
    case version1 = "chartpipe-latest-1"
  }

  static let path = "latest.json"

  var format = Format.version1
  var serial: Int
  /// Of `catalog.json`.
  var catalog: SHA256Hex
  /// Of `regions.json`: another one where any chart has changed.
  var regions: SHA256Hex?
  /// The current cycle; nil when the site has none.
  var cycle: String?
  var expires: String?
  /// The SHA-256 of the first file of each database and each export, by the product's id.
  var products: [String: SHA256Hex]

  init(_ catalogue: Catalog, sha256: SHA256Hex) {
    (serial, catalog, regions) = (catalogue.serial, sha256, catalogue.regions?.sha256)
    (cycle, expires) = (catalogue.current?.id, catalogue.current?.expires)
    let entries = Dictionary(grouping: catalogue.products.filter { $0.kind != .chart }, by: \.id)
    products = entries.compactMapValues { catalogue.shown(of: $0)?.files.first?.sha256 }
  }

  var data: Data { get throws { try CanonicalJSON.line(self) + Data("\n".utf8) } }
}

/// The files at the root of a site that repeat what its catalogue says, for clients that do not read it. They are written after
/// the catalogue: for a moment they may be those of the one before, whose files are all there.
struct RootCopies {
  static let names = [RegionList.path, LatestAnswer.path]

  let files: [(name: String, data: Data)]

  /// - Parameters:
  ///   - regions: the bytes that the catalogue names.
  ///   - data: of the catalogue.
  init(_ catalogue: Catalog, _ data: Data, regions: Data) throws {
    let latest = LatestAnswer(catalogue, sha256: try SHA256Hex(of: Array(data)))
    files = [(RegionList.path, regions), (LatestAnswer.path, try latest.data)]
  }
}
