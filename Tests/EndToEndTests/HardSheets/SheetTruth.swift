import Core
import Pipeline

@testable import SyntheticSheet

/// Where a drawn sheet's map ends, by the formulas that drew it.
struct SheetTruth {
  let design: SheetDesign
  private let area: MapArea
  /// The lines around the map that come near a cell of the sheet.
  private var sides: [Cell: [(from: PixelPoint, to: PixelPoint)]] = [:]

  private struct Cell: Hashable {
    let column: Int
    let row: Int
  }

  private static let cell = 16.0
  /// Distances beyond this are not told apart.
  static let reach = 12.0

  init(_ design: SheetDesign) {
    self.design = design
    area = MapArea(design)
    for ring in MapBorder(design).rings {
      for (index, to) in ring.enumerated() { add(ring[(index + ring.count - 1) % ring.count], to) }
    }
  }

  private mutating func add(_ from: PixelPoint, _ to: PixelPoint) {
    func cells(_ a: Double, _ b: Double) -> ClosedRange<Int> {
      let low = ((min(a, b) - SheetTruth.reach) / SheetTruth.cell).rounded(.down)
      return Int(low)...Int(((max(a, b) + SheetTruth.reach) / SheetTruth.cell).rounded(.down))
    }
    for row in cells(from.y, to.y) {
      for column in cells(from.x, to.x) {
        sides[Cell(column: column, row: row), default: []].append((from, to))
      }
    }
  }

  /// Where the edges of the outline begin.
  var corners: [PixelPoint] {
    let (edges, solver) = (design.neatline.outline, EdgeSolver(design: design))
    return edges.indices.map { solver.corner(edges[($0 + edges.count - 1) % edges.count], edges[$0]) }
  }

  /// The box around the map; its east runs on beyond 180 where the map does.
  var extent: GeoBox? {
    let ring = MapBorder(design).rings[0]
    guard let box = GeoBox(around: ring.map { design.place(of: $0) }) else { return nil }
    let turn = box.west < -180 ? 360.0 : 0
    return GeoBox(west: box.west + turn, south: box.south, east: box.east + turn, north: box.north)
  }

  /// Pixels of the sheet from a place to the nearest edge of the map; negative outside of it.
  func depth(_ place: GeoPoint) -> Double {
    let pixel = design.pixel(of: place)
    let cell = Cell(
      column: Int((pixel.x / SheetTruth.cell).rounded(.down)),
      row: Int((pixel.y / SheetTruth.cell).rounded(.down)))
    let nearest = (sides[cell] ?? []).map { pixel.distance(toLineFrom: $0.from, to: $0.to) }
      .reduce(SheetTruth.reach, min)
    return area.contains(pixel) ? nearest : -nearest
  }
}

extension PixelPoint {
  fileprivate func distance(toLineFrom a: PixelPoint, to b: PixelPoint) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let share = square > 0 ? min(1, max(0, ((x - a.x) * dx + (y - a.y) * dy) / square)) : 0
    return distance(to: a.offset(share * dx, share * dy))
  }
}
