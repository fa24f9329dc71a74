internal import Core
internal import ImageIO

/// Checks that each tile is an image of the right kind and size that shows something.
struct TilesDecode: Rule {
  let name = "tiles-decode"
  let protects = "No square of the chart stays blank because its image is broken, empty or of the wrong size."

  private static let sides = [256, 512]

  func check(_ archive: ArchiveUnderTest) -> TileFindings {
    // Those of the first valid tile, which all others must have too.
    var (kind, side): (TileEncoding?, Int?) = (nil, nil)
    return TileFindings(self, archive) { tile in
      switch tile.survey {
      case nil: return []
      case .success(let image)?:
        let problem = wrongKind(tile.kind, &kind) ?? wrongSize(image, &side)
        return problem.map { [$0] }
          ?? (image.isTransparent ? ["it is fully transparent, so it should not exist"] : [])
      case .failure(let error)?: return ["it is not a readable PNG or WebP: \(error)"]
      }
    }
  }

  private func wrongKind(_ found: TileEncoding?, _ kind: inout TileEncoding?) -> String? {
    kind = kind ?? found
    guard let found, let kind, found != kind else { return nil }
    return "it is \(found.rawValue), but others of the archive are \(kind.rawValue)"
  }

  private func wrongSize(_ image: TileSurvey, _ side: inout Int?) -> String? {
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

/// Compares the hash of all tiles with the one that the build stored in the metadata.
struct TileHashRule: Rule {
  let name = "tile-hash"
  let protects = "No tile was swapped, changed or lost since the chart was built."

  func check(_ archive: ArchiveUnderTest) throws -> TileFindings {
    let (key, hash) = (TileHash.metadataKey, try TileHash())
    return TileFindings(self, archive) {
      try hash.update($0.stored)
      return []
    } ofAll: {
      guard let stated = archive.metadata[key] else { return ["the metadata has no `\(key)`"] }
      let found = try hash.finish()
      return stated == found ? [] : ["`\(key)` is \(stated), but the hash of its tiles is \(found)"]
    }
  }
}

/// Checks that each tile has a parent, up to the smallest zoom.
struct TilesHaveParents: Rule {
  let name = "tiles-have-parents"
  let protects = "No part of the chart vanishes when the pilot zooms out."

  func check(_ archive: ArchiveUnderTest) -> TileFindings {
    let lowest = archive.metadata["minzoom"].flatMap { Int($0) } ?? archive.summary.zooms.first?.zoom ?? 0
    var tiles = ZoomPair<Void>()
    return TileFindings(self, archive) { tile in
      guard let id = tile.stored.id else { return [] }
      tiles.enter(id.zoom)
      tiles.set((), for: id)
      let isOrphan = id.zoom > lowest && tiles.parent(of: id) == nil
      return isOrphan ? ["the tile above it, \(id.parent), is missing"] : []
    }
  }
}

/// The values of the tiles of the current zoom and of the zoom above it, while the tiles pass zoom by zoom.
struct ZoomPair<Value> {
  private(set) var zoom = -1
  private var own: [TileID: Value] = [:]
  private var above: [TileID: Value] = [:]

  mutating func enter(_ next: Int) {
    guard next != zoom else { return }
    above = next == zoom + 1 ? own : [:]
    (own, zoom) = ([:], next)
  }

  /// - Parameter tile: a tile of the current zoom.
  mutating func set(_ value: Value, for tile: TileID) { own[tile] = value }

  func parent(of tile: TileID) -> Value? { tile.zoom > 0 ? above[tile.parent] : nil }
}

/// Compares the tiles with those that the neatline predicts.
struct TilesInsideBounds: Rule {
  let name = "tiles-inside-bounds"
  let protects = "The chart has no holes, and no stray tile covers another part of the world."

  func check(_ archive: ArchiveUnderTest) throws -> Visitor {
    Visitor(
      rule: self, archive: archive, hasNeatline: archive.metadata["chartpipe:neatline"] != nil,
      neatline: archive.neatline,
      windows: archive.extent.windows.map { PlaneBox(mercator: $0) })
  }

  struct Visitor: RuleOutcome {
    let rule: TilesInsideBounds
    let archive: ArchiveUnderTest
    let hasNeatline: Bool
    let neatline: MercatorNeatline?
    /// Empty where the archive gives no bounds.
    let windows: [PlaneBox]
    var present: Set<TileID> = []
    var findings: [Finding] = []

    mutating func visit(_ tile: DecodedTile) {
      guard let id = tile.stored.id else {
        findings.append(rule.error(archive.place(of: tile.stored), "no such tile exists"))
        return
      }
      if !present.insert(id).inserted {
        findings.append(rule.error(archive.place(of: tile.stored), "the archive has it twice"))
      }
      let box = PlaneBox(of: id).grown(by: MercatorNeatline.tolerance(zoom: id.zoom))
      if !windows.isEmpty, !windows.contains(where: { box.intersects($0) }) {
        findings.append(rule.error(archive.place(of: tile.stored), "it lies outside the archive's bounds"))
      } else if let neatline, neatline.shown(at: id.zoom).relation(to: box) == .outside {
        findings.append(rule.error(archive.place(of: tile.stored), "it lies outside the chart's neatline"))
      }
    }

    mutating func finish() -> RuleResult {
      let facts = ProductFacts(zooms: counts())
      if hasNeatline && neatline == nil {
        findings.append(rule.error(archive.place, "`chartpipe:neatline` is not a GeoJSON polygon"))
      } else if !hasNeatline {
        findings.append(
          rule.warning(
            archive.place, "without `chartpipe:neatline` missing tiles cannot be detected"))
      }
      findings += missing().map {
        rule.error("\(archive.place) tile \($0)", "it is missing, though the chart reaches into it")
      }
      return RuleResult(findings, facts: archive.productID.map { [$0: facts] } ?? [:])
    }

    /// The zooms that can exist.
    private var zooms: [ZoomSummary] {
      archive.summary.zooms.filter { StoredTile(zoom: $0.zoom, column: 0, tmsRow: 0, data: []).id != nil }
    }

    /// The tiles that each zoom has and that the neatline predicts.
    private func counts() -> [ProductFacts.Zoom]? {
      guard let neatline else { return nil }
      var counts: [ProductFacts.Zoom] = []
      for own in zooms {
        guard let forecast = TileForecast(neatline.shown(at: own.zoom), zoom: own.zoom) else { return nil }
        counts.append(
          .init(
            zoom: own.zoom, tiles: own.tiles, fewest: forecast.fewest, most: forecast.most, bytes: own.bytes))
      }
      return counts
    }

    /// An archive with invalid metadata could have billions of holes.
    private static let mostHoles = 1000

    /// Searches the pyramid for missing tiles. It does not search below a missing tile, where all tiles are missing too.
    private func missing() -> [TileID] {
      // Where the image is transparent, tiles may be missing. `place-samples` finds those that may not.
      guard !archive.isPartial, let neatline, let first = zooms.first?.zoom, let last = zooms.last?.zoom
      else { return [] }
      var holes: [TileID] = []
      func look(at id: TileID) {
        guard holes.count < Self.mostHoles, neatline.relation(to: PlaneBox(of: id)) != .outside else {
          return
        }
        if (first...last).contains(id.zoom), !present.contains(id),
          neatline.shown(at: id.zoom).mustShow(id)
        {
          holes.append(id)
        } else if id.zoom < last {
          for child in id.children { look(at: child) }
        }
      }
      look(at: TileID(zoom: 0, column: 0, row: 0))
      return holes.sorted { ($0.zoom, $0.row, $0.column) < ($1.zoom, $1.row, $1.column) }
    }
  }
}

/// The number of tiles of a zoom that a neatline predicts.
struct TileForecast {
  /// The tiles that the chart reaches into by more than the tolerance, and all that it touches within the tolerance.
  private(set) var fewest = 0
  private(set) var most = 0
  private let neatline: MercatorNeatline
  private let zoom: Int
  private var looks = 0

  /// An archive with invalid metadata could have billions of tiles along the edge.
  private static let limit = 2_000_000

  /// Nil where counting would take too long.
  init?(_ neatline: MercatorNeatline, zoom: Int) {
    (self.neatline, self.zoom) = (neatline, zoom)
    look(at: TileID(zoom: 0, column: 0, row: 0))
    if looks >= TileForecast.limit { return nil }
  }

  private mutating func look(at id: TileID) {
    looks += 1
    guard looks < TileForecast.limit else { return }
    switch neatline.relation(to: PlaneBox(of: id).grown(by: MercatorNeatline.tolerance(zoom: id.zoom))) {
    case .outside: return
    case .inside:
      let tiles = 1 << (2 * (zoom - id.zoom))
      (fewest, most) = (fewest + tiles, most + tiles)
    case .crossing where id.zoom == zoom:
      most += 1
      if neatline.mustShow(id) { fewest += 1 }
    case .crossing: for child in id.children { look(at: child) }
    }
  }
}
