/// How many tiles of an area some archives have, and how many bytes these take, from what a catalogue says of the archives.
///
/// An archive's bytes are taken to be spread evenly over the tiles of its bounding box.
public struct AreaEstimate: Equatable, Sendable {
  /// An archive as a catalogue describes it.
  public struct Archive: Sendable {
    /// Two for a chart across 180 degrees.
    public var boxes: [BoundingBox]
    public var zooms: ClosedRange<Int>
    public var bytes: Int

    public init(boxes: [BoundingBox], zooms: ClosedRange<Int>, bytes: Int) {
      (self.boxes, self.zooms, self.bytes) = (boxes, zooms, bytes)
    }

    /// Tiles that touch a box, of all zooms.
    var tileCount: Int {
      zooms.reduce(0) { sum, zoom in sum + boxes.map { $0.tileCount(zoom: zoom) }.reduce(0, +) }
    }
  }

  /// By zoom. An archive may lack some of them where its neatline lies inside of its bounding box.
  public private(set) var tiles: [Int: Int] = [:]
  public private(set) var bytes = 0

  /// - Parameters:
  ///   - archives: of one family. A tile that several of them have counts once.
  ///   - zooms: nil for all that the archives have.
  public init(of area: FlightArea, from archives: [Archive], zooms: ClosedRange<Int>? = nil) {
    let lowest = archives.map(\.zooms.lowerBound).min() ?? 0
    let highest = archives.map(\.zooms.upperBound).max() ?? 0
    let known = archives.map {
      (
        archive: $0, cells: $0.boxes.map { GraticuleCell($0) },
        weight: Double($0.bytes) / Double(max(1, $0.tileCount))
      )
    }
    var sum = 0.0
    area.forEachTile(zooms: zooms ?? lowest...highest) { tile in
      let cell = GraticuleCell(tile.box)
      return known.contains { $0.cells.contains { $0.overlaps(cell) } }
    } _: { tile in
      let cell = GraticuleCell(tile.box)
      let weights = known.filter { known in
        known.archive.zooms.contains(tile.zoom) && known.cells.contains { $0.overlaps(cell) }
      }.map(\.weight)
      guard !weights.isEmpty else { return }
      tiles[tile.zoom, default: 0] += 1
      sum += weights.reduce(0, +) / Double(weights.count)
    }
    bytes = Int(sum.rounded())
  }
}

extension BoundingBox {
  func tileCount(zoom: Int) -> Int {
    let first = MapTile(zoom: zoom, containing: Coordinate(latitude: north, longitude: west))
    let last = MapTile(zoom: zoom, containing: Coordinate(latitude: south, longitude: east))
    return (last.column - first.column + 1) * (last.row - first.row + 1)
  }
}
