internal import Core
internal import Foundation

/// Places by cells of a twentieth of a degree, to find the nearest one without looking at all.
struct PlaceGrid {
  typealias Place = (latitude: Double, longitude: Double)

  private struct Cell: Hashable {
    var row: Int
    var column: Int

    init(_ place: Place) {
      row = Int((place.latitude * 20).rounded(.down))
      column = Int((place.longitude * 20).rounded(.down))
    }
  }

  private let places: [Place]
  private let cells: [Cell: [Int]]

  init(_ places: [Place]) {
    self.places = places
    cells = Dictionary(grouping: places.indices) { Cell(places[$0]) }
  }

  /// The number of the nearest place that is wanted; nil when none is within so many nautical miles, less than three.
  func nearest(to place: Place, within miles: Double, where isWanted: (Int) -> Bool) -> Int? {
    var best: (miles: Double, number: Int)?
    let middle = Cell(place)
    for row in -1...1 {
      for column in -1...1 {
        var cell = middle
        cell.row += row
        cell.column += column
        for number in cells[cell] ?? [] where isWanted(number) {
          let distance = PlaceGrid.distance(places[number], place)
          if distance <= miles, distance < best?.miles ?? .infinity { best = (distance, number) }
        }
      }
    }
    return best?.number
  }

  /// Nautical miles, for places that are near each other.
  static func distance(_ one: Place, _ other: Place) -> Double {
    let north = (one.latitude - other.latitude) * 60
    var turn = abs(one.longitude - other.longitude)
    if turn > 180 { turn = 360 - turn }
    let east = turn * 60 * cos(one.latitude * .pi / 180)
    return (north * north + east * east).squareRoot()
  }
}
