internal import Core
internal import Pipeline

/// One of a sheet's four sides, and the lines that may be the map's edge there.
enum SheetSide: CaseIterable {
  case west
  case south
  case east
  case north

  /// Edges are either lines of the graticule or of the image's own grid.
  enum Family: CaseIterable {
    case graticule
    case grid
  }

  var name: String {
    switch self {
    case .west: "western edge"
    case .south: "southern edge"
    case .east: "eastern edge"
    case .north: "northern edge"
    }
  }

  var isUpright: Bool { self == .west || self == .east }

  /// Which way is outward along a row or a column.
  var outward: Int { self == .west || self == .north ? -1 : 1 }

  /// A collar takes no more than this of the sheet.
  private static let widestCollar = 0.45
  /// Only the middle of a line is looked at: at its ends it may run through the collars of its neighbours.
  private static let middle = (from: 0.2, to: 0.8)
  private static let samples = 32

  /// Positions on the sheet's middle line, from the rim inward, a cell apart.
  func positions(on projection: SheetProjection) -> [Double] {
    let length = isUpright ? projection.width : projection.height
    let steps = Int(Double(length) * SheetSide.widestCollar) / PooledSheet.cell
    return (0...steps).map { step in
      let inward = Double(step * PooledSheet.cell)
      return outward < 0 ? inward : Double(length) - inward
    }
  }

  /// The line of a family through a position, as a side that runs anticlockwise, and its last vertex.
  func line(
    _ family: Family, at position: Double, on projection: SheetProjection
  ) -> (side: Neatline.Side, end: Neatline.Vertex)? {
    let length = Double(isUpright ? projection.height : projection.width)
    func point(_ share: Double) -> PixelPoint {
      isUpright
        ? PixelPoint(column: position, row: share * length)
        : PixelPoint(column: share * length, row: position)
    }
    guard let edge = edge(family, through: point(0.5), on: projection) else { return nil }
    let runsUp = self == .east || self == .north
    let vertices = (0...SheetSide.samples).compactMap { sample -> Neatline.Vertex? in
      let part = Double(runsUp ? SheetSide.samples - sample : sample) / Double(SheetSide.samples)
      let share = SheetSide.middle.from + part * (SheetSide.middle.to - SheetSide.middle.from)
      return vertex(edge, beside: point(share), on: projection)
    }
    guard let end = vertices.last, vertices.count > SheetSide.samples else { return nil }
    return (Neatline.Side(name: name, edge: edge, vertices: vertices.dropLast()), end)
  }

  /// The edge of a family through a pixel.
  func edge(
    _ family: Family, through pixel: PixelPoint, on projection: SheetProjection
  ) -> NeatlineDefinition.Edge? {
    switch family {
    case .grid: isUpright ? .column(pixel.column) : .row(pixel.row)
    case .graticule:
      projection.place(of: pixel).map { isUpright ? .meridian($0.longitude) : .parallel($0.latitude) }
    }
  }

  /// How many pixels an edge passes beside a pixel.
  func nearness(
    of edge: NeatlineDefinition.Edge, to pixel: PixelPoint, on projection: SheetProjection
  ) -> Double {
    vertex(edge, beside: pixel, on: projection)?.pixel.distance(to: pixel) ?? .infinity
  }

  private func vertex(
    _ edge: NeatlineDefinition.Edge, beside pixel: PixelPoint, on projection: SheetProjection
  ) -> Neatline.Vertex? {
    guard var place = projection.place(of: pixel) else { return nil }
    switch edge {
    case .meridian(let degrees): place.longitude = degrees
    case .parallel(let degrees): place.latitude = degrees
    case .column, .row, .columnThrough, .rowThrough, .straight:
      return Neatline.Vertex(pixel: pixel, place: place)
    }
    return projection.pixel(of: place).map { Neatline.Vertex(pixel: $0, place: place) }
  }
}
