internal import Core
internal import ImageIO

/// The whole chart, with the tiles of one zoom drawn as a grid.
struct ContactOverview {
  let picture: RGBAImage
  private let subject: ContactSubject
  private let zoom: Int
  private let box: PixelBox
  /// The pixels of the zoom, along a side, that make one of the picture.
  private let factor: Int

  private static let pixelLimit = 1 << 25
  private static let border = 20
  private static let smallestCell = 96

  /// Uses the largest zoom at which the chart fits, or else the smallest zoom, and reduces the picture to `sideLimit`.
  init(_ subject: ContactSubject, fitting fit: Int = 1440, sideLimit: Int = 1440) throws {
    let box = { (zoom: Int) in subject.grid(zoom).box(subject.bounds, margin: ContactOverview.border) }
    let fits = { (zoom: Int) in max(box(zoom).width, box(zoom).height) <= fit }
    zoom = subject.zooms.map(\.zoom).last(where: fits) ?? subject.smallest
    self.box = box(zoom)
    guard self.box.width <= ContactOverview.pixelLimit / self.box.height else {
      throw UserError(
        .badInput, operation: "drawing", path: subject.name,
        reason: "even at its smallest zoom, \(zoom), it is \(self.box.width) x \(self.box.height) pixels",
        suggestion: "Build it with a smaller minZoom.")
    }
    let side = max(self.box.width, self.box.height)
    factor = (side + sideLimit - 1) / sideLimit
    self.subject = subject
    picture = try subject.painter.picture(zoom: zoom, self.box).shrunk(by: factor)
  }

  var caption: String {
    "Picture: zoom \(zoom)\(factor > 1 ? " made smaller" : ""). Grid: tiles of zoom \(gridZoom). "
      + "Ticks: \(subject.hasNeatline ? "the neatline" : "the bounds") from outside. Red: broken"
  }

  /// The largest zoom whose grid does not hide the chart.
  private var gridZoom: Int {
    var gridZoom = subject.largest
    while gridZoom > 0, cell(gridZoom) < Double(ContactOverview.smallestCell) { gridZoom -= 1 }
    return gridZoom
  }

  /// The side of a tile in the picture.
  private func cell(_ gridZoom: Int) -> Double {
    let size = Double(subject.painter.tileSize) / Double(factor)
    return gridZoom > zoom ? size / Double(1 << (gridZoom - zoom)) : size * Double(1 << (zoom - gridZoom))
  }

  func draw(on page: inout PageCanvas, x: Int, y: Int) {
    page.place(picture, x: x, y: y)
    drawTiles(on: &page, x: x, y: y)
    drawNeatline(on: &page, x: x, y: y)
  }

  private func drawTiles(on page: inout PageCanvas, x: Int, y: Int) {
    let (cell, color) = (cell(gridZoom), ContactSheet.Look.grid)
    for column in lines(box.column, picture.width, cell) {
      for row in 0..<picture.height { page.dot(x + column, y + row, color, strength: 110) }
    }
    for row in lines(box.row, picture.height, cell) {
      for column in 0..<picture.width { page.dot(x + column, y + row, color, strength: 110) }
    }
  }

  func drawNeatline(on page: inout PageCanvas, x: Int, y: Int) {
    let frame = PixelBox(column: x, row: y, width: picture.width, height: picture.height)
    let ticks = NeatlineTicks(neatline: subject.neatline, spacing: 12, length: 6)
    for stroke in ticks.strokes(in: box, of: subject.grid(zoom), scale: 1 / Double(factor)) {
      page.line(from: stroke.from, to: stroke.to, ContactSheet.Look.tick, inside: frame)
    }
  }

  /// Returns the edges of tiles, in pixels of the picture.
  private func lines(_ origin: Int, _ count: Int, _ cell: Double) -> [Int] {
    let start = Double(origin) / Double(factor)
    let first = (start / cell).rounded(.up) * cell - start
    return stride(from: first, to: Double(count), by: cell).map { Int($0.rounded(.down)) }
  }
}

/// A neatline as short strokes on its outer side, which hide nothing of the map.
struct NeatlineTicks {
  let neatline: MercatorNeatline
  /// In pixels of the picture.
  let spacing: Double
  let length: Double

  /// Longer than any world. Edges off the earth are not drawn.
  private static let longest = 1e12

  typealias Stroke = (from: (x: Double, y: Double), to: (x: Double, y: Double))

  /// Returns the strokes in pixels of a picture of a box, with the grid's pixels scaled.
  func strokes(in box: PixelBox, of grid: PixelGrid, scale: Double) -> [Stroke] {
    let area = grid.area(box)
    var strokes: [Stroke] = []
    var covered = 0.0
    for edge in neatline.edges {
      let (from, to) = (grid.place(edge.from), grid.place(edge.to))
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let distance = (dx * dx + dy * dy).squareRoot() * scale
      guard distance > 0, distance < NeatlineTicks.longest else { continue }
      defer { covered = (covered + distance).truncatingRemainder(dividingBy: spacing) }
      guard
        let inside = area.share(
          from: PlanePoint(x: edge.from.x, y: edge.from.y), to: PlanePoint(x: edge.to.x, y: edge.to.y))
      else { continue }
      // The strokes have the same distance along the whole line, across corners.
      let first = ((covered + inside.lowerBound * distance) / spacing).rounded(.up) * spacing - covered
      for step in stride(from: first, through: inside.upperBound * distance, by: spacing) {
        let place = (x: from.x + dx * step / distance, y: from.y + dy * step / distance)
        strokes.append(
          stroke(at: place, along: (dx * scale / distance, dy * scale / distance), box, grid, scale))
      }
    }
    return strokes
  }

  private func stroke(
    at place: (x: Double, y: Double), along: (x: Double, y: Double), _ box: PixelBox, _ grid: PixelGrid,
    _ scale: Double
  ) -> Stroke {
    var out = (x: along.y, y: -along.x)
    if neatline.contains(grid.metres((place.x + out.x / 2, place.y + out.y / 2))) { out = (-out.x, -out.y) }
    let foot = (x: (place.x - Double(box.column)) * scale, y: (place.y - Double(box.row)) * scale)
    return (foot, (foot.x + out.x * length, foot.y + out.y * length))
  }
}
