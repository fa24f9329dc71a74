internal import Core
internal import ImageIO

/// The whole chart on a checkerboard, its neatline ticked from outside.
struct OverviewPicture {
  let image: RGBAImage
  let zoom: Int

  private static let pixelLimit = 1 << 25
  private static let border = 20

  /// Uses the largest zoom at which the chart fits, or else the smallest zoom, and reduces the picture to `sideLimit`.
  init(_ subject: PictureSubject, fitting fit: Int, sideLimit: Int) throws {
    let box = { (zoom: Int) in subject.grid(zoom).box(subject.bounds, margin: OverviewPicture.border) }
    let fits = { (zoom: Int) in max(box(zoom).width, box(zoom).height) <= fit }
    let zoom = subject.zooms.map(\.zoom).last(where: fits) ?? subject.smallest
    let whole = box(zoom)
    guard whole.width <= OverviewPicture.pixelLimit / whole.height else {
      throw UserError(
        .badInput, operation: "drawing", path: subject.name,
        reason: "even at its smallest zoom, \(zoom), it is \(whole.width) x \(whole.height) pixels",
        suggestion: "Build it with a smaller minZoom.")
    }
    // The pixels of the zoom, along a side, that make one of the picture.
    let factor = (max(whole.width, whole.height) + sideLimit - 1) / sideLimit
    let picture = try subject.painter.picture(zoom: zoom, whole).shrunk(by: factor)
    var page = PageCanvas(width: picture.width, height: picture.height)
    page.place(picture)
    let ticks = NeatlineTicks(neatline: subject.neatline, spacing: 12, length: 6)
    page.draw(ticks.strokes(in: whole, of: subject.grid(zoom), scale: 1 / Double(factor)))
    (image, self.zoom) = (page.image, zoom)
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
