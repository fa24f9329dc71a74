internal import Core
internal import Pipeline

/// One edge of a neatline as a curve on the sheet.
struct SheetLine {
  private let projection: SheetProjection
  private let course: Course
  /// How far the curve is moved along its normal, in pixels.
  private var shift = 0.0

  private enum Course {
    case meridian(Double)
    case parallel(Double)
    /// Through a point, with a direction one pixel long.
    case straight(PixelPoint, along: PixelPoint)
  }

  /// A point seen from the curve: its distance in pixels, and the direction in which that grows fastest.
  private struct Standing {
    let distance: Double
    let normal: PixelPoint
  }

  /// Rounds of Newton's method. Over a sheet the projection is so nearly linear that each gains several digits.
  private static let rounds = 30
  /// In pixels.
  private static let exactness = 1e-7

  /// Nil where a place that the edge goes through is not on the sheet's side of the earth.
  init?(_ edge: NeatlineDefinition.Edge, on projection: SheetProjection) {
    self.projection = projection
    let (upright, level) = (PixelPoint(column: 0, row: 1), PixelPoint(column: 1, row: 0))
    switch edge {
    case .meridian(let value): course = .meridian(value)
    case .parallel(let value): course = .parallel(value)
    case .column(let value): course = .straight(PixelPoint(column: value, row: 0), along: upright)
    case .row(let value): course = .straight(PixelPoint(column: 0, row: value), along: level)
    case .columnThrough(let place):
      guard let pixel = projection.pixel(of: place) else { return nil }
      course = .straight(pixel, along: upright)
    case .rowThrough(let place):
      guard let pixel = projection.pixel(of: place) else { return nil }
      course = .straight(pixel, along: level)
    case .straight(let a, let b):
      guard let start = projection.pixel(of: a), let end = projection.pixel(of: b) else { return nil }
      let length = start.distance(to: end)
      guard length > 0 else { return nil }
      course = .straight(
        start,
        along: PixelPoint(column: (end.column - start.column) / length, row: (end.row - start.row) / length))
    }
  }

  /// The curve beside this one, so many pixels to the side on which the direction points.
  func moved(by pixels: Double, toward direction: PixelPoint, near point: PixelPoint) -> SheetLine? {
    guard let standing = standing(of: point) else { return nil }
    var moved = self
    let along = standing.normal.column * direction.column + standing.normal.row * direction.row
    moved.shift += along < 0 ? -pixels : pixels
    return moved
  }

  /// The point of the curve that is nearest.
  func foot(of point: PixelPoint) -> PixelPoint? {
    var point = point
    for _ in 0..<SheetLine.rounds {
      guard let standing = standing(of: point) else { return nil }
      point.column -= standing.distance * standing.normal.column
      point.row -= standing.distance * standing.normal.row
      if abs(standing.distance) < SheetLine.exactness { return point }
    }
    return nil
  }

  /// Where two curves meet, looked for from a point.
  func crossing(_ other: SheetLine, from start: PixelPoint) -> PixelPoint? {
    var point = start
    for _ in 0..<SheetLine.rounds {
      guard let f = standing(of: point), let g = other.standing(of: point) else { return nil }
      let determinant = f.normal.column * g.normal.row - f.normal.row * g.normal.column
      // Nearly parallel curves meet nowhere that anyone could have meant.
      guard abs(determinant) > 1e-6 else { return nil }
      let column = (f.distance * g.normal.row - g.distance * f.normal.row) / determinant
      let row = (g.distance * f.normal.column - f.distance * g.normal.column) / determinant
      point.column -= column
      point.row -= row
      if abs(column) + abs(row) < SheetLine.exactness { return point }
    }
    return nil
  }

  private func standing(of point: PixelPoint) -> Standing? {
    if case .straight(let origin, let along) = course {
      let (column, row) = (point.column - origin.column, point.row - origin.row)
      return Standing(
        distance: column * along.row - row * along.column - shift,
        normal: PixelPoint(column: along.row, row: -along.column))
    }
    guard let value = degrees(at: point),
      let right = degrees(at: PixelPoint(column: point.column + 1, row: point.row)),
      let below = degrees(at: PixelPoint(column: point.column, row: point.row + 1))
    else { return nil }
    let slope = PixelPoint(column: right - value, row: below - value)
    let steepness = slope.distance(to: PixelPoint(column: 0, row: 0))
    guard steepness > 0 else { return nil }
    return Standing(
      distance: value / steepness - shift,
      normal: PixelPoint(column: slope.column / steepness, row: slope.row / steepness))
  }

  /// Degrees beside a line of the graticule.
  private func degrees(at point: PixelPoint) -> Double? {
    guard let place = projection.place(of: point) else { return nil }
    return switch course {
    case .meridian(let value): (place.longitude - value).remainder(dividingBy: 360)
    case .parallel(let value): place.latitude - value
    case .straight: nil
    }
  }
}
