internal import Core
internal import ImageIO

/// Compares each tile with its parent, which was made from it: the mean colours of the cells that both show.
///
/// Correct tiles differ by a level or two, and by about ten along the chart's edge, where a pixel is opaque or transparent. Tiles of
/// other places differ by dozens in some cell, unless both are plain water. Coarse palettes and lossy images differ by more, so the
/// limit depends on the archive.
///
/// Where a chart of a mosaic ends at the zoom above, the tiles below show less than it: only what they show is compared there.
struct TilesAgree: Rule {
  let name = "tiles-agree"
  let protects =
    "No square of the chart shows another place or another edition than the squares above and below it."

  /// Levels: a larger difference than in any correct archive so far.
  private static let least = 24
  /// The largest difference, in levels, of the mean colour of all opaque cells of two neighbouring zooms. Lossy WebP changes saturated
  /// colours of other images than charts by more.
  private static let zoomLimit = 3.0
  private static let imageZoomLimit = 20.0

  /// The largest shift between two neighbouring zooms, in pixels, measured over all of their tiles. A shift must also be this many
  /// times its standard error.
  private static let shiftLimit = 0.5
  /// Textures of other images than charts can repeat as often as cells.
  private static let imageShiftLimit = 1.5
  private static let shiftCertainty = 4.0

  func check(_ archive: ArchiveUnderTest) -> Visitor { Visitor(rule: self, archive: archive) }

  struct Visitor: RuleOutcome {
    let rule: TilesAgree
    let archive: ArchiveUnderTest
    /// The means of each tile's cells.
    var means = ZoomPair<[UInt8]>()
    /// The number of tiles by difference from the parent, in levels.
    var differences = [Int](repeating: 0, count: 256)
    var suspects: [(tile: TileID, difference: Int)] = []
    /// By zoom, tile minus parent.
    var colors: [Int: ColorSum] = [:]
    var shifts: [Int: ZoomShift] = [:]
    var tileSide = 256

    mutating func visit(_ tile: DecodedTile) {
      guard let id = tile.stored.id else { return }
      means.enter(id.zoom)
      // `tiles-decode` reports unreadable and transparent tiles.
      guard case .success(let survey)? = tile.survey, !survey.means.isEmpty, !survey.isTransparent else {
        return
      }
      tileSide = survey.width
      if id.zoom < archive.summary.zooms.last?.zoom ?? 0 { means.set(survey.means, for: id) }
      guard let parent = means.parent(of: id) else { return }
      let neatline = archive.neatline
      let difference = TilesAgree.difference(
        of: survey.means, at: id, from: parent, colors: &colors[id.zoom, default: ColorSum()],
        shift: &shifts[id.zoom, default: ZoomShift()]
      ) { neatline?.loses(id, $0, $1) ?? false }
      differences[difference] += 1
      if difference >= TilesAgree.least { suspects.append((id, difference)) }
    }

    func finish() -> RuleResult {
      // The difference that nine tenths of the tiles do not exceed.
      let limit = max(TilesAgree.least, 3 * differences.level(exceededByOneIn: 10))
      let wrongTiles = suspects.filter { $0.difference >= limit }.map { suspect in
        rule.error(
          "\(archive.place) tile \(suspect.tile)",
          "it does not show what the tile above it, \(suspect.tile.parent), shows of the same place: a cell differs "
            + "by \(suspect.difference) levels")
      }
      return RuleResult(wrongZooms + shiftedZooms + wrongTiles)
    }

    /// Finds zooms with other colours than the zoom above, even if each tile differs little.
    private var wrongZooms: [Finding] {
      colors.sorted { $0.key < $1.key }.compactMap { zoom, sum in
        guard abs(sum.mean) > (archive.isOfImage ? TilesAgree.imageZoomLimit : TilesAgree.zoomLimit) else {
          return nil
        }
        return rule.error(
          archive.place,
          "the colours of zooms \(zoom) and \(zoom - 1) differ by \(abs(sum.mean).hundredths) levels on average; "
            + "build it again")
      }
    }

    /// Finds zooms that are shifted against the zoom above, even if each cell changes little.
    private var shiftedZooms: [Finding] {
      shifts.sorted { $0.key < $1.key }.compactMap { zoom, shift in
        guard let found = shift.cells, found.length > TilesAgree.shiftCertainty * found.error else {
          return nil
        }
        let pixels = found.length * Double(tileSide) / Double(TileSurvey.cells)
        guard pixels > (archive.isOfImage ? TilesAgree.imageShiftLimit : TilesAgree.shiftLimit) else {
          return nil
        }
        return rule.error(
          archive.place,
          "zooms \(zoom) and \(zoom - 1) are shifted against each other by \(pixels.hundredths) pixels; build it again"
        )
      }
    }
  }

  /// Returns the largest difference of all cells and channels. Four cells of a tile make one cell in its quarter of the parent.
  private static func difference(
    of tile: [UInt8], at id: TileID, from parent: [UInt8], colors: inout ColorSum, shift: inout ZoomShift,
    except isIncomplete: (_ column: Int, _ row: Int) -> Bool
  ) -> Int {
    let cells = TileSurvey.cells
    let half = cells / 2
    let (left, top) = ((id.column & 1) * half, (id.row & 1) * half)
    var most = 0
    for row in 0..<half {
      for column in 0..<half {
        let first = (2 * row * cells + 2 * column) * 4
        let below = first + cells * 4
        let target = ((top + row) * cells + left + column) * 4
        var (apart, isOpaque, own) = (SIMD4<Int64>(), parent[target + 3] == 255, 0)
        for channel in 0..<4 {
          let sum =
            Int(tile[first + channel]) + Int(tile[first + 4 + channel]) + Int(tile[below + channel])
            + Int(tile[below + 4 + channel])
          own = max(own, abs((sum + 2) / 4 - Int(parent[target + channel])))
          apart[channel] = Int64(sum - 4 * Int(parent[target + channel]))
          isOpaque = isOpaque && (channel < 3 || sum == 4 * 255)
        }
        if isOpaque {
          colors.add(apart)
          shift.add(apart, in: parent, left + column, top + row)
        }
        if own > most, isOpaque || own < least || !isIncomplete(column, row) { most = own }
      }
    }
    return most
  }

  /// The shift of a zoom against the zoom above it, by least squares: the one that explains most of the cells' differences by the
  /// slopes of the zoom above.
  struct ZoomShift {
    /// With fewer cells that have a slope the shift is uncertain.
    private static let fewest = 200

    private var cellsSeen = 0
    private var (xx, xy, yy) = (0.0, 0.0, 0.0)
    private var (xd, yd, dd) = (0.0, 0.0, 0.0)

    /// - Parameter apart: four times the difference of each channel.
    mutating func add(_ apart: SIMD4<Int64>, in parent: [UInt8], _ column: Int, _ row: Int) {
      let last = TileSurvey.cells - 1
      guard (1..<last).contains(column), (1..<last).contains(row),
        let east = ZoomShift.light(parent, column + 1, row),
        let west = ZoomShift.light(parent, column - 1, row),
        let south = ZoomShift.light(parent, column, row + 1),
        let north = ZoomShift.light(parent, column, row - 1)
      else { return }
      let (x, y) = (Double(east - west) / 2, Double(south - north) / 2)
      guard x != 0 || y != 0 else { return }
      let difference = Double(apart.x + apart.y + apart.z) / 4
      cellsSeen += 1
      (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y)
      (xd, yd, dd) = (xd + x * difference, yd + y * difference, dd + difference * difference)
    }

    private static func light(_ means: [UInt8], _ column: Int, _ row: Int) -> Int? {
      let first = (row * TileSurvey.cells + column) * 4
      guard means[first + 3] == 255 else { return nil }
      return Int(means[first]) + Int(means[first + 1]) + Int(means[first + 2])
    }

    /// The length of the shift and its standard error, in cells; nil where too little is printed.
    var cells: (length: Double, error: Double)? {
      let determinant = xx * yy - xy * xy
      guard cellsSeen >= ZoomShift.fewest, determinant > 0.01 * xx * yy else { return nil }
      let (x, y) = ((xd * yy - yd * xy) / determinant, (yd * xx - xd * xy) / determinant)
      // What the shift does not explain of the differences, and the sum of the variances of both coordinates.
      let unexplained = max(0, dd - x * xd - y * yd) / Double(cellsSeen)
      let variance = unexplained * (xx + yy) / determinant
      return ((x * x + y * y).squareRoot(), variance.squareRoot())
    }
  }

  /// The sum of the differences of many cells, in quarters of a level.
  struct ColorSum {
    private var sum = SIMD4<Int64>()
    private var cells = 0

    mutating func add(_ quarters: SIMD4<Int64>) {
      sum &+= quarters
      cells += 1
    }

    /// The mean of the channel that differs most, in levels; zero for no cells.
    var mean: Double {
      let most = [sum.x, sum.y, sum.z].max { abs($0) < abs($1) } ?? 0
      return Double(most) / Double(4 * max(1, cells))
    }
  }
}

extension MercatorNeatline {
  /// Whether the zoom above a tile shows a chart in a cell that the tile no longer has.
  fileprivate func loses(_ tile: TileID, _ column: Int, _ row: Int) -> Bool {
    let cell = PlaneBox(of: tile).part(column..<column + 1, row..<row + 1, of: TileSurvey.cells / 2)
      .grown(by: MercatorNeatline.tolerance(zoom: tile.zoom))
    return ending(at: tile.zoom - 1).relation(to: cell) != .outside
      && shown(at: tile.zoom).relation(to: cell) != .inside
  }
}
