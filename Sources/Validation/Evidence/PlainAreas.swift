internal import ImageIO

/// Finds rectangles of a sheet that have one colour and no print, unlike everything around them.
///
/// Open water has one colour too, but shores do not run along the rows and columns of the image, and beyond a line of the
/// graticule the water continues.
struct PlainAreas {
  typealias Area = (columns: ClosedRange<Int>, rows: ClosedRange<Int>, color: RGB)

  private let reference: SheetReference
  private let inside: [Bool]
  private(set) var found: [Area] = []

  /// Cells. Smaller rectangles are boxes of notes.
  private static let fewest = 100
  /// The least share of the rectangle around the area that belongs to it.
  private static let filled = 0.95
  /// The levels by which the cells at a distance of two from an area differ from it, and their least share.
  private static let levels = 16
  private static let leastUnlike = 0.8
  /// So much of a map is never without a line of the graticule.
  private static let large = 0.25

  init(_ reference: SheetReference, within neatline: MercatorNeatline) {
    self.reference = reference
    inside = reference.cells(within: neatline)
    let fewestOfAll = PlainAreas.large * Double(inside.count(where: \.self))
    var open = Set(inside.indices.filter { inside[$0] && isPlain($0) })
    for cell in inside.indices where open.contains(cell) {
      let cells = take(cell, from: &open)
      if cells.count >= PlainAreas.fewest, let area = area(cells, isLarge: Double(cells.count) >= fewestOfAll)
      {
        found.append(area)
      }
    }
  }

  private func isPlain(_ cell: Int) -> Bool {
    let (row, column) = cell.quotientAndRemainder(dividingBy: reference.columns)
    return reference.isKnown(column, row) && reference.texture(column, row) == 0
  }

  private func color(_ cell: Int) -> RGB {
    let color = reference.color(cell % reference.columns, cell / reference.columns)
    return RGB(red: UInt8(color.red), green: UInt8(color.green), blue: UInt8(color.blue))
  }

  /// Removes a cell and all that are connected with it and have its colour.
  private func take(_ first: Int, from open: inout Set<Int>) -> [Int] {
    let color = color(first)
    var (cells, next) = ([Int](), [first])
    open.remove(first)
    while let cell = next.popLast() {
      cells.append(cell)
      for other in [cell - 1, cell + 1, cell - reference.columns, cell + reference.columns]
      where open.contains(other) && self.color(other) == color {
        open.remove(other)
        next.append(other)
      }
    }
    return cells
  }

  private func area(_ cells: [Int], isLarge: Bool) -> Area? {
    let (across, down) = (cells.map { $0 % reference.columns }, cells.map { $0 / reference.columns })
    guard let left = across.min(), let right = across.max(), let top = down.min(), let bottom = down.max()
    else { return nil }
    let area = (columns: left...right, rows: top...bottom, color: color(cells[0]))
    guard Double(cells.count) >= PlainAreas.filled * Double(self.cells(around: area, margin: 0).count) else {
      return nil
    }
    let near = Set(self.cells(around: area, margin: 1))
    let ring = self.cells(around: area, margin: 2).filter { !near.contains($0) }
    let unlike = ring.count { color($0).levels(to: area.color) >= PlainAreas.levels }
    guard isLarge || unlike > 0, Double(unlike) >= PlainAreas.leastUnlike * Double(ring.count) else {
      return nil
    }
    return area
  }

  /// The cells of a rectangle that lie inside the map.
  private func cells(around area: Area, margin: Int) -> [Int] {
    let columns = area.columns.lowerBound - margin...area.columns.upperBound + margin
    let rows = area.rows.lowerBound - margin...area.rows.upperBound + margin
    return rows.clamped(to: 0...reference.rows - 1).flatMap { row in
      columns.clamped(to: 0...reference.columns - 1).map { row * reference.columns + $0 }.filter {
        inside[$0]
      }
    }
  }
}
