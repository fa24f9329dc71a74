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
