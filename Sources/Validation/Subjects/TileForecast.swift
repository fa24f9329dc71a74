internal import Core

/// How many tiles of each zoom a neatline predicts.
struct TileForecast {
  /// By zoom: those that the chart reaches into by more than the tolerance, and those that it touches within it.
  private(set) var fewest: [Int]
  private(set) var most: [Int]
  private let neatline: Neatline
  private var looks = 0

  /// Archives whose metadata is nonsense could have billions along the edge.
  private static let limit = 2_000_000

  /// Nil where it would take too long to tell.
  init?(_ neatline: Neatline, deepest: Int) {
    self.neatline = neatline
    fewest = [Int](repeating: 0, count: deepest + 1)
    most = fewest
    look(at: TileID(zoom: 0, column: 0, row: 0))
    if looks >= TileForecast.limit { return nil }
  }

  private mutating func look(at id: TileID) {
    looks += 1
    guard looks < TileForecast.limit else { return }
    switch neatline.relation(to: PlaneBox(of: id).grown(by: Neatline.tolerance(zoom: id.zoom))) {
    case .outside: return
    case .inside: addAll(below: id)
    case .crossing:
      most[id.zoom] += 1
      if neatline.mustShow(id) { fewest[id.zoom] += 1 }
      if id.zoom < most.count - 1 {
        for child in id.children { look(at: child) }
      }
    }
  }

  private mutating func addAll(below id: TileID) {
    for zoom in id.zoom..<most.count {
      let tiles = 1 << (2 * (zoom - id.zoom))
      fewest[zoom] += tiles
      most[zoom] += tiles
    }
  }
}
