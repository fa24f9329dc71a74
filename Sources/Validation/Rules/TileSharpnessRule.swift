internal import Core
internal import Foundation
internal import ImageIO
internal import TileArchive

/// Compares the fine print of each tile with that of its parent, which was made from it: a tile at half its size has as much as its
/// quarter of the parent. Blur removes two fifths and more.
struct TilesSharp: Rule {
  let name = "tiles-sharp"
  let protects = "Small print can be read on every square of the chart at every zoom."

  /// The accepted ratios of all tiles of a zoom together: a lossy format removes an eighth, a coarse palette adds a quarter.
  private static let zoomShares = 0.72...1.45
  /// The limit of a single tile's deviation from the median of its zoom: at least this, and this many times the usual deviation.
  private static let tileShare = 0.28
  private static let deviations = 6.0
  /// The mean square difference between two pixels of a printed cell, and the fewest printed cells of a tile that is compared.
  private static let printed = 60.0
  private static let leastCells = 8
  /// With fewer printed cells the ratio is less certain, so the tile's limit grows.
  private static let enoughCells = 16.0

  func check(_ archive: ArchiveUnderTest) -> Visitor { Visitor(rule: self, archive: archive) }

  struct Visitor: RuleOutcome {
    let rule: TilesSharp
    let archive: ArchiveUnderTest
    /// The fine print of each cell of a tile that is opaque and shows a single chart; other cells
    /// have the largest number.
    var details = ZoomPair<[UInt32]>()
    var pairs: [Int: [Pair]] = [:]

    struct Pair {
      let tile: TileID
      let halved: Double
      let parent: Double
      /// The print of a barely printed cell, for each compared cell. It is added to both sums, so that the noise of a palette does
      /// not matter in a tile with little print.
      let floor: Double
      let printedCells: Int

      /// A logarithm, so that gain and loss are symmetric.
      var ratio: Double { log((halved + floor) / (parent + floor)) }
      /// The factor for the limit of the zoom.
      var growth: Double { max(1, TilesSharp.enoughCells / Double(printedCells)).squareRoot() }
    }

    mutating func visit(_ tile: DecodedTile) {
      guard let id = tile.stored.id else { return }
      details.enter(id.zoom)
      guard case .success(let survey) = tile.survey, let detail = survey.detail else { return }
      let opaque = survey.opaqueCells
      if id.zoom < archive.summary.zooms.last?.zoom ?? 0 {
        let inside = archive.neatline?.cellsOfOneChart(in: id, count: TileSurvey.cells) ?? opaque
        details.set(
          detail.own.indices.map { opaque[$0] && inside[$0] ? detail.own[$0] : .max }, for: id)
      }
      guard let parent = details.parent(of: id) else { return }
      if let pair = TilesSharp.pair(id, detail, opaque, parent, side: survey.width) {
        pairs[id.zoom, default: []].append(pair)
      }
    }

    func finish() -> RuleResult {
      let findings: [Finding] = pairs.sorted { $0.key < $1.key }.flatMap { zoom, pairs in
        let (halved, parent) = pairs.reduce((0.0, 0.0)) { ($0.0 + $1.halved, $0.1 + $1.parent) }
        guard !TilesSharp.zoomShares.contains(halved / parent) else {
          return TilesSharp.strays(pairs).map(finding)
        }
        let (less, more) = halved < parent ? (zoom, zoom - 1) : (zoom - 1, zoom)
        return [
          rule.error(
            archive.place,
            "zoom \(less) is blurred compared with zoom \(more): it has \(Int(100 * min(halved / parent, parent / halved))) % "
              + "of its fine print; build it again")
        ]
      }
      return RuleResult(findings)
    }

    private func finding(_ pair: Pair) -> Finding {
      let isLess = pair.halved < pair.parent
      return rule.error(
        "\(archive.place) tile \(isLess ? pair.tile : pair.tile.parent)",
        "it is blurred compared with the tile \(isLess ? "above" : "below") it, \(isLess ? pair.tile.parent : pair.tile): it has "
          + "\(Int(100 * min(pair.halved / pair.parent, pair.parent / pair.halved))) % of its fine print; build it again"
      )
    }
  }

  /// Compares the cells that are opaque in both; nil where too few have print.
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

  /// Returns the tiles that deviate from the others of their zoom.
  private static func strays(_ pairs: [Visitor.Pair]) -> [Visitor.Pair] {
    let ratios = pairs.map(\.ratio)
    let middle = ratios.median
    let deviation = ratios.map { abs($0 - middle) }.median
    let limit = max(tileShare, deviations * deviation)
    return pairs.filter { abs($0.ratio - middle) > limit * $0.growth }
  }
}

extension TileSurvey {
  /// Whether each cell is fully opaque.
  fileprivate var opaqueCells: [Bool] { stride(from: 3, to: means.count, by: 4).map { means[$0] == 255 } }
}
