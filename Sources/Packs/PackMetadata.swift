internal import ChartpipeClient
internal import Core

/// The metadata of a pack's archive.
struct PackMetadata {
  let name: String
  let area: FlightArea
  let request: AreaText
  let points: [RoutePoint]
  let charts: [SourceChart]
  /// The metadata of each chart's archive.
  let rows: [[String: String]]

  func archiveMetadata(_ tiles: [TileID]) throws -> ArchiveMetadata {
    let zooms = tiles.map(\.zoom)
    guard let first = rows.first, let least = zooms.min(), let largest = zooms.max() else {
      throw ChartChoice.userError("there is no tile", "Give a larger area.")
    }
    let extent = extent(of: tiles.filter { $0.zoom == largest })
    var metadata = ArchiveMetadata(
      name: name, format: first["format"] ?? "png",
      bounds: extent.windows.dropFirst().reduce(extent.windows[0]) { $0.union($1) },
      adjustedBounds: extent.windows.count == 1 ? nil : extent, minZoom: least, maxZoom: largest,
      attribution: distinct("attribution").joined(separator: "; "),
      description: "\(name), cut from \(charts.map(\.name).joined(separator: ", "))",
      version: dated["version"] ?? "", type: first["type"] ?? "overlay", extra: try extra())
    metadata.opening = opening(tiles.filter { $0.zoom == largest }, in: extent)
    return metadata
  }

  /// The part of the charts that the tiles of the largest zoom cover.
  private func extent(of tiles: [TileID]) -> GeoBox {
    let charts = rows.flatMap { rows in
      GeoBox(adjustedIn: rows)?.windows ?? rows["bounds"].flatMap { GeoBox(metadata: $0) }.map { [$0] } ?? []
    }
    // Joins neighbours in a row into one box.
    let runs = tiles.sorted { ($0.row, $0.column) < ($1.row, $1.column) }.reduce(into: [GeoBox]()) {
      boxes, tile in
      let box = tile.box
      if let last = boxes.last, last.north == box.north, last.east == box.west {
        boxes[boxes.count - 1] = last.union(box)
      } else {
        boxes.append(box)
      }
    }
    let parts = runs.flatMap { run in charts.compactMap { $0.common(with: run) } }
    let whole = GeoBox(aroundWorld: parts.merged) ?? GeoBox(aroundWorld: runs.merged)
    return (whole ?? GeoBox(west: -180, south: -85, east: 180, north: 85)).rounded
  }

  /// Returns a position with tiles: the middle of the extent, or the nearest tile to it.
  private func opening(_ tiles: [TileID], in extent: GeoBox) -> GeoPoint? {
    let middle = extent.center
    if tiles.contains(where: { $0.box.contains(middle) }) { return nil }
    return tiles.map(\.box.center).min { middle.distance(to: $0) < middle.distance(to: $1) }
  }

  /// The metadata of the chart that expires first, since the pack expires with it.
  private var dated: [String: String] {
    rows.filter { $0["chartpipe:expires"] != nil }
      .min { ($0["chartpipe:expires"] ?? "") < ($1["chartpipe:expires"] ?? "") } ?? rows.first ?? [:]
  }

  private func extra() throws -> [String: String] {
    var extra = dated.filter {
      ["chartpipe:cycle", "chartpipe:effective", "chartpipe:expires"].contains($0.key)
    }
    let sources = distinct("chartpipe:source_sha256").flatMap { $0.split(separator: ",").map(String.init) }
    extra["chartpipe:source_sha256"] = sources.isEmpty ? nil : sources.uniqued.joined(separator: ",")
    extra["chartpipe:pack"] = try JSONValue.line(origin)
    return extra
  }

  private func distinct(_ key: String) -> [String] {
    rows.compactMap { $0[key] }.filter { !$0.isEmpty }.uniqued
  }

  private var origin: PackOrigin {
    let charts = zip(charts, rows).map { chart, rows in
      PackOrigin.Chart(
        id: chart.id, name: chart.name, cycle: rows["chartpipe:cycle"],
        effective: rows["chartpipe:effective"], expires: rows["chartpipe:expires"],
        tiles: rows[TileHash.metadataKey])
    }
    let places = points.map {
      PackOrigin.Point(name: $0.name, latitude: $0.place.latitude, longitude: $0.place.longitude)
    }
    switch request {
    case .route(_, let width), .around(_, let width):
      return PackOrigin(
        charts: charts, route: places, nauticalMiles: try? AreaText.nauticalMiles(width, "--width"))
    case .box(let text):
      let box = try? AreaText.boundingBox(text)
      return PackOrigin(charts: charts, box: box.map { [$0.west, $0.south, $0.east, $0.north] })
    }
  }
}

/// The metadata row `chartpipe:pack`: the area of a pack and its charts.
private struct PackOrigin: Encodable {
  struct Chart: Encodable {
    var id: String
    var name: String
    var cycle: String?
    var effective: String?
    var expires: String?
    /// The `agg_tiles_hash` of the chart's archive.
    var tiles: String?
  }

  struct Point: Encodable {
    var name: String
    var latitude: Double
    var longitude: Double
  }

  var charts: [Chart]
  var route: [Point]?
  /// On either side of the route, or the radius around a single point.
  var nauticalMiles: Double?
  /// West, south, east and north.
  var box: [Double]?
}

extension GeoBox {
  /// To a millionth of a degree, a tenth of a metre.
  fileprivate var rounded: GeoBox {
    GeoBox(
      west: millionths(west), south: millionths(south), east: millionths(east), north: millionths(north))
  }

  /// Returns the intersection of two boxes; nil where it is empty or an edge.
  fileprivate func common(with other: GeoBox) -> GeoBox? {
    let box = GeoBox(
      west: max(west, other.west), south: max(south, other.south), east: min(east, other.east),
      north: min(north, other.north))
    return box.west < box.east && box.south < box.north ? box : nil
  }
}

extension [GeoBox] {
  /// Joins the boxes of each hemisphere into one, so that a pack across 180 degrees has two.
  fileprivate var merged: [GeoBox] {
    let sides = [filter { $0.east <= 0 }, filter { $0.east > 0 }].filter { !$0.isEmpty }
    return sides.map { side in side.dropFirst().reduce(side[0]) { $0.union($1) } }
  }
}
