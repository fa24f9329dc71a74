internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// `latest.json`: the answer to "is there anything newer?" in a few hundred bytes, and a few kilobytes for all charts.
///
/// It holds hashes and edition dates. A client that finds one that it does not have reads the catalogue or `regions.json`, which
/// say the rest and which a signature covers.
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
  /// The charts by pipeline.
  var charts: [String: Charts]

  /// The charts of one pipeline.
  struct Charts: Codable, Equatable {
    /// The latest edition among them.
    var edition: String
    /// Of the charts with another edition, by the same names; nil when there is none.
    var older: [String: String]?
    /// The first digits of the SHA-256 of the file of tiles, by the part of the product's id after the pipeline.
    var tiles: [String: String]

    /// 48 bits: enough to see a change, and short for a hundred charts.
    private static let digits = 12

    /// - Parameter charts: not empty; each with the name that it has here.
    fileprivate init(_ charts: [(name: String, product: Product)]) {
      let latest = charts.map(\.product.edition).max() ?? ""
      edition = latest
      let others = charts.filter { $0.product.edition != latest }.map { ($0.name, $0.product.edition) }
      older = others.isEmpty ? nil : Dictionary(others) { first, _ in first }
      tiles = Dictionary(
        charts.compactMap { name, product in
          product.files.first { $0.role == "tiles" }.map {
            (name, String("\($0.sha256)".prefix(Charts.digits)))
          }
        }
      ) { first, _ in first }
    }
  }

  init(_ catalogue: Catalog, sha256: SHA256Hex) {
    (serial, catalog, regions) = (catalogue.serial, sha256, catalogue.regions?.sha256)
    (cycle, expires) = (catalogue.current?.id, catalogue.current?.expires)
    let shown = Dictionary(grouping: catalogue.products, by: \.id).compactMapValues(catalogue.shown)
    products = shown.filter { $0.value.kind != .chart }.compactMapValues { $0.files.first?.sha256 }
    let named = shown.values.filter { $0.kind == .chart }.map { product in
      let parts = product.id.split(separator: "/", maxSplits: 1).map(String.init)
      return (pipeline: parts.first ?? "", name: parts.last ?? "", product: product)
    }
    charts = Dictionary(grouping: named, by: \.pipeline).mapValues {
      Charts($0.map { ($0.name, $0.product) })
    }
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
