internal import Pipeline

/// Finds the upper or the lower side of a candidate in decoded rows: a level white band, or the neatline.
struct InsetBorder {
  /// The first row of the inset, or the one after its last, at its left side.
  let row: Int
  let side: Product.Cut.Inset.Side
  /// The share of paper in the band, in hundredths.
  let paper: Int

  /// Columns within a post that must be paper.
  private static let postWidth = 12
  /// Rows of a level band that are looked at.
  private static let bandHeight = 12
  /// A side that ends so near the neatline ends at it: frames and their softened rims lie between.
  private static let neatlineReach = 24
  private static let sampleCount = 128

  /// - Parameters:
  ///   - isUpper: which of the two sides is looked for.
  ///   - start: the row of the candidate's outermost sampled band from which the search goes outward.
  init?(
    of candidate: InsetCandidate, isUpper: Bool, from start: Int, in rows: SheetRows, kinds: [PrintKind],
    map: MapSpans
  ) {
    let step = isUpper ? -1 : 1
    let print = PrintedRows(rows: rows, kinds: kinds, slope: candidate.slope)
    guard let width = candidate.columns(atRow: start, map)?.count else { return nil }
    let left = candidate.left.map {
      print.end(of: $0, columns: 2..<2 + InsetBorder.postWidth, from: start, step)
    }
    let right = candidate.right.map {
      print.end(of: $0, columns: -2 - InsetBorder.postWidth..<(-2), from: start, step)
        + (width * candidate.slope) >> 16
    }
    let ends = [left, right].compactMap(\.self)
    let last = (isUpper ? ends.max() : ends.min()) ?? start
    row = isUpper ? last : last + 1
    guard let columns = candidate.columns(atRow: last, map) ?? candidate.columns(atRow: start, map) else {
      return nil
    }
    let middle = columns.lowerBound + columns.count / 2
    if map.span(atRow: last + step * InsetBorder.neatlineReach, around: middle) == nil {
      (side, paper) = (.neatline, 100)
      return
    }
    guard rows.range.contains(last + step * 6) else { return nil }
    let shares = (0..<InsetBorder.bandHeight).map {
      print.paperHundredths(columns, atRow: last - step * $0, samples: InsetBorder.sampleCount)
    }
    let beyond = print.paperHundredths(columns, atRow: last + step * 6, samples: InsetBorder.sampleCount)
    guard shares.count(where: { $0 >= 85 }) >= 10, beyond <= 60 else { return nil }
    (side, paper) = (.band, shares.sorted()[2...].reduce(0, +) / (shares.count - 2))
  }
}

/// Rows of the sheet, sheared so that the level sides of a tilted inset are level.
private struct PrintedRows {
  let rows: SheetRows
  let kinds: [PrintKind]
  let slope: Int

  /// The last row, going outward, in which a post is white. Lettering may cross it in a few rows.
  func end(of post: InsetPost, columns: Range<Int>, from start: Int, _ step: Int) -> Int {
    var (row, end, misses) = (start, start, 0)
    while rows.range.contains(row), misses < 4 {
      let edge = post.column(atRow: row, slope: slope)
      let count = columns.count { isPaper(edge + $0, row) }
      if count * 6 >= columns.count * 5 { (end, misses) = (row, 0) } else { misses += 1 }
      row += step
    }
    return end
  }

  func isPaper(_ column: Int, _ row: Int) -> Bool {
    guard rows.range.contains(row), (0..<rows.width).contains(column) else { return false }
    return kinds[Int(rows.indexes[(row - rows.range.lowerBound) * rows.width + column])] == .paper
  }

  /// The share of paper along a level line that begins at the first column's row. A stretch without any, which is longer than
  /// lettering is, makes it nothing.
  func paperHundredths(_ columns: Range<Int>, atRow row: Int, samples: Int) -> Int {
    let inner = columns.count - 16
    var (count, gap, longest) = (0, 0, 0)
    for sample in 0..<samples {
      let along = 8 + inner * sample / samples
      let isWhite = isPaper(columns.lowerBound + along, row - (along * slope) >> 16)
      (count, gap) = isWhite ? (count + 1, 0) : (count, gap + 1)
      longest = max(longest, gap)
    }
    return longest * 16 > samples ? 0 : count * 100 / samples
  }
}
