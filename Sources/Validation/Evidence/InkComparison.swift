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

  /// A pixel with less of a colour shows another one.
  private static let leastShare = 0.4
  /// Pixels with this part of the largest share are averaged.
  private static let nearlyAll = 0.8
  private static let leastPixels = 3
  /// Half the side of the block in which the build searched for a colour, in pixels of the sheet.
  private static let halfBlock = 16.0
  /// The most pixels of a tile from the middle of a patch, where tiles are finer than the sheet.
  private static let reachLimit = 24

  /// Returns a sample of each colour of a patch that covers enough of some pixels; none where the tiles are transparent.
  func samples(_ number: Int) throws -> [Sample] {
    guard let frame = frame(number) else { return [] }
    let picture = try painter.picture(zoom: zoom, frame.box)
    var mixes: [RGB: [Mix]] = [:]
    for row in 0..<frame.box.height {
      for column in 0..<frame.box.width {
        let pixel = picture[column, row]
        guard pixel.alpha == 255 else { continue }
        let place = map.sheet(
          PlanePoint(x: Double(frame.box.column + column) + 0.5, y: Double(frame.box.row + row) + 0.5))
        let mix = patches.mix(
          number, x: place.x - frame.corner.x, y: place.y - frame.corner.y, scale: frame.scale)
        let found = SIMD3(Double(pixel.red), Double(pixel.green), Double(pixel.blue))
        for (ink, share) in mix.shares where share >= InkComparison.leastShare {
          mixes[ink, default: []].append(
            Mix(share: share, expected: mix.color, found: found, column: column, row: row))
        }
      }
    }
    return mixes.compactMap { sample($0, $1, frame) }
  }

  private struct Frame {
    let box: PixelBox
    let corner: PlanePoint
    let scale: Double
  }

  private struct Mix {
    let share: Double
    let expected: SIMD3<Double>
    let found: SIMD3<Double>
    let column: Int
    let row: Int
  }

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
    return box.column >= 0 && box.row >= 0 ? Frame(box: box, corner: corner, scale: scale) : nil
  }

  private func sample(_ ink: RGB, _ mixes: [Mix], _ frame: Frame) -> Sample? {
    let most = mixes.map(\.share).max() ?? 0
    let kept = mixes.filter { $0.share >= most * InkComparison.nearlyAll }
    guard kept.count >= InkComparison.leastPixels, let first = kept.max(by: { $0.share < $1.share }) else {
      return nil
    }
    let weight = kept.reduce(0) { $0 + $1.share }
    let expected = kept.reduce(.zero) { $0 + $1.share * $1.expected } / weight
    let found = kept.reduce(.zero) { $0 + $1.share * $1.found } / weight
    let (column, row) = (frame.box.column + first.column, frame.box.row + first.row)
    let place = map.sheet(PlanePoint(x: Double(column) + 0.5, y: Double(row) + 0.5))
    return Sample(
      ink: ink, column: Int(place.x), row: Int(place.y),
      tile: TileID(
        zoom: zoom, column: column / painter.tileSize % (1 << zoom), row: row / painter.tileSize),
      expected: RGB(expected), found: RGB(found), difference: expected.lab.difference(to: found.lab),
      purity: expected.lab.difference(to: LabColor(ink)), share: most)
  }
}

extension SIMD3<Double> {
  fileprivate var lab: LabColor { LabColor(red: x, green: y, blue: z) }
}

extension RGB {
  fileprivate init(_ levels: SIMD3<Double>) {
    self.init(
      red: UInt8(levels.x.rounded()), green: UInt8(levels.y.rounded()), blue: UInt8(levels.z.rounded()))
  }

  /// `#9E2068`
  var hex: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}
