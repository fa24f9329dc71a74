internal import Core
internal import Foundation
internal import ImageIO

/// The patches of a sheet that a chart's build saved before it warped the sheet.
struct SavedPatches {
  let control: Product.Control
  /// The places of all patches in the file: those that show the place, then those that show the colours.
  let points: [Product.Control.Point]
  private let strip: RGBAImage
  private let side: Int

  /// Far more pixels than any strip has along a side.
  private static let stripLimit: UInt32 = 65_536
  private static let sideLimit = 512
  /// Pixel positions, far beyond any sheet.
  private static let places = -(1 << 20)..<1 << 20

  init(_ control: Product.Control, in file: URL) throws {
    self.control = control
    side = control.side
    points = control.points + (control.inkPoints ?? [])
    strip = try PNG.decode(Array(Data(contentsOf: file)), sideLimit: SavedPatches.stripLimit)
    let isSound =
      (8...SavedPatches.sideLimit).contains(control.side)
      && strip.height == control.side && strip.width == control.side * points.count
      && points.allSatisfy {
        SavedPatches.places.contains($0.column) && SavedPatches.places.contains($0.row)
      }
    guard isSound else {
      throw UserError(
        .badInput, operation: "reading the reference patches", path: file.path,
        reason: "the number or size of the reference patches is not the one in the description")
    }
  }

  /// Resamples a patch by cubic convolution at the places of a picture's pixels.
  func mixes(_ number: Int, at places: PixelPlaces, scale: Double, in picture: RGBAImage) -> InkMixes {
    InkMixes(strip, columns: columns(number), at: places, scale: scale, in: picture)
  }

  private func columns(_ number: Int) -> Range<Int> { number * side..<(number + 1) * side }

  /// Returns how a patch must look in the pixels of a zoom; nil for one without a place, or too small there.
  func view(_ number: Int, through map: SheetMap) -> PatchView? {
    let point = control.points[number]
    let corner = PlanePoint(x: Double(point.column), y: Double(point.row))
    let half = Double(control.side) / 2
    let middle = PlanePoint(x: corner.x + half, y: corner.y + half)
    let (center, scale) = (map.target(middle), map.scale(at: middle))
    guard center.x.isFinite, center.y.isFinite, scale > 1 / 16, scale < half else { return nil }
    let steps = max(1, Int(scale.rounded(.up)))
    // The farthest that a sample reaches from the pixel's place, and half a pixel for interpolation.
    let room = half - scale / 2 - 1
    var reach = Int(half / scale)
    func isInside(_ x: Int, _ y: Int) -> Bool {
      let place = map.sheet(PlanePoint(x: center.x + Double(x), y: center.y + Double(y)))
      return abs(place.x - middle.x) <= room && abs(place.y - middle.y) <= room
    }
    while reach > 0,
      ![(-reach, -reach), (reach, -reach), (-reach, reach), (reach, reach)].allSatisfy(isInside)
    {
      reach -= 1
    }
    guard reach > 0 else { return nil }
    let box = PixelBox(
      column: Int(center.x.rounded()) - reach, row: Int(center.y.rounded()) - reach, width: 2 * reach,
      height: 2 * reach)
    // A square as wide as one of the zoom's pixels is on the sheet.
    return PatchView(
      strip, columns: columns(number), at: map.sheet(box, from: corner), side: scale, steps: steps)
  }
}

extension PixelBox {
  func shrunk(by margin: Int) -> PixelBox {
    PixelBox(
      column: column + margin, row: row + margin, width: width - 2 * margin, height: height - 2 * margin)
  }

  /// Returns the parts of the box in each tile that it touches.
  func parts(tileSize: Int) -> [PixelBox] {
    func ranges(_ first: Int, _ count: Int) -> [Range<Int>] {
      guard first >= 0, count > 0 else { return [] }
      return (first / tileSize...(first + count - 1) / tileSize).map { tile in
        (tile * tileSize..<(tile + 1) * tileSize).clamped(to: first..<first + count)
      }
    }
    return ranges(row, height).flatMap { rows in
      ranges(column, width).map { columns in
        PixelBox(column: columns.lowerBound, row: rows.lowerBound, width: columns.count, height: rows.count)
      }
    }
  }
}
