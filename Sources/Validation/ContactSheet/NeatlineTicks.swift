internal import Core

/// Where a neatline runs, as short strokes that stand on it from outside: so they hide nothing of the map.
struct NeatlineTicks {
  let neatline: Neatline
  /// In pixels of the picture.
  let spacing: Double
  let length: Double

  /// Longer than any world. An edge that leads off the earth has no place on a picture.
  private static let longest = 1e12

  typealias Stroke = (from: (x: Double, y: Double), to: (x: Double, y: Double))

  /// In pixels of a picture of a box, each of the grid's pixels enlarged.
  func strokes(in box: PixelBox, of grid: PixelGrid, scale: Double) -> [Stroke] {
    let area = grid.area(box)
    var strokes: [Stroke] = []
    var walked = 0.0
    for edge in neatline.edges {
      let (from, to) = (grid.place(edge.from), grid.place(edge.to))
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      let way = (dx * dx + dy * dy).squareRoot() * scale
      guard way > 0, way < NeatlineTicks.longest else { continue }
      defer { walked = (walked + way).truncatingRemainder(dividingBy: spacing) }
      guard
        let inside = area.share(
          from: PlanePoint(x: edge.from.x, y: edge.from.y), to: PlanePoint(x: edge.to.x, y: edge.to.y))
      else { continue }
      // Along the whole line the strokes stand at the same distance, whatever its corners.
      let first = ((walked + inside.lowerBound * way) / spacing).rounded(.up) * spacing - walked
      for distance in stride(from: first, through: inside.upperBound * way, by: spacing) {
        let place = (x: from.x + dx * distance / way, y: from.y + dy * distance / way)
        strokes.append(stroke(at: place, along: (dx * scale / way, dy * scale / way), box, grid, scale))
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
