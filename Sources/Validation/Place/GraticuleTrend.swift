/// How the graticule's offset changes over a chart: a plane through the offsets of its ninths, by least squares.
struct GraticuleTrend {
  private let middle: Double
  private let perEast: Double
  private let perSouth: Double
  private let stations: Int

  /// Fewer ninths do not show a trend.
  private static let fewest = 5

  /// - Parameter ninths: row by row from the north-west; nil where nothing was found.
  init?(_ ninths: [GraticuleSurvey.Reading?]) {
    // The middles of the ninths; the chart reaches from -1 to 1.
    let points = ninths.enumerated().compactMap { number, reading in
      reading.map {
        (east: Double(number % 3 - 1) * 2 / 3, south: Double(number / 3 - 1) * 2 / 3, reading: $0)
      }
    }
    guard points.count >= GraticuleTrend.fewest else { return nil }
    func mean(_ value: (Double, Double, Double) -> Double) -> Double {
      points.reduce(0) { $0 + value($1.east, $1.south, $1.reading.offset) } / Double(points.count)
    }
    let (east, south, offset) = (mean { x, _, _ in x }, mean { _, y, _ in y }, mean { _, _, o in o })
    let across = mean { x, _, _ in (x - east) * (x - east) }
    let down = mean { _, y, _ in (y - south) * (y - south) }
    let both = mean { x, y, _ in (x - east) * (y - south) }
    let alongEast = mean { x, _, o in (x - east) * (o - offset) }
    let alongSouth = mean { _, y, o in (y - south) * (o - offset) }
    let determinant = across * down - both * both
    guard determinant > 0.01 else { return nil }
    perEast = (alongEast * down - alongSouth * both) / determinant
    perSouth = (alongSouth * across - alongEast * both) / determinant
    middle = offset - perEast * east - perSouth * south
    stations = points.reduce(0) { $0 + $1.reading.stations }
  }

  func reading(east: Double, south: Double) -> GraticuleSurvey.Reading {
    GraticuleSurvey.Reading(offset: middle + perEast * east + perSouth * south, stations: stations)
  }
}
