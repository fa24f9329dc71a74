internal import Core
internal import ImageIO

/// Compares the colours of a sheet with those of its tiles, in the reference patches.
///
/// A pixel of a tile mixes several pixels of the sheet, so a patch is resampled by cubic convolution at the places that closed
/// formulas of the projection give. For each colour of the sheet, the pixels that consist of it most are compared.
struct InkComparison {
  /// A colour of the sheet in the tiles at one place.
  struct Sample {
    let ink: RGB
    /// On the sheet.
    let column: Int
    let row: Int
    let tile: TileID
    let expected: RGB
    let found: RGB
    /// CIEDE2000 between the two.
    let difference: Double
    /// CIEDE2000 between the ink and the expected colour.
    let purity: Double
    /// The largest share of a pixel that has this colour.
    let share: Double

    /// Whether the ink itself is expected, not a mix of it with others.
    var isSolid: Bool { purity <= 3 }
  }

  let patches: SavedPatches
  let map: SheetMap
  let painter: TilePainter
  let zoom: Int

  /// Half the side of the block in which the build searched for a colour, in pixels of the sheet.
  private static let halfBlock = 16.0
  /// The most pixels of a tile from the middle of a patch, where tiles are finer than the sheet.
  private static let reachLimit = 24

  /// Returns a sample of each colour of a patch that covers enough of some pixels; none where the tiles are transparent.
  func samples(_ number: Int) throws -> [Sample] {
    guard let frame = frame(number) else { return [] }
    let mixes = patches.mixes(
      number, at: map.sheet(frame.box, from: frame.corner), scale: frame.scale,
      in: try painter.picture(zoom: zoom, frame.box))
    return mixes.means.map { sample($0, frame.box) }
  }

  private typealias Frame = (box: PixelBox, corner: PlanePoint, scale: Double)

  /// Returns the pixels of the zoom for which the kernel lies inside of a patch.
  private func frame(_ number: Int) -> Frame? {
    let point = patches.points[number]
    let corner = PlanePoint(x: Double(point.column), y: Double(point.row))
    let half = Double(patches.control.side) / 2
    let middle = PlanePoint(x: corner.x + half, y: corner.y + half)
    let (center, scale) = (map.target(middle), max(1, map.scale(at: middle)))
    guard center.x.isFinite, center.y.isFinite, scale < half / 3 else { return nil }
    let own = map.scale(at: middle)
    // Meridians are tilted on the sheet, so a square of the zoom is a little wider there.
    let room = Int((half - 2 * scale - 2) / (own * 1.3))
    let reach = min(room, Int((InkComparison.halfBlock / own).rounded(.up)), InkComparison.reachLimit)
    guard reach > 0 else { return nil }
    let box = PixelBox(
      column: Int(center.x.rounded()) - reach, row: Int(center.y.rounded()) - reach, width: 2 * reach,
      height: 2 * reach)
    return box.column >= 0 && box.row >= 0 ? (box, corner, scale) : nil
  }

  private func sample(_ mean: InkMixes.Mean, _ box: PixelBox) -> Sample {
    let (column, row) = (box.column + mean.column, box.row + mean.row)
    let place = map.sheet(PlanePoint(x: Double(column) + 0.5, y: Double(row) + 0.5))
    return Sample(
      ink: mean.ink, column: Int(place.x), row: Int(place.y),
      tile: TileID(
        zoom: zoom, column: column / painter.tileSize % (1 << zoom), row: row / painter.tileSize),
      expected: mean.expectedRGB, found: mean.foundRGB, difference: mean.expected.difference(to: mean.found),
      purity: mean.expected.difference(to: LabColor(mean.ink)), share: mean.share)
  }
}
