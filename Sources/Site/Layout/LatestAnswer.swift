internal import Core
internal import Foundation

/// `latest.json`: the hashes and edition dates of the current products, in a few kilobytes, for clients that poll.
///
/// A client that finds a new hash reads the catalogue or `regions.json`, which have the details and are signed.
struct LatestAnswer: Codable, Equatable {
  enum Format: String, Codable {
    case version1 = "chartpipe-latest-1"
  }

  static let path = "latest.json"

  var format = Format.version1
  var serial: Int
  /// The hash of `catalog.json`.
  var catalog: SHA256Hex
  /// The hash of `regions.json`, which changes with any chart.
  var regions: SHA256Hex?
  /// The current cycle; nil when the site has none.
  var cycle: AiracCycle?
  var expires: Instant?
  /// The SHA-256 of the first file of each database and each export, by the product's id.
  var products: [String: SHA256Hex]
  /// The charts by pipeline.
  var charts: [String: Charts]

  /// The charts of one pipeline.
  struct Charts: Codable, Equatable {
    /// The latest edition among them.
    var edition: IssueDate
    /// The editions of the charts with an older edition, by the same names; nil when there is none.
    var older: [String: IssueDate]?
    /// The first digits of the SHA-256 of the file of tiles, by the part of the product's id after the pipeline.
    var tiles: [String: String]

    /// 48 bits: enough to see a change, and short for a hundred charts.
    private static let digits = 12

    fileprivate init?(_ charts: [Product]) {
      guard let latest = charts.map(\.edition).max() else { return nil }
      edition = latest
      let others = charts.filter { $0.edition != latest }.map { ($0.id.itemOfID, $0.edition) }
      older = others.isEmpty ? nil : Dictionary(first: others)
      tiles = Dictionary(
        first: charts.compactMap { chart in
          chart.archive.map { (chart.id.itemOfID, String($0.sha256.text.prefix(Charts.digits))) }
        })
    }
  }

  init(_ catalogue: Catalog, sha256: SHA256Hex) {
    (serial, catalog, regions) = (catalogue.serial, sha256, catalogue.regions?.sha256)
    (cycle, expires) = (catalogue.current?.id, catalogue.current?.expires)
    let shown = Dictionary(grouping: catalogue.products, by: \.id).compactMapValues(catalogue.shown)
    products = shown.filter { $0.value.kind != .chart }.compactMapValues { $0.files.first?.sha256 }
    charts = Dictionary(grouping: shown.values.filter { $0.kind == .chart }, by: \.id.pipelineOfID)
      .compactMapValues(Charts.init)
  }

  var data: Data { get throws { try CanonicalJSON.line(self) + Data("\n".utf8) } }
}
