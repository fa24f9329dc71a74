internal import Core
internal import RasterIO

/// A position in a sheet's image. (0, 0) is the upper left corner of the first pixel.
struct PixelPoint: Hashable, Sendable {
  var column: Double
  var row: Double

  func distance(to other: PixelPoint) -> Double {
    let (across, down) = (column - other.column, row - other.row)
    return (across * across + down * down).squareRoot()
  }

  func halfway(to other: PixelPoint) -> PixelPoint {
    PixelPoint(column: (column + other.column) / 2, row: (row + other.row) / 2)
  }

  /// The point at a share of the way to another one.
  func point(_ share: Double, to other: PixelPoint) -> PixelPoint {
    PixelPoint(column: column + share * (other.column - column), row: row + share * (other.row - row))
  }

  var plane: PlanePoint { PlanePoint(x: column, y: row) }
}

extension GeoPoint {
  var plane: PlanePoint { PlanePoint(x: longitude, y: latitude) }
}

extension GeoTransform {
  /// The position of projected coordinates in the image.
  func point(x: Double, y: Double) -> PixelPoint {
    let (column, row) = pixel(x: x, y: y)
    return PixelPoint(column: column, row: row)
  }

  /// The corners of an image with their projected coordinates.
  func corners(width: Int, height: Int) -> [(pixel: PixelPoint, x: Double, y: Double)] {
    [(0, 0), (width, 0), (0, height), (width, height)].map { column, row in
      let pixel = PixelPoint(column: Double(column), row: Double(row))
      let (x, y) = projected(column: pixel.column, row: pixel.row)
      return (pixel, x, y)
    }
  }
}

/// How far a sheet leans: whether its rows run from west to east.
extension GeoTransform {
  /// The share of a pixel by which the next one in a row may lie higher or lower on a sheet that does not lean.
  private static let slack = 0.02

  /// Whether the rows of the image are not level on the map.
  var isLeaning: Bool { abs(rotationY) > GeoTransform.slack * pixelSize.across || pixelWidth < 0 }

  /// Whether the image's columns are nearer to north than to any other direction.
  var isUpright: Bool { pixelWidth > abs(rotationX) && -pixelHeight > abs(rotationY) }

  /// Whether the image's rows run more from south to north, or from north to south, than from west to east.
  var isSideways: Bool { abs(rotationY) > abs(pixelWidth) }
}

extension [Double] {
  /// The upper of two middle values; the list is not empty.
  var upperMedian: Double { sorted()[count / 2] }
}

/// The projection does not give a place for some pixels of a sheet.
struct UnprojectableSheet: Error, CustomStringConvertible {
  var description: String { "part of the image lies nowhere on earth" }
}

/// Converts places on the earth to pixels of a sheet and back. NAD83 and WGS84 are treated as the same.
final class SheetProjection {
  let width: Int
  let height: Int
  let placing: GeoTransform
  private let toPlace: CoordinateTransform
  private let toSheet: CoordinateTransform
  private let middle: Double

  init(projection: SpatialReference, placing: GeoTransform, width: Int, height: Int) throws {
    let own = try projection.onWGS84()
    let degrees = try SpatialReference(epsg: 4326)
    toPlace = try CoordinateTransform(from: own, to: degrees)
    toSheet = try CoordinateTransform(from: degrees, to: own)
    self.placing = placing
    self.width = width
    self.height = height
    let center = placing.projected(column: Double(width) / 2, row: Double(height) / 2)
    guard let place = toPlace(x: center.x, y: center.y) else {
      throw UnprojectableSheet()
    }
    middle = place.x
  }

  convenience init(_ sheet: ChartSheet) throws {
    try self.init(
      projection: try SpatialReference(wkt: sheet.projection), placing: sheet.placing, width: sheet.width,
      height: sheet.height)
  }

  /// Longitudes are continuous from the sheet's middle, also on a sheet across 180 degrees.
  func place(of pixel: PixelPoint) -> GeoPoint? {
    let projected = placing.projected(column: pixel.column, row: pixel.row)
    guard let place = toPlace(x: projected.x, y: projected.y) else { return nil }
    return GeoPoint(
      longitude: middle + (place.x - middle).remainder(dividingBy: 360), latitude: place.y)
  }

  func pixel(of place: GeoPoint) -> PixelPoint? {
    toSheet(x: place.longitude, y: place.latitude).map { placing.point(x: $0.x, y: $0.y) }
  }
}
