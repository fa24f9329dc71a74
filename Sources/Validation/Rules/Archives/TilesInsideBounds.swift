internal import Core
internal import TileArchive

/// The tiles that are there against those that the cut of the chart predicts.
struct TilesInsideBounds: TileRule {
  let name = "tiles-inside-bounds"
  let protects = "The chart has no holes, and no strayed tile lies over another part of the world."

  func visitor(of archive: ArchiveUnderTest) throws -> any TileVisitor {
    Visitor(
      rule: self, archive: archive, hasNeatline: archive.metadata["chartpipe:neatline"] != nil,
      neatline: archive.neatline,
      windows: archive.extent.windows.map { PlaneBox(mercator: $0) })
  }

  private struct Visitor: TileVisitor {
    let rule: TilesInsideBounds
    let archive: ArchiveUnderTest
    let hasNeatline: Bool
    let neatline: Neatline?
    /// Empty where the archive gives no bounds.
    let windows: [PlaneBox]
    var present: Set<TileID> = []
    var findings: [Finding] = []

    mutating func visit(_ tile: SeenTile) {
      guard let id = tile.stored.id else {
        findings.append(rule.error(archive.place(of: tile.stored), "the world has no such tile"))
        return
      }
      if !present.insert(id).inserted {
        findings.append(rule.error(archive.place(of: tile.stored), "it is there twice"))
      }
      let box = PlaneBox(of: id).grown(by: Neatline.tolerance(zoom: id.zoom))
      if !windows.isEmpty, !windows.contains(where: { box.intersects($0) }) {
        findings.append(rule.error(archive.place(of: tile.stored), "it lies outside the archive's bounds"))
      } else if let neatline, neatline.relation(to: box) == .outside {
        findings.append(rule.error(archive.place(of: tile.stored), "it lies outside the chart's neatline"))
      }
    }

    mutating func finish() -> [Finding] {
      archive.facts.zooms = counts()
      if hasNeatline && neatline == nil {
        findings.append(rule.error(archive.place, "`chartpipe:neatline` is no GeoJSON polygon"))
      } else if !hasNeatline {
        findings.append(
          rule.warning(
            archive.place, "without `chartpipe:neatline` missing tiles cannot be detected"))
      }
      return findings
        + missing().map {
          rule.error("\(archive.place) tile \($0)", "it is missing, though the chart reaches into it")
        }
    }

    /// Those that there can be.
    private var zooms: [ZoomSummary] {
      archive.summary.zooms.filter { StoredTile(zoom: $0.zoom, column: 0, tmsRow: 0, data: []).id != nil }
    }

    /// How many tiles each zoom has, and how many the neatline predicts.
    private func counts() -> [ProductFacts.Zoom]? {
      guard let neatline, let deepest = zooms.last?.zoom,
        let forecast = TileForecast(neatline, deepest: deepest)
      else { return nil }
      return zooms.map {
        ProductFacts.Zoom(
          zoom: $0.zoom, tiles: $0.tiles, fewest: forecast.fewest[$0.zoom], most: forecast.most[$0.zoom],
          bytes: $0.bytes)
      }
    }

    private func missing() -> [TileID] {
      guard let neatline, let first = zooms.first?.zoom, let last = zooms.last?.zoom else { return [] }
      var search = HoleSearch(neatline: neatline, present: present, zooms: first...last)
      search.run()
      return search.holes
    }
  }
}

/// Walks down the pyramid of tiles that touch the chart, and never below a hole: what is missing there is the same hole.
private struct HoleSearch {
  let neatline: Neatline
  let present: Set<TileID>
  let zooms: ClosedRange<Int>
  private(set) var holes: [TileID] = []

  /// Nobody reads more, and an archive whose metadata is nonsense could have billions.
  private static let limit = 1000

  mutating func run() {
    look(at: TileID(zoom: 0, column: 0, row: 0))
    holes.sort { ($0.zoom, $0.row, $0.column) < ($1.zoom, $1.row, $1.column) }
  }

  private mutating func look(at id: TileID) {
    guard holes.count < HoleSearch.limit, neatline.relation(to: PlaneBox(of: id)) != .outside else { return }
    if zooms.contains(id.zoom), !present.contains(id), neatline.mustShow(id) {
      holes.append(id)
    } else if id.zoom < zooms.upperBound {
      for child in id.children { look(at: child) }
    }
  }
}
