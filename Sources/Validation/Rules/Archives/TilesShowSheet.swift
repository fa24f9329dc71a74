internal import Geo
internal import ImageIO
internal import Pipeline
internal import TileArchive

/// The tiles of the largest zoom against the coarse picture of the sheet that the build kept: the mean colour of each cell.
///
/// Where all is right, a cell of 32 pixels differs by a level or two, and one in a thousand by six; larger regions by less than
/// three, in lossy formats too.
struct TilesShowSheet: TileRule {
  let name = "tiles-show-sheet"
  let protects = "What is printed on the sheet is on the chart, in its colours, and nothing covers it."

  /// Rectangles of cells, and how many levels their mean colour may be off.
  private static let limits: [(size: (columns: Int, rows: Int), levels: Double)] = [
    ((1, 1), 20), ((4, 1), 15), ((1, 4), 15), ((4, 2), 11), ((2, 4), 11), ((4, 4), 8.5), ((8, 8), 4),
  ]
  private static let chartLimit = 2.5
  /// The noise, in levels, from which on the limits grow with it, and how far at most.
  private static let usualNoise = 2.5
  private static let mostGrowth = 3.0
  /// Of a cell's pixels, how many a tile must have for the cell to be compared.
  private static let leastShare = 0.8

  func visitor(of archive: ArchiveUnderTest) -> any TileVisitor { Visitor(rule: self, archive: archive) }

  private struct Visitor: TileVisitor {
    let rule: TilesShowSheet
    let archive: ArchiveUnderTest
    /// Red, green, blue, alpha and count of each cell.
    private var sums: [Int64]
    private var tileSize = 256

    init(rule: TilesShowSheet, archive: ArchiveUnderTest) {
      (self.rule, self.archive) = (rule, archive)
      sums = [Int64](repeating: 0, count: 5 * (archive.reference.map { $0.columns * $0.rows } ?? 0))
    }

    mutating func visit(_ tile: SeenTile) {
      guard let reference = archive.reference, case .success(let survey) = tile.survey else { return }
      if !survey.sums.isEmpty { tileSize = survey.width }
      for cell in survey.sums
      where (0..<reference.columns).contains(cell.column) && (0..<reference.rows).contains(cell.row) {
        let start = 5 * (cell.row * reference.columns + cell.column)
        sums[start] += Int64(cell.red)
        sums[start + 1] += Int64(cell.green)
        sums[start + 2] += Int64(cell.blue)
        sums[start + 3] += Int64(cell.alpha)
        sums[start + 4] += Int64(cell.count)
      }
    }

    func finish() -> [Finding] {
      guard let reference = archive.reference, let neatline = archive.neatline else { return [] }
      let inside = reference.cells(within: neatline)
      var differences = SheetDifferences(columns: reference.columns, rows: reference.rows)
      var holes: [(column: Double, row: Double)] = []
      for place in inside.indices where inside[place] {
        let (column, row) = (place % reference.columns, place / reference.columns)
        guard reference.isKnown(column, row), isSeen(place, column, row, reference) else { continue }
        if isHole(place) {
          holes.append((Double(column) + 0.5, Double(row) + 0.5))
        } else {
          differences.set(column, row, difference(place, reference.color(column, row)))
        }
      }
      guard differences.known > 0 || !holes.isEmpty else { return [nothingCompared(inside.contains(true))] }
      return transparent(holes, reference) + wrong(differences, reference)
    }

    /// Whether tiles have been seen of most of a cell. That a tile is missing is another rule's finding.
    private func isSeen(_ place: Int, _ column: Int, _ row: Int, _ reference: SheetReference) -> Bool {
      let pixels = reference.pixels(column, row, tileSize: tileSize)
      return Double(sums[5 * place + 4]) >= TilesShowSheet.leastShare * pixels && sums[5 * place + 4] > 0
    }

    private func isHole(_ place: Int) -> Bool { sums[5 * place + 3] < 250 * sums[5 * place + 4] }

    private func difference(_ place: Int, _ color: (red: Int, green: Int, blue: Int)) -> SIMD3<Int32> {
      let count = sums[5 * place + 4]
      func channel(_ number: Int, _ expected: Int) -> Int32 {
        Int32(Int64(SheetDifferences.unit) * sums[5 * place + number] / count)
          - Int32(SheetDifferences.unit * expected)
      }
      return SIMD3(channel(0, color.red), channel(1, color.green), channel(2, color.blue))
    }

    private func nothingCompared(_ hasCells: Bool) -> Finding {
      rule.error(
        archive.place,
        hasCells
          ? "none of its tiles shows any part of its sheet that the build kept a picture of; build it again"
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

    /// One cause often spoils many tiles.
    private func others(_ tiles: [(tile: TileID, levels: Double)]) -> String {
      tiles.count > 1 ? ", the worst of \(Counts.of(tiles.count, "tile")) that are wrong" : ""
    }

    private func wrong(_ differences: SheetDifferences, _ reference: SheetReference) -> [Finding] {
      let noise = Double(differences.noise) / Double(SheetDifferences.unit)
      let growth = min(max(1, noise / TilesShowSheet.usualNoise), TilesShowSheet.mostGrowth)
      let mean = differences.mean
      guard abs(mean) <= TilesShowSheet.chartLimit * growth else {
        return [
          rule.error(
            archive.place,
            "its colours are \(mean.hundredths) levels off those of its sheet everywhere, on average; build it again"
          )
        ]
      }
      for (size, levels) in TilesShowSheet.limits {
        let found = differences.windows(size, beyond: levels * growth)
        guard !found.isEmpty else { continue }
        let tiles = byTile(found.map { ($0.middle, $0.difference) }, reference)
        guard let worst = worst(tiles) else { continue }
        return [
          rule.error(
            "\(archive.place) tile \(worst.tile)",
            "its colours are \(worst.levels.hundredths) levels off those of its sheet in a region of "
              + "\(size.columns) x \(size.rows) cells\(others(tiles)); build it again")
        ]
      }
      return []
    }

    /// The largest difference in each tile.
    private func byTile(
      _ places: [(place: (column: Double, row: Double), levels: Double)], _ reference: SheetReference
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
