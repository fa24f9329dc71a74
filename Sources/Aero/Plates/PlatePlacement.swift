internal import Core
internal import RasterIO

/// How a georeferenced page lies on the earth.
///
/// Places on the page are shares of its media box, from its upper left corner, so that they hold for a picture of any size.
struct PlatePlacement {
  /// A point of the page and its place on the earth.
  struct ControlPoint {
    let across: Double
    let down: Double
    let place: GeoPoint
  }

  /// Where the place comes from.
  enum Source: String {
    /// The PDF's georeference.
    case pdf
    /// The labelled meridians and parallels of an airport diagram.
    case ticks
  }

  let source: Source
  /// The reference system of the page as WKT.
  let projection: String
  /// From shares of the page to the reference system: x = `six[0] + across * six[1] + down * six[2]`, y with the other three.
  let six: [Double]
  /// The points by which the PDF states its place, in its order, or the corners of a diagram.
  let controlPoints: [ControlPoint]

  /// Nil for a page without a georeference, such as an airport diagram.
  init?(_ page: PlatePage) throws {
    let memory = try MemoryFile(page.bytes, extension: "pdf")
    defer { withExtendedLifetime(memory) {} }
    // GDAL's error names the file in memory, whose name is another one in each run.
    let dataset = try explaining({ _ in PlateDefect("it is damaged: GDAL cannot open it") }) {
      try RasterDataset(opening: memory.path, drivers: ["PDF"])
    }
    guard let transform = dataset.geoTransform, !dataset.projectionWKT.isEmpty,
      let neatline = dataset.metadata("NEATLINE"), dataset.width > 0, dataset.height > 0
    else { return nil }
    let (width, height) = (Double(dataset.width), Double(dataset.height))
    let toPlace = try CoordinateTransform(
      from: SpatialReference(wkt: dataset.projectionWKT).onWGS84(), to: SpatialReference(epsg: 4326))
    controlPoints = PlatePlacement.vertices(neatline).compactMap { x, y in
      let pixel = transform.pixel(x: x, y: y)
      return toPlace(x: x, y: y).map {
        ControlPoint(
          across: pixel.column / width, down: pixel.row / height,
          place: GeoPoint(longitude: $0.x, latitude: $0.y))
      }
    }
    guard controlPoints.count >= 3 else { return nil }
    (source, projection) = (.pdf, dataset.projectionWKT)
    six = [
      transform.originX, transform.pixelWidth * width, transform.rotationX * height, transform.originY,
      transform.rotationY * width, transform.pixelHeight * height,
    ]
  }

  /// The vertices of `POLYGON ((x y,x y,...))`, the first one not repeated.
  private static func vertices(_ polygon: String) -> [(Double, Double)] {
    let numbers = polygon.split { !"0123456789.-+eE ,".contains($0) }.last ?? ""
    let points = numbers.split(separator: ",").compactMap { point -> (Double, Double)? in
      let pair = point.split(separator: " ").compactMap { Double($0) }
      return pair.count == 2 ? (pair[0], pair[1]) : nil
    }
    guard let first = points.first, let last = points.last, points.count > 1 else { return points }
    return first == last ? points.dropLast() : points
  }
}
