internal import Core
public import Foundation
internal import SQLiteIO

extension ExportSource {
  /// Writes the map of the database as vector tiles, in PMTiles and MBTiles.
  ///
  /// All cores encode units of the pyramid. The bytes do not depend on the number of threads.
  func writeVectorTiles(_ scratch: (String) -> URL) throws -> ExportContents {
    let layers = try shownLayers()
    let plan = try TileUnitPlan(layers, database)
    let tiles = scratch("\(definition.id).mbtiles")
    let writer = try MBTilesWriter(creating: tiles)
    var tally = FeatureTally()
    var done = 0
    let encode = { @Sendable [file] (unit: TileUnit) in try unit.encode(layers, plan.shapes, of: file) }
    try processInOrder(plan.units, width: jobs, work: encode) { result in
      for tile in result.tiles { try writer.add(tile) }
      tally.add(result)
      done += 1
      advanced(done, plan.units.count)
    }
    try tally.check(layers, plan, of: self)
    let metadata = try archiveMetadata(layers, plan, tally)
    let summary = try writer.finish(metadata)
    var contents = ExportContents(files: [], counts: tally.counts(layers, plan))
    contents.counts["tiles"] = summary.tiles
    contents.counts["tileBytes"] = summary.tileBytes
    contents.box = metadata.bounds
    contents.zooms = metadata.minZoom...metadata.maxZoom
    if try reportOmissions(layers) { contents.problemTotals["droppedRows"] = .rowDropped }
    contents.files = try archives(tiles, scratch)
    if layers.contains(where: { $0.name == MapLayer.airports.name }) {
      let name = "\(definition.id)-airports.json"
      try AirportList.write(self, to: scratch(name))
      contents.files.append((name, "application/json", .json))
    }
    return contents
  }

  /// The layers whose tables have rows.
  private func shownLayers() throws -> [MapLayer] {
    try MapLayer.layers(in: database).filter { layer in
      try !database.prepare(layer.boxQuery + " LIMIT 1").map { _ in true }.isEmpty
    }
  }

  /// The archives that the definition asks for. PMTiles are made of the MBTiles.
  private func archives(_ tiles: URL, _ scratch: (String) -> URL) throws -> [ExportContents.File] {
    let formats = definition.archives ?? [.pmtiles]
    let id = definition.id
    var files: [ExportContents.File] = []
    if formats.contains(.mbtiles) { files.append(("\(id).mbtiles", "application/vnd.sqlite3", .tiles)) }
    if formats.contains(.pmtiles) {
      let name = "\(id).pmtiles"
      _ = try PMTilesWriter.write(MBTilesReader(opening: tiles), isOwn: true, to: scratch(name)) { _, _ in
        try CancellationToken.current.check()
      }
      files.append((name, "application/vnd.pmtiles", .pmtiles))
    }
    if !formats.contains(.mbtiles) { try FileManager.default.removeItem(at: tiles) }
    return files
  }

  private func archiveMetadata(
    _ layers: [MapLayer], _ plan: TileUnitPlan, _ tally: FeatureTally
  ) throws -> ArchiveMetadata {
    guard let extent = tally.extent else {
      throw UserError(
        .badInput, operation: "making vector tiles of", path: file.path,
        reason: "the database has nothing with a position",
        suggestion: "Remove the export, or build the database with its tables.")
    }
    let isWrapped = extent.east > 180
    var extra = Dictionary(uniqueKeysWithValues: self.metadata.map { ("chartpipe:\($0)", $1) })
    extra["chartpipe:source_sha256"] = base.sources.first.map(\.sha256.text)
    var metadata = ArchiveMetadata(
      name: definition.title, format: "pbf",
      bounds: isWrapped ? GeoBox(west: -180, south: extent.south, east: 180, north: extent.north) : extent,
      adjustedBounds: isWrapped ? extent : nil, minZoom: tally.firstZoom, maxZoom: MapLayer.deepestZoom,
      attribution: "FAA, not for navigation", description: "\(definition.title), cycle \(base.cycle)",
      version: base.cycle.identifier, extra: extra)
    metadata.opening = (plan.busiest?.box.center).flatMap { metadata.bounds.contains($0) ? $0 : nil }
    metadata.vectorLayers = layers.enumerated().map { $1.description(from: plan.rows[$0].keys.min()) }
    return metadata
  }

  /// Records the rows that are left out. Returns whether layers can have some.
  private func reportOmissions(_ layers: [MapLayer]) throws -> Bool {
    for layer in layers {
      let table = layer.tableName
      for omission in layer.omissions {
        let rows = try database.prepare("SELECT count(*) FROM \(table)").map { $0.int(0) }
        problems.read(rows: rows.first ?? 0, of: table)
        try database.prepare(layer.nameQuery(omission.condition)).rows { row in
          problems.recordDropped(
            row.text(0) ?? "", of: table, UnusableRow(column: "position", reason: omission.reason))
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
  /// By layer and zoom, whether each row is there, by its number.
  private var drawn: [[Int]: [Bool]] = [:]
  /// By the tile of the first zoom, the box of the deepest tiles.
  private var boxes: [TileID: GeoBox] = [:]
  /// The first zoom with a tile.
  private(set) var firstZoom = MapLayer.deepestZoom

  mutating func add(_ result: TileUnit.Encoded) {
    for (key, numbers) in result.drawn {
      var rows = drawn.removeValue(forKey: key) ?? []
      rows += repeatElement(false, count: max(0, (numbers.max() ?? 0) + 1 - rows.count))
      for number in numbers { rows[number] = true }
      drawn[key] = rows
    }
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
    drawn[[layer, zoom]]?.count(where: \.self) ?? 0
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
        suggestion: "Report it: this is a fault of the program.")
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

extension MapLayer {
  /// The layer in the metadata of an archive.
  fileprivate func description(from zoom: Int?) -> VectorLayer {
    VectorLayer(
      id: name, description: comment, minZoom: zoom ?? MapLayer.zooms.lowerBound,
      maxZoom: MapLayer.deepestZoom,
      fields: Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.kind.title) }))
  }
}

extension MapLayer.Property.Kind {
  /// As the list of layers names it.
  fileprivate var title: String {
    switch self {
    case .text: "String"
    case .number: "Number"
    case .flag: "Boolean"
    }
  }
}

/// The MapLibre style of the exports' vector tiles, which looks like an aeronautical chart.
public enum VectorTileStyle {
  /// Returns the layers of the style as a JSON array, from bottom to top.
  ///
  /// They need no sprite. Layers with text use the font `Noto Sans Regular`, which a style names with `glyphs`.
  ///
  /// - Parameters:
  ///   - aviation: The name of the style's source with the tiles of `aviation.sqlite`; nil without such tiles.
  ///   - obstacles: The name of the source with the tiles of `obstacles.sqlite`; nil without such tiles.
  ///   - procedures: The name of the source with the tiles of `procedures.sqlite`; nil without such tiles.
  ///   - hasGlyphs: Whether the style has glyphs. Without them the layers with text are left out.
  public static func layers(
    aviation: String?, obstacles: String?, procedures: String?, hasGlyphs: Bool
  ) throws -> Data {
    let names = ["aviation": aviation, "obstacles": obstacles, "procedures": procedures]
    let parsed = try JSONSerialization.jsonObject(with: Data(PackageResources.chart_style_json))
    let layers = (parsed as? [[String: Any]] ?? []).compactMap { layer -> [String: Any]? in
      guard let source = layer["source"] as? String, let name = names[source].flatMap(\.self),
        hasGlyphs || layer["type"] as? String != "symbol"
      else { return nil }
      return layer.merging(["source": name]) { $1 }
    }
    return try JSONSerialization.data(
      withJSONObject: layers, options: [.sortedKeys, .withoutEscapingSlashes])
  }
}
