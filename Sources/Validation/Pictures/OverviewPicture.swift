internal import Core
internal import ImageIO

extension PictureSubject {
  private static let pixelLimit = 1 << 25
  private static let border = 20

  /// Draws the whole chart on a checkerboard, its neatline ticked from outside.
  ///
  /// Uses the largest zoom at which the chart fits, or else the smallest zoom, and reduces the picture to `sideLimit`.
  func overview(fitting fit: Int, sideLimit: Int) throws -> (image: RGBAImage, zoom: Int) {
    let box = { (zoom: Int) in grid(zoom).box(bounds, margin: PictureSubject.border) }
    let fits = { (zoom: Int) in max(box(zoom).width, box(zoom).height) <= fit }
    let zoom = zooms.map(\.zoom).last(where: fits) ?? smallest
    let whole = box(zoom)
    guard whole.width <= PictureSubject.pixelLimit / whole.height else {
      throw UserError(
        .badInput, operation: "drawing", path: name,
        reason: "even at its smallest zoom, \(zoom), it is \(whole.width) x \(whole.height) pixels",
        suggestion: "Build it with a smaller minZoom.")
    }
    // The pixels of the zoom, along a side, that make one of the picture.
    let factor = (max(whole.width, whole.height) + sideLimit - 1) / sideLimit
    let picture = try painter.picture(zoom: zoom, whole).shrunk(by: factor)
    var page = PageCanvas(width: picture.width, height: picture.height)
    page.place(picture)
    page.draw(
      neatline.ticks(in: whole, of: grid(zoom), scale: 1 / Double(factor), spacing: 12, length: 6))
    return (page.image, zoom)
  }
}

extension MercatorNeatline {
  /// Longer than any world. Edges off the earth are not drawn.
  private static let longest = 1e12

  /// Returns the neatline as short strokes on its outer side, which hide nothing of the map, in pixels of a picture of a box.
  ///
  /// - Parameters:
  ///   - scale: of the grid's pixels.
  ///   - spacing, length: of the strokes, in pixels of the picture.
  func ticks(
    in box: PixelBox, of grid: PixelGrid, scale: Double, spacing: Double, length: Double
  ) -> [PageCanvas.Stroke] {
    let area = grid.area(box)
    var strokes: [PageCanvas.Stroke] = []
    var covered = 0.0
    for edge in edges {
      let (from, to) = (grid.place(edge.from), grid.place(edge.to))
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let distance = (dx * dx + dy * dy).squareRoot() * scale
      guard distance > 0, distance < Self.longest else { continue }
      defer { covered = (covered + distance).truncatingRemainder(dividingBy: spacing) }
      guard let inside = area.share(from: edge.from, to: edge.to) else { continue }
      // The strokes have the same distance along the whole line, across corners.
      let first = ((covered + inside.lowerBound * distance) / spacing).rounded(.up) * spacing - covered
      for step in stride(from: first, through: inside.upperBound * distance, by: spacing) {
        let place = PlanePoint(x: from.x + dx * step / distance, y: from.y + dy * step / distance)
        let along = (x: dx * scale / distance, y: dy * scale / distance)
        strokes.append(tick(at: place, along: along, length, box, grid, scale))
      }
    }
    return strokes
  }

  private func tick(
    at place: PlanePoint, along: (x: Double, y: Double), _ length: Double, _ box: PixelBox, _ grid: PixelGrid,
    _ scale: Double
  ) -> PageCanvas.Stroke {
    var out = (x: along.y, y: -along.x)
    if contains(grid.metres(PlanePoint(x: place.x + out.x / 2, y: place.y + out.y / 2))) {
      out = (-out.x, -out.y)
    }
    let foot = (x: (place.x - Double(box.column)) * scale, y: (place.y - Double(box.row)) * scale)
    return (foot, (foot.x + out.x * length, foot.y + out.y * length))
  }
}
