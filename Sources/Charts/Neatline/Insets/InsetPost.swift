internal import Core

/// The outer border of an upright white band, followed from one sampled band of rows to the next.
struct InsetPost {
  struct Point {
    let band: Int
    let row: Int
    let column: Int
  }

  private(set) var points: [Point]

  private static let limit = 200

  var bands: ClosedRange<Int> { points[0].band...points[points.count - 1].band }

  /// Columns a row, in 65,536ths: insets may be printed a little tilted.
  var slope: Int {
    let (first, last) = (points[0], points[points.count - 1])
    guard points.count >= 3, abs(last.column - first.column) >= 3 else { return 0 }
    return (last.column - first.column) * 65_536 / (last.row - first.row)
  }

  /// The column at a row, from the nearest point.
  func column(atRow row: Int, slope: Int) -> Int {
    let nearest = points.min { abs($0.row - row) < abs($1.row - row) } ?? points[0]
    return nearest.column + ((row - nearest.row) * slope) >> 16
  }

  /// Posts of one kind, in the order in which they begin.
  static func all(_ bands: [InsetBand], _ edges: KeyPath<InsetBand, [Int]>) -> [InsetPost] {
    var (open, done): ([InsetPost], [InsetPost]) = ([], [])
    for (number, band) in bands.enumerated() {
      let row = (band.rows.lowerBound + band.rows.upperBound) / 2
      // Lettering may hide a post in one band.
      let lost = open.filter { number - $0.bands.upperBound > 2 }
      done += lost
      open.removeAll { number - $0.bands.upperBound > 2 }
      for column in band[keyPath: edges] {
        let point = Point(band: number, row: row, column: column)
        if let index = open.indices.filter({ open[$0].leads(to: point) }).min(by: {
          open[$0].distance(to: point) < open[$1].distance(to: point)
        }) {
          open[index].points.append(point)
        } else {
          open.append(InsetPost(points: [point]))
        }
      }
    }
    // A sheet has a few dozen; only a striped one has more, and the longest are the best evidence.
    let longest = (done + open).sorted {
      ($1.points.count, $0.points[0].row, $0.points[0].column) < (
        $0.points.count, $1.points[0].row, $1.points[0].column
      )
    }
    return longest.prefix(limit).sorted {
      ($0.points[0].row, $0.points[0].column) < ($1.points[0].row, $1.points[0].column)
    }
  }

  /// From where the post would go on, in columns.
  private func distance(to point: Point) -> Int {
    let last = points[points.count - 1]
    guard let before = points.dropLast().last else { return abs(last.column - point.column) }
    let drift = (last.column - before.column) * (point.row - last.row) / (last.row - before.row)
    return abs(last.column + drift - point.column)
  }

  /// Two points give the slant of a post; the others lie on a straight line with them.
  private func leads(to point: Point) -> Bool {
    let last = points[points.count - 1]
    return point.band > last.band
      && distance(to: point) <= (points.count > 1 ? 4 : 3 + (point.row - last.row) / 24)
  }
}
