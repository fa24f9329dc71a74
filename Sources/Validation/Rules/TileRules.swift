internal import Core
internal import ImageIO
internal import TileArchive

/// Each tile as an app would see it.
struct TilesDecode: TileRule {
  let name = "tiles-decode"
  let protects = "No square of the chart stays blank because its image is broken, empty or of the wrong size."

  private static let sides = [256, 512]

  func visitor(of archive: ArchiveUnderTest) -> any TileVisitor { Visitor(rule: self, archive: archive) }

  private struct Visitor: TileVisitor {
    let rule: TilesDecode
    let archive: ArchiveUnderTest
    var findings: [Finding] = []
    /// Of the first tile that could be right: all others must have them too.
    var kind: ImageKind?
    var side: Int?

    mutating func visit(_ tile: SeenTile) {
      guard let problem = problem(tile) else { return }
      findings.append(rule.error(archive.place(of: tile.stored), problem))
    }

    func finish() -> [Finding] { findings }

    private mutating func problem(_ tile: SeenTile) -> String? {
      switch tile.survey {
      case .success(let image):
        return wrongKind(tile.kind) ?? wrongSize(image)
          ?? (image.isTransparent ? "it is fully transparent, so it should not be there" : nil)
      case .failure(let error):
        return "it is no PNG or WebP that can be read: \(error)"
      }
    }

    private mutating func wrongKind(_ found: ImageKind?) -> String? {
      let expected = kind ?? found
      kind = expected
      guard let found, let expected, found != expected else { return nil }
      return "it is \(found.rawValue), but others of the archive are \(expected.rawValue)"
    }

    private mutating func wrongSize(_ image: TileSurvey) -> String? {
      let size = "it has \(image.width) x \(image.height) pixels"
      guard image.width == image.height, TilesDecode.sides.contains(image.width) else {
        return "\(size), neither 256 x 256 nor 512 x 512"
      }
      let expected = side ?? image.width
      side = expected
      return image.width == expected
        ? nil : "\(size), but others of the archive have \(expected) x \(expected)"
    }
  }
}

/// The tiles against the hash that was taken of them when they were made.
struct TileHashRule: TileRule {
  let name = "tile-hash"
  let protects = "No tile was swapped, changed or lost since the chart was built."

  func visitor(of archive: ArchiveUnderTest) throws -> any TileVisitor {
    Visitor(rule: self, archive: archive, hash: try TileHash())
  }

  private struct Visitor: TileVisitor {
    let rule: TileHashRule
    let archive: ArchiveUnderTest
    let hash: TileHash

    func visit(_ tile: SeenTile) throws { try hash.update(tile.stored) }

    func finish() throws -> [Finding] {
      let key = TileHash.metadataKey
      guard let told = archive.metadata[key] else {
        return [rule.error(archive.place, "the metadata has no `\(key)`")]
      }
      let found = try hash.finish()
      guard told != found else { return [] }
      return [rule.error(archive.place, "`\(key)` is \(told), but that of its tiles is \(found)")]
    }
  }
}

/// Each tile has one above it, down to the smallest zoom.
struct TilesHaveParents: TileRule {
  let name = "tiles-have-parents"
  let protects = "The chart does not vanish from a part of the screen when the pilot zooms out."

  func visitor(of archive: ArchiveUnderTest) -> any TileVisitor {
    let lowest = archive.metadata["minzoom"].flatMap { Int($0) } ?? archive.summary.zooms.first?.zoom ?? 0
    return Visitor(rule: self, archive: archive, minZoom: lowest)
  }

  private struct Visitor: TileVisitor {
    let rule: TilesHaveParents
    let archive: ArchiveUnderTest
    let minZoom: Int
    /// Only the zoom under way and the one above it are remembered.
    var above: Set<TileID> = []
    var own: Set<TileID> = []
    var zoom = -1
    var findings: [Finding] = []

    mutating func visit(_ tile: SeenTile) {
      guard let id = tile.stored.id else { return }
      if id.zoom != zoom {
        above = id.zoom == zoom + 1 ? own : []
        own = []
        zoom = id.zoom
      }
      own.insert(id)
      guard id.zoom > minZoom, !above.contains(id.parent) else { return }
      findings.append(
        rule.error(archive.place(of: tile.stored), "the tile above it, \(id.parent), is missing"))
    }

    func finish() -> [Finding] { findings }
  }
}

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

/// How many tiles of each zoom a neatline predicts.
struct TileForecast {
  /// By zoom: those that the chart reaches into by more than the tolerance, and those that it touches within it.
  private(set) var fewest: [Int]
  private(set) var most: [Int]
  private let neatline: Neatline
  private var looks = 0

  /// Archives whose metadata is nonsense could have billions along the edge.
  private static let limit = 2_000_000

  /// Nil where it would take too long to tell.
  init?(_ neatline: Neatline, deepest: Int) {
    self.neatline = neatline
    fewest = [Int](repeating: 0, count: deepest + 1)
    most = fewest
    look(at: TileID(zoom: 0, column: 0, row: 0))
    if looks >= TileForecast.limit { return nil }
  }

  private mutating func look(at id: TileID) {
    looks += 1
    guard looks < TileForecast.limit else { return }
    switch neatline.relation(to: PlaneBox(of: id).grown(by: Neatline.tolerance(zoom: id.zoom))) {
    case .outside: return
    case .inside: addAll(below: id)
    case .crossing:
      most[id.zoom] += 1
      if neatline.mustShow(id) { fewest[id.zoom] += 1 }
      if id.zoom < most.count - 1 {
        for child in id.children { look(at: child) }
      }
    }
  }

  private mutating func addAll(below id: TileID) {
    for zoom in id.zoom..<most.count {
      let tiles = 1 << (2 * (zoom - id.zoom))
      fewest[zoom] += tiles
      most[zoom] += tiles
    }
  }
}
