internal import Core
internal import ImageIO

/// Compares the tiles of a chart with the reference patches of its sheet.
struct PlacementSurvey {
  /// The comparison of one patch with one tile.
  struct Measurement {
    let tile: TileID
    let peak: ShiftSearch.Peak
    /// The standard deviation of the expected lightness, in 255ths.
    let contrast: Double
    /// The difference of the mean colours, in 255ths.
    let colorDifference: Double
    let isOpaque: Bool
  }

  private let patches: SavedPatches
  private let map: SheetMap
  private let painter: TilePainter
  let zoom: Int

  /// The largest shift searched for, in pixels to each side.
  static let reach = 3
  /// The least side of the compared part, in pixels; a smaller part has no clear place.
  private static let leastSide = 20

  /// Nil for a chart whose placement is impossible.
  init?(_ patches: SavedPatches, of archive: any TileSource, zoom: Int) throws {
    guard (0...24).contains(zoom) else { return nil }
    painter = try TilePainter(archive)
    let grid = PixelGrid(zoom: zoom, tileSize: painter.tileSize)
    guard let map = SheetMap(patches.control, on: grid),
      patches.control.points.allSatisfy({ map.target($0.plane).isFinite })
    else { return nil }
    (self.patches, self.map, self.zoom) = (patches, map, zoom)
  }

  /// Whether all patches lie in a chart's box. Patches outside of it would not be compared, and so never be wrong.
  func lies(within box: GeoBox) -> Bool {
    let (northWest, southEast) = map.grid.corners(of: box)
    return patches.control.points.allSatisfy { point in
      let place = map.target(point.plane)
      let turned = place.x + (place.x < northWest.x ? map.grid.worldSize : 0)
      return northWest.x <= turned && turned <= southEast.x && northWest.y <= place.y
        && place.y <= southEast.y
    }
  }

  /// - Parameter reach: pixels to each side; a larger reach leaves a smaller part to compare.
  func measurements(reach: Int = PlacementSurvey.reach) throws -> [Measurement] {
    try patches.control.points.indices.flatMap { number -> [Measurement] in
      try CancellationToken.current.check()
      guard let expected = patches.view(number, through: map) else { return [] }
      let boxes = expected.box.shrunk(by: reach).parts(tileSize: painter.tileSize)
      return try boxes.compactMap { try measurement($0, of: expected, reach: reach) }
    }
  }

  private func measurement(_ box: PixelBox, of expected: PatchView, reach: Int) throws -> Measurement? {
    guard min(box.width, box.height) >= PlacementSurvey.leastSide else { return nil }
    let found = PatchView(try painter.picture(zoom: zoom, box), box: box)
    let own = expected.part(box)
    return Measurement(
      tile: TileID(
        zoom: zoom, column: box.column / painter.tileSize % (1 << zoom), row: box.row / painter.tileSize),
      peak: ShiftSearch(found, in: expected, reach: reach).peak(),
      contrast: own.contrast, colorDifference: found.colorDifference(to: own), isOpaque: found.isOpaque)
  }
}

extension Product.Control.Point {
  fileprivate var plane: PlanePoint { PlanePoint(x: Double(column), y: Double(row)) }
}

extension PlanePoint {
  fileprivate var isFinite: Bool { x.isFinite && y.isFinite }
}
