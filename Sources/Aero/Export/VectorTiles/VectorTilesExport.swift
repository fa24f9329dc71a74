internal import Core
internal import CryptoIO
internal import Foundation
internal import RasterIO
internal import SQLiteIO

/// Writes the map of the database as vector tiles, in PMTiles and MBTiles.
///
/// GDAL's MVT driver encodes units of the pyramid on all cores. The archives are this program's own, so the bytes depend on neither the
/// number of threads nor the driver's way to store tiles.
struct VectorTilesExport {
  let source: ExportSource

  func write(_ scratch: (String) -> URL) throws -> ExportContents {
    let layers = try shownLayers()
    let plan = try TileUnitPlan(layers, source.database)
    let tiles = scratch("\(source.definition.id).mbtiles")
    let writer = try MBTilesWriter(creating: tiles)
    var tally = FeatureTally()
    let encoder = TileUnitEncoder(database: source.file, layers: layers)
    var done = 0
    try processInOrder(plan.units, width: source.jobs, work: encoder.encode) { result in
      for tile in result.tiles { try writer.add(tile) }
      tally.add(result)
      done += 1
      source.advanced(done, plan.units.count)
    }
    try tally.check(layers, plan, of: source)
    let metadata = try metadata(layers, plan, tally)
    let summary = try writer.finish(metadata)
    var contents = ExportContents(files: [], counts: tally.counts(layers, plan))
    contents.counts["tiles"] = summary.tiles
    contents.counts["tileBytes"] = summary.tileBytes
    contents.box = metadata.bounds
    contents.zooms = metadata.minZoom...metadata.maxZoom
    if try reportOmissions(layers) { contents.problemTotals["droppedRows"] = .rowDropped }
    contents.files = try archives(tiles, scratch)
    return contents
  }

  /// The layers whose tables have rows.
  private func shownLayers() throws -> [MapLayer] {
    try MapLayer.all.filter { layer in
      try layer.isTable(in: source.database)
        && !source.database.prepare(layer.boxQuery + " LIMIT 1").map { _ in true }.isEmpty
    }
  }

  /// The archives that the definition asks for. PMTiles are made of the MBTiles.
  private func archives(_ tiles: URL, _ scratch: (String) -> URL) throws -> [ExportContents.File] {
    let formats = source.definition.archives ?? [.pmtiles]
    let id = source.definition.id
    var files: [ExportContents.File] = []
    if formats.contains(.mbtiles) {
      files.append(
        .init(name: "\(id).mbtiles", mediaType: "application/vnd.sqlite3", role: .tiles))
    }
    if formats.contains(.pmtiles) {
      let name = "\(id).pmtiles"
      _ = try PMTilesWriter.write(MBTilesReader(opening: tiles), isOwn: true, to: scratch(name)) { _, _ in
        try CancellationToken.current.check()
      }
      files.append(.init(name: name, mediaType: "application/vnd.pmtiles", role: .pmtiles))
    }
    if !formats.contains(.mbtiles) { try FileManager.default.removeItem(at: tiles) }
    return files
  }

  private func metadata(
    _ layers: [MapLayer], _ plan: TileUnitPlan, _ tally: FeatureTally
  ) throws -> ArchiveMetadata {
    guard let extent = tally.extent else {
      throw UserError(
        .badInput, operation: "making vector tiles of", path: source.file.path,
        reason: "the database has nothing with a position",
        suggestion: "Remove the export, or build the database with its tables.")
    }
    let isWrapped = extent.east > 180
    var extra = Dictionary(uniqueKeysWithValues: source.metadata.map { ("chartpipe:\($0)", $1) })
    extra["chartpipe:source_sha256"] = source.base.sources.first.map(\.sha256.text)
    var metadata = ArchiveMetadata(
      name: source.definition.title, format: "pbf",
      bounds: isWrapped ? GeoBox(west: -180, south: extent.south, east: 180, north: extent.north) : extent,
      adjustedBounds: isWrapped ? extent : nil, minZoom: tally.firstZoom, maxZoom: MapLayer.deepestZoom,
      attribution: "FAA, not for navigation",
      description: "\(source.definition.title), cycle \(source.base.cycle)",
      version: source.base.cycle.identifier, extra: extra)
    metadata.opening = plan.busiest?.box.center
    metadata.vectorLayers = layers.enumerated().map { $1.description(from: plan.rows[$0].keys.min()) }
    return metadata
  }

  /// Records the rows that are left out. Returns whether layers can have some.
  private func reportOmissions(_ layers: [MapLayer]) throws -> Bool {
    for layer in layers {
      let table = String(layer.table.prefix { $0 != " " })
      for omission in layer.omissions {
        let rows = try source.database.prepare("SELECT count(*) FROM \(table)").map { $0.int(0) }
        source.problems.read(rows: rows.first ?? 0, of: table)
        try source.database.prepare(layer.nameQuery(omission.condition)).rows { row in
          source.problems.recordDropped(
            row.text(0) ?? "", of: table, column: "position", value: "", omission.reason)
        }
      }
    }
    return layers.contains { !$0.omissions.isEmpty }
  }
}

extension TileUnitPlan {
  /// The part of the map with most rows, where a map view opens.
  fileprivate var busiest: TileID? {
    let counts = units.filter { $0.zooms.lowerBound == MapLayer.zooms.lowerBound }.map { unit in
      (unit.root, unit.rows.reduce(0) { $0 + $1.count })
    }
    return counts.max { $0.1 < $1.1 }?.0
  }
}

/// Which features the tiles of each zoom show.
private struct FeatureTally {
  private var drawn: [TileUnitEncoder.Drawn: NumberSet] = [:]
  /// By the tile of the first zoom, the box of the deepest tiles.
  private var boxes: [TileID: GeoBox] = [:]
  /// The first zoom with a tile.
  private(set) var firstZoom = MapLayer.deepestZoom

  mutating func add(_ result: TileUnitEncoder.Result) {
    for (key, numbers) in result.drawn { drawn[key, default: NumberSet()].formUnion(numbers) }
    firstZoom = result.tiles.reduce(firstZoom) { min($0, $1.id.zoom) }
    for tile in result.tiles where tile.id.zoom == MapLayer.deepestZoom {
      let root = tile.id.ancestor(zoom: MapLayer.zooms.lowerBound)
      boxes[root] = boxes[root]?.union(tile.id.box) ?? tile.id.box
    }
  }

  /// The box of all deepest tiles. Its east is beyond 180 where they cross that meridian.
  var extent: GeoBox? {
    GeoBox(aroundWorld: boxes.sorted { $0.key.hilbert < $1.key.hilbert }.map(\.value))
  }

  private func count(_ layer: Int, _ zoom: Int) -> Int {
    drawn[.init(layer: layer, zoom: zoom)]?.count ?? 0
  }

  /// Every row must be in a tile of the deepest zoom.
  func check(_ layers: [MapLayer], _ plan: TileUnitPlan, of source: ExportSource) throws {
    for (index, layer) in layers.enumerated() {
      let (expected, found) = (
        plan.rows(of: index, zoom: MapLayer.deepestZoom), count(index, MapLayer.deepestZoom)
      )
      guard expected != found else { continue }
      throw UserError(
        .failed, operation: "making vector tiles of", path: source.file.path,
        reason:
          "\(expected - found) of \(expected) \(layer.name) are in no tile of zoom \(MapLayer.deepestZoom)",
        suggestion: "Report it with the versions of `chartpipe doctor`: GDAL's encoder dropped them.")
    }
  }

  /// The number of features of each layer, and how many are too small to be drawn at a zoom.
  func counts(_ layers: [MapLayer], _ plan: TileUnitPlan) -> [String: Int] {
    var counts: [String: Int] = [:]
    for (index, layer) in layers.enumerated() {
      counts[layer.name] = count(index, MapLayer.deepestZoom)
      for zoom in MapLayer.zooms {
        let missing = plan.rows(of: index, zoom: zoom) - count(index, zoom)
        if missing > 0 { counts["\(layer.name)TooSmallAtZoom\(zoom)"] = missing }
      }
    }
    return counts
  }
}

/// A set of row numbers as bits.
private struct NumberSet {
  private var words: [UInt64] = []
  private(set) var count = 0

  mutating func formUnion(_ numbers: some Sequence<Int>) {
    for number in numbers {
      let (word, bit) = (number / 64, UInt64(1) << UInt64(number % 64))
      if word >= words.count { words.append(contentsOf: repeatElement(0, count: word - words.count + 1)) }
      if words[word] & bit == 0 { count += 1 }
      words[word] |= bit
    }
  }
}

extension MapLayer {
  /// The layer in the metadata of an archive.
  fileprivate func description(from zoom: Int?) -> VectorLayer {
    VectorLayer(
      id: name, description: comment, minZoom: zoom ?? MapLayer.zooms.lowerBound,
      maxZoom: MapLayer.deepestZoom,
      fields: Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.kind.title) }))
  }
}

extension VectorTileEncoder.Field.Kind {
  /// As the list of layers names it.
  fileprivate var title: String {
    switch self {
    case .text: "String"
    case .integer, .real: "Number"
    case .flag: "Boolean"
    }
  }
}
