/// Several charts of a family in one archive.
public struct MosaicDefinition: DefinitionObject, Codable, Equatable, Sendable {
  /// `United_States`; the product is `vfr-sectional/United_States`.
  public var id: String
  public var name: String
  /// The ids of its charts; nil for all charts of the family.
  public var charts: [String]?
  /// The ids of charts that are excluded, or of mosaics whose charts are excluded: an inset of another scale would cover part of
  /// its chart.
  public var without: [String]?
  /// Which of two overlapping charts is shown; nil for the one whose middle is nearest.
  public var order: Order?
  /// The formats of its archive. Usual is PMTiles alone, which a map reads in part.
  public var archives: [TileSettings.Archive] = [.pmtiles]

  public enum Order: String, Codable, Sendable, CaseIterable {
    /// The one of the finer scale. Each chart is shown at its own zooms only, and a finer one may be alone at deeper zooms.
    case scale
  }

  enum CodingKeys: String, DefinitionKey {
    case id, name, charts, without, order, archives
  }
}

extension KeyedDecodingContainer<MosaicDefinition.CodingKeys> {
  fileprivate func decode(
    _ type: [TileSettings.Archive].Type, forKey key: Key
  ) throws -> [TileSettings.Archive] {
    try decodeIfPresent(type, forKey: key) ?? [.pmtiles]
  }
}

extension MosaicDefinition {
  /// Returns the fault of the definition in this family; nil if there is none.
  func problem(in family: ChartFamily) -> String? {
    let ids = Set(family.charts.map(\.id))
    if charts != nil, without != nil { return "has both charts and without; one of them is enough" }
    if let stray = (charts ?? []).first(where: { !ids.contains($0) }) {
      return "lists \"\(stray)\", which is not a chart of the family"
    }
    let others = family.mosaics.filter { $0.id != id }
    for excluded in without ?? [] where !ids.contains(excluded) {
      guard let other = others.first(where: { $0.id == excluded }) else {
        return "is without \"\(excluded)\", which is neither a chart nor another mosaic of the family"
      }
      if other.charts == nil {
        return "is without the mosaic \"\(excluded)\", which does not list its charts"
      }
    }
    if archives.isEmpty { return "has no archives" }
    if family.charts(of: self).isEmpty { return "has no charts" }
    let tiles = family.tiles(for: self)
    return tiles.minZoom > tiles.maxZoom ? "has charts without a common zoom" : nil
  }
}

extension ChartFamily {
  /// The charts of one of its mosaics, in the order of the definition.
  public func charts(of mosaic: MosaicDefinition) -> [ChartDefinition] {
    if let listed = mosaic.charts { return charts.filter { listed.contains($0.id) } }
    let excluded = Set((mosaic.without ?? []).flatMap { id in mosaics.first { $0.id == id }?.charts ?? [id] })
    return charts.filter { !excluded.contains($0.id) }
  }

  /// The settings for the tiles of a mosaic: the zooms that all its charts have, in the order of scales also deeper ones, and its
  /// own archives.
  public func tiles(for mosaic: MosaicDefinition) -> TileSettings {
    let each = charts(of: mosaic).map(tiles(for:))
    var settings = tiles
    settings.minZoom = each.map(\.minZoom).max() ?? tiles.minZoom
    let deepest = each.map(\.maxZoom)
    settings.maxZoom = (mosaic.order == .scale ? deepest.max() : deepest.min()) ?? tiles.maxZoom
    settings.archives = mosaic.archives
    return settings
  }

  /// Whether the chart can complete the edge tiles of others. A chart in none of the family's mosaics lies on top of another
  /// chart, at another scale.
  public func completesEdges(_ chart: ChartDefinition) -> Bool {
    mosaics.isEmpty || mosaics.contains { mosaic in charts(of: mosaic).contains { $0.id == chart.id } }
  }
}
