import Core
import Foundation
import ImageIO
import RasterIO
import RasterWriting
import TestSupport

@testable import ChartpipeKit

/// A map projection by closed formulas, which share no code with PROJ.
enum MapSystem: Sendable {
  case degrees
  case webMercator
  /// The central meridian of a northern zone.
  case utm(meridian: Double)
  /// EPSG:3413: true to scale at 70 degrees north, 45 degrees west is down.
  case polar

  var epsg: Int {
    switch self {
    case .degrees: 4326
    case .webMercator: 3857
    case .utm(let meridian): 32_600 + Int((meridian + 183) / 6)
    case .polar: 3413
    }
  }

  private static let axis = 6_378_137.0
  private static let flattening = 1 / 298.257223563
  private static let square = flattening * (2 - flattening)

  func place(x: Double, y: Double) -> GeoPoint {
    switch self {
    case .degrees: GeoPoint(longitude: x, latitude: y)
    case .webMercator: WebMercator.unproject(x: x, y: y)
    case .utm(let meridian): MapSystem.inverseTransverse(x, y, meridian)
    case .polar: MapSystem.inversePolar(x, y)
    }
  }

  /// Snyder, Map Projections: A Working Manual, equations 8-17 to 8-25.
  private static func inverseTransverse(_ x: Double, _ y: Double, _ meridian: Double) -> GeoPoint {
    let (e2, k0) = (square, 0.9996)
    let second = e2 / (1 - e2)
    let mu = y / k0 / (axis * (1 - e2 / 4 - 3 * e2 * e2 / 64 - 5 * e2 * e2 * e2 / 256))
    let root = (1 - e2).squareRoot()
    let e1 = (1 - root) / (1 + root)
    let foot =
      mu + (3 * e1 / 2 - 27 * e1 * e1 * e1 / 32) * sin(2 * mu)
      + (21 * e1 * e1 / 16 - 55 * pow(e1, 4) / 32) * sin(4 * mu) + 151 * e1 * e1 * e1 / 96 * sin(6 * mu)
      + 1097 * pow(e1, 4) / 512 * sin(8 * mu)
    let (c, t) = (second * cos(foot) * cos(foot), tan(foot) * tan(foot))
    let n = axis / (1 - e2 * sin(foot) * sin(foot)).squareRoot()
    let r = axis * (1 - e2) / pow(1 - e2 * sin(foot) * sin(foot), 1.5)
    let d = (x - 500_000) / (n * k0)
    let latitude =
      foot - n * tan(foot) / r
      * (d * d / 2 - (5 + 3 * t + 10 * c - 4 * c * c - 9 * second) * pow(d, 4) / 24
        + (61 + 90 * t + 298 * c + 45 * t * t - 252 * second - 3 * c * c) * pow(d, 6) / 720)
    let longitude =
      (d - (1 + 2 * t + c) * pow(d, 3) / 6
        + (5 - 2 * c + 28 * t - 3 * c * c + 8 * second + 24 * t * t) * pow(d, 5) / 120) / cos(foot)
    return GeoPoint(longitude: meridian + longitude * 180 / .pi, latitude: latitude * 180 / .pi)
  }

  /// Snyder, equations 20-16 to 20-18 with 15-9 and 7-9.
  private static func inversePolar(_ x: Double, _ y: Double) -> GeoPoint {
    let e = square.squareRoot()
    func t(_ phi: Double) -> Double {
      tan(.pi / 4 - phi / 2) / pow((1 - e * sin(phi)) / (1 + e * sin(phi)), e / 2)
    }
    let standard = 70 * Double.pi / 180
    let m = cos(standard) / (1 - square * sin(standard) * sin(standard)).squareRoot()
    let ratio = (x * x + y * y).squareRoot() * t(standard) / (axis * m)
    var phi = Double.pi / 2 - 2 * atan(ratio)
    for _ in 0..<8 { phi = .pi / 2 - 2 * atan(ratio * pow((1 - e * sin(phi)) / (1 + e * sin(phi)), e / 2)) }
    let longitude = -45 + atan2(x, -y) * 180 / .pi
    return GeoPoint(longitude: longitude.remainder(dividingBy: 360), latitude: phi * 180 / .pi)
  }
}

/// An image whose colours are waves of longitude and latitude, so each pixel of a tile shows from where it came.
struct WaveImage: Sendable {
  var system = MapSystem.utm(meridian: -123)
  var placing = GeoTransform(originX: 480_000, originY: 4_200_000, pixelWidth: 30, pixelHeight: -30)
  var (width, height) = (500, 400)
  /// Degrees of a wave along the longitude and the latitude.
  var period = (0.013, 0.011)

  /// Red and green; blue is 200.
  func color(at place: GeoPoint) -> (red: Double, green: Double) {
    (
      128 + 100 * sin(2 * .pi * place.longitude / period.0),
      128 + 100 * sin(2 * .pi * place.latitude / period.1)
    )
  }

  func color(column: Int, row: Int) -> (red: Double, green: Double) {
    let (x, y) = placing.projected(column: Double(column) + 0.5, row: Double(row) + 0.5)
    return color(at: system.place(x: x, y: y))
  }

  /// Red, green and blue of all pixels, row by row.
  var samples: [(red: Double, green: Double)] {
    (0..<height).flatMap { row in (0..<width).map { color(column: $0, row: row) } }
  }

  /// Writes a GeoTIFF of bytes.
  func write(_ bands: [[UInt8]], to file: URL, options: [String] = [], palette: [PaletteColor]? = nil) throws
  { try write(bands, to: file, options: options, palette: palette, claiming: placing) }

  /// - Parameter place: the place that the file has, whatever it shows; nil for a file without a place.
  private func write(
    _ bands: [[UInt8]], to file: URL, options: [String] = [], palette: [PaletteColor]? = nil,
    claiming place: GeoTransform?
  ) throws {
    let dataset = try RasterWriter(
      file.path, width: width, height: height, bands: bands.count, options: options)
    if let palette { try dataset.setPalette(palette) }
    if let place { try dataset.setGeoreference(place, wkt: try SpatialReference(epsg: system.epsg).wkt) }
    for (number, band) in bands.enumerated() {
      try dataset.writeBytes(
        band, band: number + 1, window: PixelWindow(column: 0, row: 0, width: width, height: height))
    }
    try dataset.close()
  }

  func writeColors(to file: URL) throws { try writeColors(to: file, claiming: placing) }

  /// - Parameter place: the place that the file has, whatever it shows; nil for a file without a place.
  func writeColors(to file: URL, claiming place: GeoTransform?) throws {
    let samples = samples
    try write(
      [
        samples.map { UInt8($0.red.rounded()) }, samples.map { UInt8($0.green.rounded()) },
        samples.map { _ in 200 },
      ],
      to: file, claiming: place)
  }

  /// Writes samples of another type with a header of ENVI, in degrees.
  func writeRaw(_ data: Data, type: Int, bands: Int, to file: URL, more: String = "") throws {
    try data.write(to: file)
    let header = """
      ENVI
      samples = \(width)
      lines = \(height)
      bands = \(bands)
      header offset = 0
      data type = \(type)
      interleave = bip
      byte order = 0
      map info = {Geographic Lat/Lon, 1, 1, \(placing.originX), \(placing.originY), \(placing.pixelWidth), \(-placing.pixelHeight), WGS-84}
      \(more)

      """
    try file.deletingPathExtension().appendingPathExtension("hdr").put(header)
  }
}

/// A tile archive, decoded.
struct TiledImage {
  let metadata: [String: String]
  let maxZoom: Int
  private let reader: MBTilesReader

  init(_ file: URL) throws {
    reader = try MBTilesReader(opening: file)
    metadata = try reader.metadata()
    maxZoom = Int(metadata["maxzoom"] ?? "") ?? 0
  }

  var tiles: [TileID] { get throws { try reader.tileIDs() } }

  func image(_ tile: TileID) throws -> RGBAImage? { try reader.tile(tile).map { try TileImage.decode($0) } }

  /// Calls the body with each opaque pixel of the largest zoom and its place.
  func forEachPixel(_ body: (GeoPoint, (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8)) -> Void) throws
  {
    for tile in try tiles where tile.zoom == maxZoom {
      guard let image = try image(tile) else { continue }
      let (west, north, side) = tile.mercator
      for row in 0..<image.height {
        for column in 0..<image.width {
          let pixel = image[column, row]
          guard pixel.alpha == 255 else { continue }
          body(
            WebMercator.unproject(
              x: west + (Double(column) + 0.5) / Double(image.width) * side,
              y: north - (Double(row) + 0.5) / Double(image.height) * side), pixel)
        }
      }
    }
  }
}
