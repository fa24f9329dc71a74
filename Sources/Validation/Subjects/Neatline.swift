internal import Core

/// The edge of a chart as its archive tells it, in metres of Web Mercator.
struct Neatline {
  /// Those of a mosaic's charts may overlap.
  let polygons: [PlanePolygon]

  /// How far a tile may lie off the edge before its presence or absence says something: the cut is made in the pixels
  /// of the sheet, and the warp looks a few pixels beyond each.
  static func tolerance(zoom: Int) -> Double { 4 * WebMercator.resolution(zoom: zoom) }

  init(polygons: [PlanePolygon]) { self.polygons = polygons }

  /// Reads a Polygon or a MultiPolygon, with holes or without.
  init?(geoJSON text: String) {
    guard let shape = GeoJSONPolygons(text: text),
      shape.polygons.joined().joined().allSatisfy({ abs($0[0]) <= 360 && abs($0[1]) < 90 })
    else { return nil }
    polygons = shape.polygons.map { rings in
      let projected = rings.map { ring in
        PlaneRing(
          ring.dropLast().map {
            let (x, y) = WebMercator.project(GeoPoint(longitude: $0[0], latitude: $0[1]))
            return PlanePoint(x: x, y: y)
          })
      }
      return PlanePolygon(outline: projected[0], holes: Array(projected.dropFirst()))
    }
  }

  /// For an archive that does not tell where it was cut.
  init(around box: PlaneBox) {
    let corners = [
      PlanePoint(x: box.minX, y: box.minY), PlanePoint(x: box.maxX, y: box.minY),
      PlanePoint(x: box.maxX, y: box.maxY), PlanePoint(x: box.minX, y: box.maxY),
    ]
    self.init(polygons: [PlanePolygon(outline: PlaneRing(corners))])
  }

  func contains(_ point: PlanePoint) -> Bool {
    polygons.contains { $0.outline.box?.contains(point) == true && $0.contains(point) }
  }

  func relation(to box: PlaneBox) -> PlaneRelation {
    var isCrossing = false
    for polygon in polygons {
      switch polygon.relation(to: box) {
      case .inside: return .inside
      case .crossing: isCrossing = true
      case .outside: continue
      }
    }
    return isCrossing ? .crossing : .outside
  }

  /// Whether so much of the chart lies in a tile that the tile must exist: a spot as wide as the tolerance.
  func mustShow(_ tile: TileID) -> Bool {
    let radius = Neatline.tolerance(zoom: tile.zoom) / 2
    let box = PlaneBox(of: tile)
    return polygons.contains { $0.hasRoom(forRadius: radius, in: box) }
  }
}
