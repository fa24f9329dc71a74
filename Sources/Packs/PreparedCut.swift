internal import ChartpipeClient
internal import Charts
internal import Core
internal import Foundation
internal import TileArchive

/// The archives of a pack, opened, and the tiles that it gets from them.
struct PreparedCut {
  /// In the order of the charts.
  let archives: [URL]
  let readers: [any TileSource]
  let join: AreaJoin
  /// The charts that have at least one of the tiles, by their numbers.
  let used: [Int]
  let downloadBytes: Int
  let largestZoom: Int
  /// How many tiles of the largest zoom intersect the area and are in no chart.
  let missing: Int

  init(_ charts: [OfferedChart], _ area: FlightArea, _ zooms: ClosedRange<Int>, _ files: ChartFiles?) throws {
    let archives = try charts.map { try files?.archive($0) ?? $0.archive }.compactMap(\.self)
    let boxes = charts.flatMap(\.boxes)
    let wanted = Set(
      area.tiles(zooms: zooms) { tile in
        let box = tile.box
        return boxes.contains { $0.overlaps(box) }
      }.map { TileID(zoom: $0.zoom, column: $0.column, row: $0.row) })
    join = try AreaJoin(archives, wanted: wanted, zooms: zooms)
    guard !join.tiles.isEmpty else {
      throw ChartChoice.fault(
        "the charts have no tile in the area",
        "Compare the area with the charts: `chartpipe preview` shows them.")
    }
    let tiles = Set(join.tiles)
    self.archives = archives
    readers = try archives.map { try ArchiveKind.open($0) }
    used = join.used
    downloadBytes = try archives.reduce(0) { sum, archive in
      try sum + (files?.downloadBytes(archive, tiles) ?? 0)
    }
    largestZoom = join.tiles.map(\.zoom).max() ?? 0
    missing = area.tileCount(zoom: zooms.upperBound) - tiles.filter { $0.zoom == zooms.upperBound }.count
  }
}

extension FlightArea {
  fileprivate func tileCount(zoom: Int) -> Int {
    var count = 0
    forEachTile(zooms: zoom...zoom) { _ in count += 1 }
    return count
  }
}
