internal import Core
internal import Foundation
internal import ImageIO
internal import TileArchive

/// Each tile against the one above it, which was made of it, in fine print: a tile at half its size has as much of it as the
/// quarter above has. Blur takes two fifths and more.
struct TilesSharp: TileRule {
  let name = "tiles-sharp"
  let protects = "Small print can be read on every square of the chart at every zoom."

  /// Of all tiles of a zoom together: a lossy format takes an eighth, a coarse palette adds a quarter.
  private static let zoomShares = 0.72...1.45
  /// Of a single tile, as a share of what is usual in its zoom: at least, and as many times the usual deviation.
  private static let tileShare = 0.28
  private static let deviations = 6.0
  /// The mean square of the difference between two pixels, and the number of cells that have it: of less nothing can be said.
  private static let printed = 60.0
  private static let leastCells = 8
  /// With fewer printed cells, chance has a larger part in the ratio, so the limit of a tile grows.
  private static let enoughCells = 16.0

  func visitor(of archive: ArchiveUnderTest) -> any TileVisitor { Visitor(rule: self, archive: archive) }

  private struct Visitor: TileVisitor {
    let rule: TilesSharp
    let archive: ArchiveUnderTest
    /// The fine print of the zoom under way and of the one above it, of each cell that is opaque and of one
    /// chart; the others have the largest number.
    var own: [TileID: [UInt32]] = [:]
    var above: [TileID: [UInt32]] = [:]
    var zoom = -1
    var pairs: [Int: [Pair]] = [:]

    struct Pair {
      let tile: TileID
      let halved: Double
      let parent: Double
      /// As much print as makes a cell a printed one, in each cell in which both are known. It is added to both, so that a tile
      /// with little print does not stand out by what a palette does to it.
      let floor: Double
      let printedCells: Int

      /// As a logarithm, so that more and less are alike.
      var ratio: Double { log((halved + floor) / (parent + floor)) }
      /// By which the limit of its zoom is multiplied.
      var growth: Double { max(1, TilesSharp.enoughCells / Double(printedCells)).squareRoot() }
    }

    mutating func visit(_ tile: SeenTile) {
      guard let id = tile.stored.id else { return }
      if id.zoom != zoom {
        above = id.zoom == zoom + 1 ? own : [:]
        own = [:]
        zoom = id.zoom
      }
      guard case .success(let survey) = tile.survey, let detail = survey.detail else { return }
      let opaque = survey.opaqueCells
      if zoom < archive.summary.zooms.last?.zoom ?? 0 {
        let inside = archive.neatline?.cellsOfOneChart(in: id, count: TileSurvey.cells) ?? opaque
        own[id] = detail.own.indices.map { opaque[$0] && inside[$0] ? detail.own[$0] : .max }
      }
      guard zoom > 0, let parent = above[id.parent] else { return }
      if let pair = TilesSharp.pair(id, detail, opaque, parent, side: survey.width) {
        pairs[zoom, default: []].append(pair)
      }
    }

    func finish() -> [Finding] {
      pairs.sorted { $0.key < $1.key }.flatMap { zoom, pairs in
        let (halved, parent) = pairs.reduce((0.0, 0.0)) { ($0.0 + $1.halved, $0.1 + $1.parent) }
        guard !TilesSharp.zoomShares.contains(halved / parent) else {
          return TilesSharp.strays(pairs).map(finding)
        }
        let (less, more) = halved < parent ? (zoom, zoom - 1) : (zoom - 1, zoom)
        return [
          rule.error(
            archive.place,
            "zoom \(less) is blurred against zoom \(more): it has \(Int(100 * min(halved / parent, parent / halved))) % "
              + "of its fine print; build it again")
        ]
      }
    }

    private func finding(_ pair: Pair) -> Finding {
      let isLess = pair.halved < pair.parent
      return rule.error(
        "\(archive.place) tile \(isLess ? pair.tile : pair.tile.parent)",
        "it is blurred against the tile \(isLess ? "above" : "below") it, \(isLess ? pair.tile.parent : pair.tile): it has "
          + "\(Int(100 * min(pair.halved / pair.parent, pair.parent / pair.halved))) % of its fine print; build it again"
      )
    }
  }

  /// Of the cells that both show without transparency; nil where too few have any print.
  private static func pair(
    _ id: TileID, _ detail: TileDetail, _ opaque: [Bool], _ parent: [UInt32], side: Int
  ) -> Visitor.Pair? {
    let cells = TileSurvey.cells
    let half = cells / 2
    let (left, top) = ((id.column & 1) * half, (id.row & 1) * half)
    let pixels = Double(side / cells) * Double(side / cells) / 4
    var (sums, printed, count) = ((0.0, 0.0), 0, 0)
    for row in 0..<half {
      for column in 0..<half {
        let place = 2 * row * cells + 2 * column
        let target = parent[(top + row) * cells + left + column]
        guard target != .max, [0, 1, cells, cells + 1].allSatisfy({ opaque[place + $0] }) else { continue }
        let own = detail.halved[row * half + column]
        sums = (sums.0 + Double(own), sums.1 + Double(target))
        count += 1
        if Double(max(own, target)) >= TilesSharp.printed * pixels { printed += 1 }
      }
    }
    guard printed >= leastCells else { return nil }
    return Visitor.Pair(
      tile: id, halved: sums.0, parent: sums.1, floor: TilesSharp.printed * pixels * Double(count),
      printedCells: printed)
  }

  /// Those that do not go with the others of their zoom.
  private static func strays(_ pairs: [Visitor.Pair]) -> [Visitor.Pair] {
    let ratios = pairs.map(\.ratio)
    let middle = ratios.median
    let deviation = ratios.map { abs($0 - middle) }.median
    let limit = max(tileShare, deviations * deviation)
    return pairs.filter { abs($0.ratio - middle) > limit * $0.growth }
  }
}

extension TileSurvey {
  /// Whether each cell has no transparency at all.
  fileprivate var opaqueCells: [Bool] { stride(from: 3, to: means.count, by: 4).map { means[$0] == 255 } }
}
