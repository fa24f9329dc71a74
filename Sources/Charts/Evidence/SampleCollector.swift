internal import Core
internal import ImageIO
internal import RasterIO

/// Collects samples of an image from its rows as they are decoded: the mean colours of squares as wide as a pixel of the tiles, each
/// with the squares around it.
struct SampleCollector: Sendable {
  /// Nine squares, three by three. The middle one is the sample.
  private struct Block {
    let column: Int
    let row: Int
    /// Of the red, green and blue of each square.
    var sums = [Int](repeating: 0, count: 27)
    /// Opaque pixels seen.
    var pixels = 0
  }

  /// Blocks along each side of the image.
  private static let count = 16

  private let sheet: ChartSheet
  /// Pixels along a side of a square.
  private let side: Int
  /// By row. Empty for an image that is narrower than a block.
  private var blocks: [Block]
  private var next = 0

  init(_ sheet: ChartSheet, _ plan: UnitPlan) {
    self.sheet = sheet
    let scale = plan.scales.largest << (plan.deepest - plan.maxZoom)
    let side = max(1, min(scale / RowScales.unit, 64, sheet.width / 3, sheet.height / 3))
    self.side = side
    blocks = SampleCollector.starts(sheet.height, side).flatMap { row in
      SampleCollector.starts(sheet.width, side).map { Block(column: $0, row: row) }
    }
  }

  /// Where blocks begin, evenly spread over a length.
  private static func starts(_ length: Int, _ side: Int) -> [Int] {
    let room = length - 3 * side
    guard room >= 0 else { return [] }
    return Set((0..<count).map { (2 * $0 + 1) * room / (2 * count) }).sorted()
  }

  /// Adds the rows of a band that no earlier band contained. Bands are added from north to south.
  mutating func add(_ band: SheetRows) {
    let new = max(next, band.range.lowerBound)..<max(next, band.range.upperBound)
    next = new.upperBound
    for index in blocks.indices {
      let block = blocks[index]
      for row in (block.row..<block.row + 3 * side).clamped(to: new) {
        let start = (row - band.range.lowerBound) * band.width + block.column
        let first = (row - block.row) / side * 3
        for column in 0..<3 * side { add(start + column, of: band, to: index, square: first + column / side) }
      }
    }
  }

  private mutating func add(_ pixel: Int, of band: SheetRows, to index: Int, square: Int) {
    let color =
      band.colors.isEmpty ? sheet.colors[Int(band.indexes[pixel])] : band.colors.color(at: 4 * pixel)
    guard color >> 24 == 255 else { return }
    blocks[index].pixels += 1
    for channel in 0..<3 {
      blocks[index].sums[3 * square + channel] += Int(color >> (8 * UInt32(channel)) & 255)
    }
  }

  /// The middles of the blocks that are opaque and on the map.
  func samples() throws -> RasterSamples {
    let toPlace = try CoordinateTransform(
      from: try SpatialReference(wkt: sheet.projection), to: try SpatialReference(epsg: 4326))
    return RasterSamples(samples: blocks.compactMap { sample($0, toPlace) })
  }

  private func sample(_ block: Block, _ toPlace: CoordinateTransform) -> RasterSamples.Sample? {
    let (area, half) = (side * side, 1.5 * Double(side))
    let (x, y) = sheet.placing.projected(column: Double(block.column) + half, row: Double(block.row) + half)
    guard block.pixels == 9 * area, let place = toPlace(x: x, y: y), abs(place.y) < WebMercator.maxLatitude
    else {
      return nil
    }
    let squares = (0..<9).map { square in (0..<3).map { block.sums[3 * square + $0] } }
    let contrast =
      squares.map { other in zip(other, squares[4]).map { abs($0 - $1) }.reduce(0, +) }.max() ?? 0
    return RasterSamples.Sample(
      place: GeoPoint(
        longitude: SampleCollector.rounded(place.x.remainder(dividingBy: 360)),
        latitude: SampleCollector.rounded(place.y)),
      color: squares[4].map { UInt8(($0 + area / 2) / area) }, contrast: UInt8(contrast / (3 * area)))
  }

  /// To a centimetre.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
