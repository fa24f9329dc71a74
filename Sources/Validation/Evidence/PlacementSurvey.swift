internal import Core
internal import Foundation
internal import Pipeline
internal import TileArchive

/// Holds the tiles of a chart against the pieces of its sheet.
struct PlaceSurvey {
  /// What one tile shows of one piece.
  struct Sighting {
    let tile: TileID
    let peak: ShiftSearch.Peak
    /// By how much what should be seen varies in lightness, in 255ths.
    let contrast: Double
    /// Of the mean colours, in 255ths.
    let colorDifference: Double
    let isOpaque: Bool
  }

  private let pieces: ControlPieces
  private let map: SheetMap
  private let painter: TilePainter
  let zoom: Int

  /// Pixels to each side, among which a shift is looked for.
  static let reach = 3
  /// Along each side of what is compared, at least; of less nobody could tell where it lies.
  private static let leastSide = 20

  /// Nil for a chart that tells no place that there could be.
  init?(_ pieces: ControlPieces, of archive: any TileSource, zoom: Int) throws {
    guard (0...24).contains(zoom) else { return nil }
    painter = try TilePainter(archive)
    let grid = PixelGrid(zoom: zoom, tileSize: painter.tileSize)
    guard let map = SheetMap(pieces.control, on: grid),
      pieces.control.points.allSatisfy({ map.target($0.plane).isFinite })
    else { return nil }
    (self.pieces, self.map, self.zoom) = (pieces, map, zoom)
  }

  /// Whether all pieces lie within a chart's box. Elsewhere none of them could be seen, and so none could be wrong.
  func lies(within box: GeoBox) -> Bool {
    let northWest = map.grid.place(WebMercator.project(GeoPoint(longitude: box.west, latitude: box.north)))
    let southEast = map.grid.place(WebMercator.project(GeoPoint(longitude: box.east, latitude: box.south)))
    return pieces.control.points.allSatisfy { point in
      let place = map.target(point.plane)
      let turned = place.x + (place.x < northWest.x ? map.grid.worldSize : 0)
      return northWest.x <= turned && turned <= southEast.x && northWest.y <= place.y
        && place.y <= southEast.y
    }
  }

  /// - Parameter reach: pixels to each side; more leave less to be compared.
  func sightings(reach: Int = PlaceSurvey.reach) throws -> [Sighting] {
    try pieces.control.points.indices.flatMap { number -> [Sighting] in
      try CancellationToken.current.check()
      guard let expected = pieces.view(number, through: map) else { return [] }
      let boxes = expected.box.shrunk(by: reach).parts(tileSize: painter.tileSize)
      return try boxes.compactMap { try sighting($0, of: expected, reach: reach) }
    }
  }

  private func sighting(_ box: PixelBox, of expected: PieceView, reach: Int) throws -> Sighting? {
    guard min(box.width, box.height) >= PlaceSurvey.leastSide else { return nil }
    let found = PieceView(try painter.picture(zoom: zoom, box), box: box)
    let own = expected.part(box)
    return Sighting(
      tile: TileID(
        zoom: zoom, column: box.column / painter.tileSize % (1 << zoom), row: box.row / painter.tileSize),
      peak: ShiftSearch(found, in: expected, reach: reach).peak(),
      contrast: own.light.spread, colorDifference: found.colorDifference(to: own), isOpaque: found.isOpaque)
  }
}

extension Product.Control.Point {
  fileprivate var plane: PlanePoint { PlanePoint(x: Double(column), y: Double(row)) }
}

extension PlanePoint {
  fileprivate var isFinite: Bool { x.isFinite && y.isFinite }
}

/// Finds by how much a picture is shifted against what it should show, by the correlation of their lightness: that hangs on
/// neither brightness nor contrast, nor on how soft a resampling makes the print.
struct ShiftSearch {
  struct Peak {
    /// Pixels, eastward and southward.
    var x: Double
    var y: Double
    /// At the best whole shift, of 1.
    var correlation: Double
    /// By how much the correlation falls beside the peak, in the direction in which it falls less; zero at the rim of what
    /// was searched, where nobody knows whether it is a peak.
    var sharpness: Double
    /// Mean squares, in 255ths: what is found and not explained at the peak, and by how much more that is beside it.
    var residual: Double
    var residualRise: Double
    /// Of all whole shifts that explain what is found as well as the peak does, the one nearest to none.
    var nearest: (x: Int, y: Int)

    /// Whether the picture may well lie where it should.
    var isUnshifted: Bool { nearest == (0, 0) }
  }

  /// Mean squares, in 255ths: so much can a palette, `tolerance` and a resampling change by chance.
  private static let noise = 25.0

  private let found: PieceView
  private let expected: PieceView
  private let reach: Int
  private let mean: Double
  private let spread: Double
  /// Of what is found or of what is expected, whichever varies more.
  private let variance: Double

  /// - Parameter expected: reaches this far beyond what was found, at least, on each side.
  init(_ found: PieceView, in expected: PieceView, reach: Int) {
    (self.found, self.expected, self.reach) = (found, expected, reach)
    let count = Double(found.light.count)
    let mean = found.light.reduce(0, +) / count
    self.mean = mean
    spread = found.light.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let contrast = expected.part(found.box).light.spread
    variance = max(spread / count, contrast * contrast)
  }

  func peak() -> Peak {
    let side = 2 * reach + 1
    var values: [Double] = []
    for y in -reach...reach { for x in -reach...reach { values.append(correlation(x, y)) } }
    let best = values.indices.max { values[$0] < values[$1] } ?? 0
    let (column, row) = (best % side, best / side)
    let residuals = values.map(residual)
    var peak = Peak(
      x: Double(column - reach), y: Double(row - reach), correlation: values[best], sharpness: 0,
      residual: residuals[best], residualRise: 0, nearest: nearest(residuals, to: residuals[best]))
    guard (1..<side - 1).contains(column), (1..<side - 1).contains(row) else { return peak }
    let (across, fallAcross) = ShiftSearch.vertex(values[best - 1], values[best], values[best + 1])
    let (down, fallDown) = ShiftSearch.vertex(values[best - side], values[best], values[best + side])
    peak.x += across
    peak.y += down
    peak.sharpness = min(fallAcross, fallDown)
    peak.residualRise =
      min(
        (residuals[best - 1] + residuals[best + 1]) / 2, (residuals[best - side] + residuals[best + side]) / 2
      )
      - residuals[best]
    return peak
  }

  private func residual(_ correlation: Double) -> Double {
    variance * (1 - max(0, correlation) * max(0, correlation))
  }

  private func nearest(_ residuals: [Double], to least: Double) -> (x: Int, y: Int) {
    let side = 2 * reach + 1
    let shifts = residuals.indices.filter { residuals[$0] <= 2 * least + ShiftSearch.noise }
      .map { (x: $0 % side - reach, y: $0 / side - reach) }
    return shifts.min { $0.x * $0.x + $0.y * $0.y < $1.x * $1.x + $1.y * $1.y } ?? (0, 0)
  }

  /// Of the parabola through three neighbours, and the fall from the middle to their mean.
  private static func vertex(_ before: Double, _ middle: Double, _ after: Double) -> (Double, Double) {
    let fall = middle - (before + after) / 2
    return (fall > 0 ? (after - before) / (4 * fall) : 0, fall)
  }

  /// Of what was found with what is expected so far to the north-west.
  private func correlation(_ x: Int, _ y: Int) -> Double {
    let box = found.box
    let start =
      (box.row - y - expected.box.row) * expected.box.width + box.column - x - expected.box.column
    var (sum, squares, products) = (0.0, 0.0, 0.0)
    found.light.withUnsafeBufferPointer { found in
      expected.light.withUnsafeBufferPointer { expected in
        for row in 0..<box.height {
          let (own, other) = (row * box.width, start + row * self.expected.box.width)
          for column in 0..<box.width {
            let value = expected[other + column]
            sum += value
            squares += value * value
            products += value * found[own + column]
          }
        }
      }
    }
    let count = Double(found.light.count)
    let variance = (squares - sum * sum / count) * spread
    return variance > 0 ? (products - sum * mean) / variance.squareRoot() : 0
  }
}
