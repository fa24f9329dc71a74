internal import Geo
internal import TileArchive

/// The tiles that are there against those that the cut of the chart predicts.
struct TilesInsideBounds: TileRule {
  let name = "tiles-inside-bounds"
  let protects = "The chart has no holes, and no strayed tile lies over another part of the world."

  func visitor(of archive: ArchiveUnderTest) throws -> any TileVisitor {
    let text = archive.metadata["chartpipe:neatline"]
    return Visitor(
      rule: self, archive: archive, hasNeatline: text != nil,
      neatline: text.flatMap { Neatline(geoJSON: $0) },
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

    mutating func visit(_ tile: StoredTile) {
      guard let id = tile.id else {
        findings.append(rule.error(archive.place(of: tile), "the world has no such tile"))
        return
      }
      present.insert(id)
      let box = PlaneBox(of: id).grown(by: Neatline.tolerance(zoom: id.zoom))
      if !windows.isEmpty, !windows.contains(where: { box.intersects($0) }) {
        findings.append(rule.error(archive.place(of: tile), "it lies outside the archive's bounds"))
      } else if let neatline, neatline.relation(to: box) == .outside {
        findings.append(rule.error(archive.place(of: tile), "it lies outside the chart's neatline"))
      }
    }

    mutating func finish() -> [Finding] {
      if hasNeatline && neatline == nil {
        findings.append(rule.error(archive.place, "`chartpipe:neatline` is no GeoJSON polygon"))
      } else if !hasNeatline {
        findings.append(
          rule.warning(
            archive.place, "without `chartpipe:neatline` nobody can tell whether tiles are missing"))
      }
      return findings
        + missing().map {
          rule.error("\(archive.place) tile \($0)", "it is missing, though the chart reaches into it")
        }
    }

    private func missing() -> [TileID] {
      let zooms = archive.summary.zooms.map(\.zoom).filter {
        StoredTile(zoom: $0, column: 0, tmsRow: 0, data: []).id != nil
      }
      guard let neatline, let first = zooms.first, let last = zooms.last else { return [] }
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
