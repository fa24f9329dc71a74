internal import Core
internal import CryptoIO
internal import Fetch
internal import Foundation
internal import ImageIO
internal import Pipeline
internal import RasterIO
internal import SQLiteIO
internal import TileArchive

extension ChartRequest {
  /// What the archive says of itself.
  func archiveMetadata(_ neatline: Neatline) -> ArchiveMetadata {
    let ends = cycle.issue(family.cadence, stepsAhead: 1).effectiveDay.adding(days: -1)
    return ArchiveMetadata(
      name: chart.name, format: tiles.format.imageType, bounds: neatline.bounds,
      adjustedBounds: neatline.adjustedBounds, minZoom: tiles.minZoom, maxZoom: tiles.maxZoom,
      attribution: family.attribution,
      description: "\(family.title): \(chart.name), edition of \(edition.effectiveDay) to \(ends)",
      version: edition.identifier, type: "overlay",
      extra: [
        "chartpipe:cycle": cycle.identifier,
        "chartpipe:effective": edition.effective.description,
        "chartpipe:expires": cycle.expires(family.cadence).description,
        "chartpipe:source_sha256": source.sha256.text,
        "chartpipe:neatline": neatline.geoJSON,
      ])
  }

  /// What the catalogue says of it.
  func product(
    of file: URL, neatline: Neatline, cut: Product.Cut, sources: [Product.Source], summary: ArchiveSummary
  ) throws -> Product {
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    var product = Product(
      id: productID, kind: .chart, name: chart.name, cycle: cycle.identifier,
      edition: edition.effectiveDay.description, effectiveDate: edition.effective.description,
      expirationDate: cycle.expires(family.cadence).description, boundingBox: neatline.bounds,
      boundingBoxes: neatline.windows.count == 1 ? nil : neatline.windows,
      minZoom: tiles.minZoom, maxZoom: tiles.maxZoom, format: tiles.format.imageType,
      files: [
        Product.File(
          path: fileName, sha256: try SHA256Hex(ofFile: file), bytes: size ?? 0,
          mediaType: "application/vnd.sqlite3", role: "tiles")
      ],
      sources: sources,
      build: Product.Build(
        tool: ToolVersion.tool, version: ToolVersion.version,
        libraries: ChartBuilder.libraries(engine: engine),
        definitionSha256: definitionSha256,
        counts: [
          "tiles": summary.tiles, "distinctTiles": summary.distinctTiles, "tileBytes": summary.tileBytes,
        ], tileLoss: family.gates?.tileLoss),
      cut: cut,
      family: family.covers.map { Product.Family(charts: family.charts.count, covers: $0) },
      region: family.region(of: chart))
    product.tileSize = tiles.size == 256 ? nil : tiles.size
    product.variantOf = family.standardName.map { "\($0)/\(chart.id)" }
    return product
  }
}
