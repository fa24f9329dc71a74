internal import Core
internal import ImageIO

/// Compares the tiles of the largest zoom with the coarse picture of the sheet that the build saved: the mean colour and the fine
/// print of each cell.
///
/// In correct tiles the colour of a cell of 32 pixels differs by a level or two, and that of one in a thousand by six; that of
/// larger regions by less than three, in lossy formats too, except where the palette has no closer colour.
struct TilesShowSheet: Rule {
  let name = "tiles-show-sheet"
  let protects = "What is printed on the sheet is on the chart, in its colours, and nothing covers it."

  /// Rectangles of cells, and the largest difference of their mean colour in levels. A palette may differ by `Palette.inkLevels`
  /// everywhere, and the picture of the sheet is rounded.
  private static let limits: [(size: (columns: Int, rows: Int), levels: Double)] = [
    ((1, 1), 20), ((4, 1), 15), ((1, 4), 15), ((4, 2), 11), ((2, 4), 11), ((4, 4), Palette.inkLevels + 0.5),
  ]
  private static let chartLimit = 2.5
  /// The noise, in levels, above which the limits grow in proportion, and the largest growth.
  private static let usualNoise = 2.5
  private static let mostGrowth = 3.0
  /// The share of a cell's pixels that the tiles must have for the cell to be compared.
  private static let leastShare = 0.8

  func check(_ archive: ArchiveUnderTest) -> Visitor { Visitor(rule: self, archive: archive) }

  struct Visitor: RuleOutcome {
    let rule: TilesShowSheet
    let archive: ArchiveUnderTest
    private var sums: SheetSums
    private var tileSize = 256

    init(rule: TilesShowSheet, archive: ArchiveUnderTest) {
      (self.rule, self.archive) = (rule, archive)
      sums = SheetSums(columns: archive.reference?.columns ?? 0, rows: archive.reference?.rows ?? 0)
    }

    mutating func visit(_ tile: DecodedTile) {
      guard archive.reference != nil, case .success(let survey)? = tile.survey else { return }
      if !survey.sums.isEmpty { tileSize = survey.width }
      for cell in survey.sums { sums.add(cell) }
    }

    func finish() -> RuleResult {
      guard let reference = archive.reference, let neatline = archive.neatline else { return RuleResult() }
      let inside = reference.cells(within: neatline)
      let pixels = reference.pixels(tileSize: tileSize)
      var differences = SheetDifferences(columns: reference.columns, rows: reference.rows)
      var print = SheetPrint(
        columns: reference.columns, rows: reference.rows, isLeaning: reference.isLeaning)
      var holes: [(column: Double, row: Double)] = []
      // By more than a fifth along each side.
      let isReduced = pixels.joined().contains { $0 * 1.5 < reference.cell * reference.cell }
      for place in inside.indices where inside[place] {
        let (column, row) = (place % reference.columns, place / reference.columns)
        let wanted = pixels[row / SheetReference.block][column / SheetReference.block]
        guard reference.isKnown(column, row), isSeen(place, of: wanted) else { continue }
        if sums.isHole(place) {
          holes.append((Double(column) + 0.5, Double(row) + 0.5))
        } else {
          differences.set(column, row, sums, from: reference.color(column, row))
          if let found = sums.texture(place, isLeaning: reference.isLeaning) {
            print.set(column, row, expected: reference.texture(column, row), found: found)
          }
        }
      }
      guard differences.known > 0 || !holes.isEmpty else {
        return RuleResult([nothingCompared(inside.contains(true))])
      }
      return RuleResult(
        transparent(holes, reference) + wrong(differences, reference)
          + lost(print.losses, reference, isReduced ? .warning : .error))
    }

    /// Whether the tiles cover most of a cell. `tiles-inside-bounds` reports missing tiles.
    private func isSeen(_ place: Int, of pixels: Double) -> Bool {
      sums.count(place) > 0 && Double(sums.count(place)) >= TilesShowSheet.leastShare * pixels
    }

    private func nothingCompared(_ hasCells: Bool) -> Finding {
      rule.error(
        archive.place,
        hasCells
          ? "none of its tiles shows a part of the sheet's picture; build it again"
          : "no cell of the picture of its sheet lies within its neatline, so nothing was compared; build it again"
      )
    }

    private func transparent(
      _ holes: [(column: Double, row: Double)], _ reference: SheetReference
    ) -> [Finding] {
      let tiles = byTile(holes.map { ($0, 255) }, reference)
      guard let first = tiles.first else { return [] }
      return [
        rule.error(
          "\(archive.place) tile \(first.tile)",
          "it is transparent where its sheet shows the map\(others(tiles)); build it again")
      ]
    }

    private func worst(_ tiles: [(tile: TileID, levels: Double)]) -> (tile: TileID, levels: Double)? {
      tiles.reduce(nil) { worst, next in
        abs(next.levels) > abs(worst?.levels ?? 0) ? next : worst
      }
    }

    /// Counts the other tiles, since one cause often affects many.
    private func others(_ tiles: [(tile: TileID, levels: Double)]) -> String {
      tiles.count > 1 ? ", the worst of \(Counts.of(tiles.count, "tile")) that are wrong" : ""
    }

    private func wrong(_ differences: SheetDifferences, _ reference: SheetReference) -> [Finding] {
      // The difference that three quarters of the pairs of cells do not exceed.
      let noise =
        Double(differences.noise.level(exceededByOneIn: 4)) / Double(SheetDifferences.unit)
      let growth = min(max(1, noise / TilesShowSheet.usualNoise), TilesShowSheet.mostGrowth)
      let mean = differences.mean
      let everywhere =
        abs(mean) <= TilesShowSheet.chartLimit * growth
        ? []
        : [
          rule.warning(
            archive.place,
            "its colours are \(mean.hundredths) levels off those of its sheet on average; a palette that fits badly can cause this"
          )
        ]
      for (size, levels) in TilesShowSheet.limits {
        let found = differences.windows(size, beyond: levels * growth)
        guard !found.isEmpty else { continue }
        let tiles = byTile(found, reference)
        guard let worst = worst(tiles) else { continue }
        return everywhere + [
          rule.error(
            "\(archive.place) tile \(worst.tile)",
            "its colours are \(worst.levels.hundredths) levels off those of its sheet in a region of "
              + "\(size.columns) x \(size.rows) cells\(others(tiles)); build it again")
        ]
      }
      return everywhere
    }

    /// - Parameter severity: a warning where tiles are coarser than the sheet, since a pattern of single pixels becomes a tint there.
    private func lost(
      _ losses: [SheetPrint.Loss], _ reference: SheetReference, _ severity: Finding.Severity
    ) -> [Finding] {
      // As a loss, so that the largest is the worst.
      let tiles = byTile(losses.map { (($0.column, $0.row), 1 - $0.share) }, reference)
      guard let worst = worst(tiles) else { return [] }
      return [
        rule.finding(
          severity, "\(archive.place) tile \(worst.tile)",
          "it has \(Int(100 * (1 - worst.levels))) % of the fine print that its sheet has there, compared with the rest of the "
            + "chart\(others(tiles)); build it again")
      ]
    }

    /// Returns the largest difference in each tile.
    private func byTile(
      _ places: [SheetDifferences.Window], _ reference: SheetReference
    ) -> [(tile: TileID, levels: Double)] {
      var worst: [TileID: Double] = [:]
      for (place, levels) in places {
        let tile = reference.tile(at: place.column, place.row)
        if abs(levels) > abs(worst[tile] ?? 0) { worst[tile] = levels }
      }
      return worst.sorted { ($0.key.row, $0.key.column) < ($1.key.row, $1.key.column) }
        .map { ($0.key, $0.value) }
    }
  }
}
