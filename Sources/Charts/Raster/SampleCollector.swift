internal import Core
internal import Pipeline
internal import RasterIO

/// Collects samples of an image from its rows as they are decoded: the mean colours of squares as wide as a pixel of the tiles.
struct SampleCollector: Sendable {
  private struct Square {
    let column: Int
    let row: Int
    var sums = [0, 0, 0]
    /// Opaque pixels seen.
    var pixels = 0
  }

  /// Squares along each side of the image.
  private static let count = 16

  private let sheet: ChartSheet
  /// Pixels along a side of a square.
  private let side: Int
  /// By row.
  private var squares: [Square]
  private var next = 0

  init(_ sheet: ChartSheet, _ plan: UnitPlan) {
    self.sheet = sheet
    let scale = plan.scales.largest << (plan.deepest - plan.maxZoom)
    let side = min(max(1, scale / RowScales.unit), 64, sheet.width, sheet.height)
    self.side = side
    func starts(_ length: Int) -> [Int] {
      let all = (0..<SampleCollector.count).map {
        (2 * $0 + 1) * (length - side) / (2 * SampleCollector.count)
      }
      return Set(all).sorted()
    }
    squares = starts(sheet.height).flatMap { row in
      starts(sheet.width).map { Square(column: $0, row: row) }
    }
  }

  /// Adds the rows of a band that no earlier band contained. Bands are added from north to south.
  mutating func add(_ band: SheetRows) {
    let new = max(next, band.range.lowerBound)..<max(next, band.range.upperBound)
    next = new.upperBound
    for index in squares.indices {
      let rows = (squares[index].row..<squares[index].row + side).clamped(to: new)
      for row in rows {
        let start = (row - band.range.lowerBound) * band.width + squares[index].column
        for pixel in start..<start + side { add(pixel, of: band, to: index) }
      }
    }
  }

  private mutating func add(_ pixel: Int, of band: SheetRows, to index: Int) {
    let color: [UInt8] =
      band.colors.isEmpty
      ? withUnsafeBytes(of: sheet.colors[Int(band.indexes[pixel])]) { Array($0) }
      : Array(band.colors[4 * pixel..<4 * pixel + 4])
    guard color[3] == 255 else { return }
    squares[index].pixels += 1
    for channel in 0..<3 { squares[index].sums[channel] += Int(color[channel]) }
  }

  /// The squares that are opaque and on the map.
  func samples() throws -> RasterSamples {
    let toPlace = try CoordinateTransform(
      from: try SpatialReference(wkt: sheet.projection), to: try SpatialReference(epsg: 4326))
    let (full, half) = (side * side, Double(side) / 2)
    return RasterSamples(
      samples: squares.compactMap { square in
        let (x, y) = sheet.placing.projected(
          column: Double(square.column) + half, row: Double(square.row) + half)
        guard square.pixels == full, let place = toPlace(x: x, y: y), abs(place.y) < RasterSurvey.limit else {
          return nil
        }
        return RasterSamples.Sample(
          place: GeoPoint(
            longitude: SampleCollector.rounded(place.x.remainder(dividingBy: 360)),
            latitude: SampleCollector.rounded(place.y)),
          color: square.sums.map { UInt8(($0 + full / 2) / full) })
      })
  }

  /// To a centimetre.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
