internal import ChartpipeClient
internal import Core
internal import Foundation

/// The opened archives of a pack, and the tiles to copy from them.
struct PreparedCut {
  /// In the order of the charts.
  let archives: [URL]
  let readers: [any TileSource]
  let join: AreaJoin
  /// The indexes of the charts that have at least one of the tiles.
  let used: [Int]
  let downloadBytes: Int
  let largestZoom: Int
  /// The number of tiles of the largest zoom that intersect the area and are in no chart.
  let missing: Int

  init(_ charts: [SourceChart], _ area: FlightArea, _ zooms: ClosedRange<Int>, _ files: PackFiles?) throws {
    let archives = try charts.map { try files?.archive($0) ?? $0.archive }.compactMap(\.self)
    let boxes = charts.flatMap(\.boxes)
    let wanted = Set(
      area.tiles(zooms: zooms) { tile in
        let box = tile.box
        return boxes.contains { $0.overlaps(box) }
      })
    join = try AreaJoin(archives, wanted: wanted, zooms: zooms)
    guard !join.tiles.isEmpty else {
      throw ChartChoice.userError(
        "the charts have no tile in the area",
        "Compare the area with the charts: `chartpipe preview` shows them.")
    }
    let tiles = Set(join.tiles)
    self.archives = archives
    readers = try archives.map { try ArchiveKind.open($0) }
    used = join.used
    downloadBytes = try archives.reduce(0) { sum, archive in
      try sum + (files?.downloadBytes(archive, tiles) ?? 0)
    }
    largestZoom = join.tiles.map(\.zoom).max() ?? 0
    var inArea = 0
    area.forEachTile(zooms: zooms.upperBound...zooms.upperBound) { _ in inArea += 1 }
    missing = inArea - tiles.count { $0.zoom == zooms.upperBound }
  }
}

/// The area that the charts of a pack cover, by their neatlines.
struct Coverage {
  private let polygons: [PlanePolygon]
  /// The tiles at the largest zoom of archives without a neatline.
  private let tiles: [(zoom: Int, tiles: Set<TileID>)]

  init(_ archives: [any TileSource]) throws {
    var polygons: [PlanePolygon] = []
    var tiles: [(zoom: Int, tiles: Set<TileID>)] = []
    for archive in archives {
      if let shape = try archive.metadata()["chartpipe:neatline"].flatMap({ GeoJSONPolygons(text: $0) }) {
        polygons += shape.polygons.map(PlanePolygon.init(degrees:))
      } else {
        let all = try archive.tileIDs()
        let zoom = all.map(\.zoom).max() ?? 0
        tiles.append((zoom, Set(all.filter { $0.zoom == zoom })))
      }
    }
    (self.polygons, self.tiles) = (polygons, tiles)
  }

  func contains(_ place: GeoPoint) -> Bool {
    guard abs(place.longitude) == 180 else { return shows(place) }
    // The line of 180 degrees is an edge of the polygons on either side.
    return [-180, 180].contains { shows(GeoPoint(latitude: place.latitude, longitude: $0)) }
  }

  private func shows(_ place: GeoPoint) -> Bool {
    let point = PlanePoint(x: place.longitude, y: place.latitude)
    return polygons.contains { $0.outline.box?.contains(point) ?? false && $0.contains(point) }
      || tiles.contains { $0.tiles.contains(TileID(zoom: $0.zoom, containing: place)) }
  }

  /// Returns the parts of a route that no chart covers, sampled every half mile.
  ///
  /// - Returns: `KMRY` for a single point, or `KSQL to KMRY: from 12.5 to 40.0 NM after KSQL`.
  func gaps(_ points: [RoutePoint]) -> [String] {
    guard points.count > 1 else { return points.filter { !contains($0.place) }.map(\.name) }
    return zip(points, points.dropFirst()).flatMap { gaps(from: $0, to: $1) }
  }

  private func gaps(from: RoutePoint, to: RoutePoint) -> [String] {
    let length = from.place.distance(to: to.place)
    let steps = max(1, Int((length * 2).rounded(.up)))
    var gaps: [String] = []
    var start: Double?
    for step in 0...steps {
      let share = Double(step) / Double(steps)
      let isCovered = contains(from.place.point(at: share, to: to.place))
      if !isCovered, start == nil { start = Double(max(0, step - 1)) / Double(steps) }
      if let first = start, isCovered || step == steps {
        let isWhole = first <= 0 && share >= 1
        let part = "from \(tenths(first * length)) to \(tenths(share * length)) NM after \(from.name)"
        gaps.append("\(from.name) to \(to.name): \(isWhole ? "the whole leg" : part)")
        start = nil
      }
    }
    return gaps
  }

  private func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension PlanePolygon {
  fileprivate init(degrees rings: [[[Double]]]) {
    let rings = rings.map { ring in PlaneRing(ring.dropLast().map { PlanePoint(x: $0[0], y: $0[1]) }) }
    self.init(outline: rings[0], holes: Array(rings.dropFirst()))
  }
}
