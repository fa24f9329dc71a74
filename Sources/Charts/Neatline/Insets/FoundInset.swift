internal import Core
internal import Pipeline

/// A rectangle with white bands around it, as it lies on the sheet.
struct FoundInset {
  let candidate: InsetCandidate
  let upper: InsetBorder
  let lower: InsetBorder
  let map: MapSpans

  var rows: Range<Int> { upper.row..<lower.row }
  /// Its narrowest columns, white bands included.
  let columns: Range<Int>

  init?(_ candidate: InsetCandidate, upper: InsetBorder, lower: InsetBorder, map: MapSpans) {
    guard lower.row - upper.row >= InsetCandidate.leastSide,
      let columns = candidate.columns(atRow: (upper.row + lower.row) / 2, map)
    else { return nil }
    self.candidate = candidate
    self.upper = upper
    self.lower = lower
    self.map = map
    self.columns = columns
  }

  var sides: [Product.Cut.Inset.Side] {
    [
      candidate.left == nil ? .neatline : .band, lower.side, candidate.right == nil ? .neatline : .band,
      upper.side,
    ]
  }

  var area: Int { columns.count * rows.count }

  /// Pixels that it shares with another.
  func overlap(with other: FoundInset) -> Int {
    columns.clamped(to: other.columns).count * rows.clamped(to: other.rows).count
  }

  /// How far beyond the neatline a mask reaches where that is the inset's side.
  private static let overhang = 24
  /// The softened rim of the band goes with it.
  private static let rim = 1

  /// Its corners on the sheet with the white band, anticlockwise from the upper left one.
  var corners: [PixelPoint] {
    let (top, bottom) = (
      upper.row - (upper.side == .neatline ? FoundInset.overhang : FoundInset.rim),
      lower.row + (lower.side == .neatline ? FoundInset.overhang : FoundInset.rim)
    )
    let ends = stride(from: rows.lowerBound, through: rows.upperBound - 1, by: 16).compactMap {
      map.span(atRow: $0, around: columns.lowerBound + columns.count / 2)
    }
    func left(_ row: Int) -> Int {
      guard let post = candidate.left else {
        return (ends.map(\.lowerBound).min() ?? 0) - FoundInset.overhang
      }
      return post.column(atRow: row, slope: candidate.slope) - FoundInset.rim
    }
    func right(_ row: Int) -> Int {
      guard let post = candidate.right else {
        return (ends.map(\.upperBound).max() ?? 0) + FoundInset.overhang
      }
      return post.column(atRow: row, slope: candidate.slope) + FoundInset.rim
    }
    let rise = (columns.count * candidate.slope) >> 16
    return [
      (left(top), top), (left(bottom), bottom), (right(bottom - rise), bottom - rise),
      (right(top - rise), top - rise),
    ].map { PixelPoint(column: Double($0.0), row: Double($0.1)) }
  }

  /// As edges of a definition.
  func mask(on projection: SheetProjection) -> [NeatlineDefinition.Edge]? {
    let corners = corners
    guard candidate.slope != 0 else {
      return [
        .column(corners[0].column), .row(corners[1].row), .column(corners[2].column), .row(corners[3].row),
      ]
    }
    let places = corners.compactMap { projection.place(of: $0) }
    guard places.count == 4 else { return nil }
    return places.indices.map { .straight(places[$0], places[($0 + 1) % 4]) }
  }

  /// Its box on the earth, to a ten-thousandth of a degree, which is more than a pixel.
  func box(on projection: SheetProjection) -> GeoBox? {
    func rounded(_ degrees: Double) -> Double { (degrees * 10_000).rounded() / 10_000 }
    let places = corners.compactMap { projection.place(of: $0) }.map {
      GeoPoint(longitude: rounded($0.longitude), latitude: rounded($0.latitude))
    }
    return GeoBox(around: places)
  }
}
