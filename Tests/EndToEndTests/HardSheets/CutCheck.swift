import Core
import SyntheticSheet

/// A finished chart's pixels against its sheet's true border, in pixels of the sheet.
struct CutCheck {
  /// How far outside the map the farthest pixel is that is shown.
  private(set) var collar = -Double.infinity
  /// How far within the map the deepest pixel is that is not.
  private(set) var hole = -Double.infinity
  private(set) var seen = 0
  private let picture: WorldPicture
  private let truth: SheetTruth

  /// So many pixels a side are told by their middle where that is far enough from the border.
  private static let block = 8

  init(_ picture: WorldPicture, _ truth: SheetTruth) {
    self.picture = picture
    self.truth = truth
    run()
  }

  /// Every pixel of the tiles that there are, and of those around them.
  private mutating func run() {
    guard let extent = truth.extent else { return }
    let (west, north) = picture.pixel(of: GeoPoint(longitude: extent.west, latitude: extent.north))
    let (east, south) = picture.pixel(of: GeoPoint(longitude: extent.east, latitude: extent.south))
    let margin = picture.tileSize
    for row in stride(from: Int(north) - margin, to: Int(south) + margin, by: CutCheck.block) {
      for column in stride(from: Int(west) - margin, to: Int(east) + margin, by: CutCheck.block) {
        look(column, row)
      }
    }
  }

  private mutating func look(_ column: Int, _ row: Int) {
    let half = Double(CutCheck.block) / 2
    let middle = picture.place(x: Double(column) + half, y: Double(row) + half)
    let depth = truth.depth(middle)
    let isFar = abs(depth) >= half * 2.0.squareRoot() * picture.sheetPixels(truth.design, at: middle) + 2
    for y in row..<row + CutCheck.block {
      for x in column..<column + CutCheck.block {
        let own = isFar ? depth : truth.depth(picture.place(x: Double(x) + 0.5, y: Double(y) + 0.5))
        let alpha = picture[x, y].alpha
        seen += 1
        if alpha > 127 { collar = max(collar, -own) } else { hole = max(hole, own) }
      }
    }
  }
}
