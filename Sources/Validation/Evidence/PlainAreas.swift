internal import ImageIO

/// Finds rectangles of a sheet that have one colour and no print, unlike everything around them.
///
/// Open water has one colour too, but shores do not run along the rows and columns of the image, and beyond a line of the
/// graticule the water continues.
struct PlainAreas {
  struct Area {
    let columns: Range<Int>
    let rows: Range<Int>
    let color: RGB
  }

  private let reference: SheetReference
  private let inside: [Bool]
  private(set) var found: [Area] = []

  /// Cells. Smaller rectangles are boxes of notes.
  private static let fewest = 100
  /// The least share of the rectangle around the area that belongs to it.
  private static let filled = 0.95
  /// The distance of the cells around an area that are compared with it, the levels by which they differ, and their least share.
  private static let margin = 2
  private static let levels = 16
  private static let leastUnlike = 0.8
  /// So much of a map is never without a line of the graticule.
  private static let large = 0.25

  init(_ reference: SheetReference, within neatline: MercatorNeatline) {
    self.reference = reference
    inside = reference.cells(within: neatline)
    let all = inside.count(where: \.self)
    var isOpen = inside.indices.map { inside[$0] && isPlain($0) }
    for cell in isOpen.indices where isOpen[cell] {
      let cells = PlainAreas.take(cell, from: &isOpen, reference)
      if cells.count >= PlainAreas.fewest, let area = area(cells, of: all) { found.append(area) }
    }
  }

  private func isPlain(_ cell: Int) -> Bool {
    let (column, row) = (cell % reference.columns, cell / reference.columns)
    return reference.isKnown(column, row) && reference.texture(column, row) == 0
  }

  /// Removes a cell and all that are connected with it and have its colour.
  private static func take(_ first: Int, from isOpen: inout [Bool], _ reference: SheetReference) -> [Int] {
    let columns = reference.columns
    let color = reference.rgb(first)
    var (cells, next) = ([Int](), [first])
    isOpen[first] = false
    while let cell = next.popLast() {
      cells.append(cell)
      let column = cell % columns
      let beside = [
        column > 0 ? cell - 1 : nil, column + 1 < columns ? cell + 1 : nil, cell - columns, cell + columns,
      ]
      for other in beside.compactMap(\.self)
      where isOpen.indices.contains(other) && isOpen[other] && reference.rgb(other) == color {
        isOpen[other] = false
        next.append(other)
      }
    }
    return cells
  }

  private func area(_ cells: [Int], of all: Int) -> Area? {
    let (across, down) = (cells.map { $0 % reference.columns }, cells.map { $0 / reference.columns })
    guard let left = across.min(), let right = across.max(), let top = down.min(), let bottom = down.max()
    else { return nil }
    let box = (columns: left..<right + 1, rows: top..<bottom + 1)
    let own = self.cells(of: box.columns, box.rows)
    guard Double(cells.count) >= PlainAreas.filled * Double(own.count) else { return nil }
    let color = reference.rgb(cells[0])
    let ring = around(box.columns, box.rows)
    let unlike = ring.count { reference.rgb($0).levels(to: color) >= PlainAreas.levels }
    guard Double(cells.count) >= PlainAreas.large * Double(all) || unlike > 0,
      Double(unlike) >= PlainAreas.leastUnlike * Double(ring.count)
    else { return nil }
    return Area(columns: box.columns, rows: box.rows, color: color)
  }

  /// The cells of a rectangle that lie inside the map.
  private func cells(of columns: Range<Int>, _ rows: Range<Int>) -> [Int] {
    rows.clamped(to: 0..<reference.rows).flatMap { row in
      columns.clamped(to: 0..<reference.columns).map { row * reference.columns + $0 }.filter { inside[$0] }
    }
  }

  private func around(_ columns: Range<Int>, _ rows: Range<Int>) -> [Int] {
    let margin = PlainAreas.margin
    let (left, right) = (columns.lowerBound - margin, columns.upperBound + margin - 1)
    let (top, bottom) = (rows.lowerBound - margin, rows.upperBound + margin - 1)
    return cells(of: left..<right + 1, top..<bottom + 1).filter { cell in
      let (column, row) = (cell % reference.columns, cell / reference.columns)
      return column == left || column == right || row == top || row == bottom
    }
  }
}

extension SheetReference {
  /// The mean colour of a cell, by its number.
  fileprivate func rgb(_ cell: Int) -> RGB {
    let color = color(cell % columns, cell / columns)
    return RGB(red: UInt8(color.red), green: UInt8(color.green), blue: UInt8(color.blue))
  }
}
