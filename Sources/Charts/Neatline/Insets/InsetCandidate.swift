internal import Pipeline

/// Two posts, or one post and the neatline, between which an inset may lie.
struct InsetCandidate {
  /// Nil where the neatline is its side.
  let left: InsetPost?
  let right: InsetPost?
  /// The sampled bands of rows that show both.
  let bands: ClosedRange<Int>
  let slope: Int

  /// Of an inset with its band, in pixels.
  static let leastSide = 260

  init?(left: InsetPost?, right: InsetPost?) {
    let ranges = [left, right].compactMap(\.self).map(\.bands)
    guard let first = ranges.map(\.lowerBound).max(), let last = ranges.map(\.upperBound).min(), first <= last
    else { return nil }
    let slopes = [left, right].compactMap(\.self).map(\.slope)
    self.left = left
    self.right = right
    bands = first...last
    slope = slopes.reduce(0, +) / slopes.count
  }

  /// Its columns, white bands included, at a row.
  func columns(atRow row: Int, _ map: MapSpans) -> Range<Int>? {
    let known = (left ?? right)?.column(atRow: row, slope: slope) ?? 0
    // The map's span on the inner side of the post.
    guard let span = map.span(atRow: row, around: left == nil ? known - 8 : known + 8) else { return nil }
    let start = left?.column(atRow: row, slope: slope) ?? span.lowerBound
    let end = right?.column(atRow: row, slope: slope) ?? span.upperBound
    return end - start >= InsetCandidate.leastSide ? start..<min(end, span.upperBound) : nil
  }
}

/// The map between the sides of its outline, row by row.
struct MapSpans {
  private let ring: [PixelPoint]
  private let width: Int
  let rows: Range<Int>

  init(_ neatline: Neatline, on projection: SheetProjection) {
    ring = neatline.ring.map(\.pixel)
    width = projection.width
    let (top, bottom) = (ring.map(\.row).min() ?? 0, ring.map(\.row).max() ?? 0)
    let first = max(0, Int(top.rounded(.up)))
    rows = first..<max(first, min(projection.height, Int(bottom.rounded(.down))))
  }

  /// In which columns the map lies at the middle of a row.
  func spans(atRow row: Int) -> [Range<Int>] {
    let line = Double(row) + 0.5
    let crossings = ring.indices.compactMap { index -> Double? in
      let (a, b) = (ring[index], ring[(index + 1) % ring.count])
      guard (a.row <= line) != (b.row <= line) else { return nil }
      return a.column + (line - a.row) / (b.row - a.row) * (b.column - a.column)
    }.sorted()
    return stride(from: 0, to: crossings.count - 1, by: 2).compactMap { index in
      let low = max(0, Int(crossings[index].rounded()))
      let high = min(width, Int(crossings[index + 1].rounded()))
      return low < high ? low..<high : nil
    }
  }

  func span(atRow row: Int, around column: Int) -> Range<Int>? {
    spans(atRow: row).first { $0.contains(column) }
  }
}
