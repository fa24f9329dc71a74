internal import Core
internal import Foundation
internal import ImageIO

/// Compares the fine print of each tile with that of its parent, which was made from it: a tile at half its size has as much as its
/// quarter of the parent. Blur removes two fifths and more.
struct TilesSharp: Rule {
  let name = "tiles-sharp"
  let protects = "Small print can be read on every square of the chart at every zoom."

  /// The accepted ratios of all tiles of a zoom together: a lossy format removes an eighth, a coarse palette adds a quarter.
  private static let zoomShares = 0.72...1.45
  /// The limit of a single tile's deviation from the median of its zoom: at least this, and this many times the usual deviation. A
  /// tile is blurred by both measures of its print. On open water one measure alone errs: where a meridian lies on the pixels decides
  /// whether it keeps its contrast, and a palette can turn it into dashes.
  private static let tileShare = 0.28
  private static let deviations = 6.0
  /// The mean square difference between two pixels of a printed cell, and the fewest printed cells of a tile that is compared.
  private static let printed = 60.0
  private static let leastCells = 8
  /// With fewer printed cells the ratio is less certain, so the tile's limit grows.
  private static let enoughCells = 16.0
  /// The print of a cell that is not compared.
  private static let unknown = SIMD2<UInt32>(repeating: .max)

  func check(_ archive: ArchiveUnderTest) -> Visitor { Visitor(rule: self, archive: archive) }

  struct Visitor: RuleOutcome {
    let rule: TilesSharp
    let archive: ArchiveUnderTest
    /// The fine print of each cell of a tile that is opaque and shows a single chart; other cells
    /// have the largest numbers.
    var details = ZoomPair<[SIMD2<UInt32>]>()
    var pairs: [Int: [Pair]] = [:]

    struct Pair {
      let tile: TileID
      /// By both measures.
      let halved: SIMD2<Double>
      let parent: SIMD2<Double>
      /// The print of a barely printed cell, for each compared cell. It is added to both sums, so that the noise of a palette does
      /// not matter in a tile with little print.
      let floor: Double
      let printedCells: Int

      /// A logarithm, so that gain and loss are symmetric.
      func ratio(_ measure: Int) -> Double { log((halved[measure] + floor) / (parent[measure] + floor)) }
      /// The factor for the limit of the zoom.
      var growth: Double { max(1, TilesSharp.enoughCells / Double(printedCells)).squareRoot() }
    }

    mutating func visit(_ tile: DecodedTile) {
      // The limits are those of print. In other images than charts, fine texture may vanish as a whole from one zoom to the next.
      guard let id = tile.stored.id, !archive.isOfImage else { return }
      details.enter(id.zoom)
      guard case .success(let survey)? = tile.survey, let detail = survey.detail else { return }
      let opaque = survey.opaqueCells
      if id.zoom < archive.summary.zooms.last?.zoom ?? 0 {
        let inside =
          archive.neatline?.shown(at: id.zoom).cellsOfOneChart(in: id, count: TileSurvey.cells) ?? opaque
        details.set(
          detail.own.indices.map { opaque[$0] && inside[$0] ? detail.own[$0] : TilesSharp.unknown }, for: id)
      }
      guard let parent = details.parent(of: id) else { return }
      if let pair = TilesSharp.pair(id, detail, opaque, parent, side: survey.width) {
        pairs[id.zoom, default: []].append(pair)
      }
    }

    func finish() -> RuleResult {
      let findings: [Finding] = pairs.sorted { $0.key < $1.key }.flatMap { zoom, pairs in
        let (halved, parent) = pairs.reduce((0.0, 0.0)) { ($0.0 + $1.halved[0], $0.1 + $1.parent[0]) }
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
      let (halved, parent) = (pair.halved[0], pair.parent[0])
      let isLess = halved < parent
      return rule.error(
        "\(archive.place) tile \(isLess ? pair.tile : pair.tile.parent)",
        "it is blurred compared with the tile \(isLess ? "above" : "below") it, \(isLess ? pair.tile.parent : pair.tile): it has "
          + "\(Int(100 * min(halved / parent, parent / halved))) % of its fine print; build it again"
      )
    }
  }

  /// Compares the cells that are opaque in both; nil where too few have print.
  private static func pair(
    _ id: TileID, _ detail: TileDetail, _ opaque: [Bool], _ parent: [SIMD2<UInt32>], side: Int
  ) -> Visitor.Pair? {
    let cells = TileSurvey.cells
    let half = cells / 2
    let (left, top) = ((id.column & 1) * half, (id.row & 1) * half)
    let pixels = Double(side / cells) * Double(side / cells) / 4
    var (sums, printed, count) = ((halved: SIMD2<Double>(), parent: SIMD2<Double>()), 0, 0)
    for row in 0..<half {
      for column in 0..<half {
        let place = 2 * row * cells + 2 * column
        let target = parent[(top + row) * cells + left + column]
        guard target != unknown, [0, 1, cells, cells + 1].allSatisfy({ opaque[place + $0] }) else { continue }
        let own = detail.halved[row * half + column]
        sums = (sums.halved + SIMD2<Double>(own), sums.parent + SIMD2<Double>(target))
        count += 1
        if Double(max(own[0], target[0])) >= TilesSharp.printed * pixels { printed += 1 }
      }
    }
    guard printed >= leastCells else { return nil }
    return Visitor.Pair(
      tile: id, halved: sums.halved, parent: sums.parent, floor: TilesSharp.printed * pixels * Double(count),
      printedCells: printed)
  }

  /// Returns the tiles that deviate from the others of their zoom, by both measures to the same side.
  private static func strays(_ pairs: [Visitor.Pair]) -> [Visitor.Pair] {
    let (first, second) = (excess(of: pairs, measure: 0), excess(of: pairs, measure: 1))
    return pairs.indices.filter { first[$0] * second[$0] > 0 }.map { pairs[$0] }
  }

  /// Returns how far each tile's ratio is beyond the limit, below or above the others of the zoom; zero within it.
  private static func excess(of pairs: [Visitor.Pair], measure: Int) -> [Double] {
    let ratios = pairs.map { $0.ratio(measure) }
    let middle = ratios.median
    let deviation = ratios.map { abs($0 - middle) }.median
    let limit = max(tileShare, deviations * deviation)
    return zip(pairs, ratios).map { pair, ratio in
      abs(ratio - middle) > limit * pair.growth ? ratio - middle : 0
    }
  }
}

extension TileSurvey {
  /// Whether each cell is fully opaque.
  fileprivate var opaqueCells: [Bool] { stride(from: 3, to: means.count, by: 4).map { means[$0] == 255 } }
}
