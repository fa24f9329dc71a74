public import Core

/// A family of charts as its pipeline file describes it: one entry per tif, never per zip.
public struct ChartFamily: Codable, Equatable, Sendable {
  public var name: String
  public var title: String
  public var cadence: Cadence
  public var attribution: String
  /// Where the zips are had from; nil for charts that come from nowhere. `{name}` is the zip's name.
  public var url: SourceAddress?
  public var tiles: TileSettings
  /// How a pack's edge tiles are finished.
  public var seam: Seam
  /// The whole family as one archive, when it is wanted.
  public var mosaic: MosaicDefinition?
  /// Tifs that lie in the family's zips and are known to be no charts.
  public var notCharts: [String]
  public var charts: [ChartDefinition]
  /// The ground that its charts cover together, as boxes of west, south, east and north.
  public var covers: [[Double]]?
  /// What validation is to refuse.
  public var gates: Gates?
  /// What the edges of charts without a neatline usually are; nil where the sheets differ.
  public var fit: Fit?
  /// The name of the family of which this is a variant; nil in a definition.
  public internal(set) var standardName: String?
  /// What follows a chart's id in its region id, such as `_TAC`: ids of charts are unique within a family, those of regions
  /// over all families.
  public var regionSuffix: String?

  public enum Fit: String, Codable, Sendable, CaseIterable {
    /// A meridian in the west and a parallel in the south; the sheet's cuts in the east and the north.
    case graticule
    /// Columns and rows on all sides.
    case grid
  }

  public struct Gates: Codable, Equatable, Sendable {
    /// What share of its tiles a zoom may have lost since the last cycle.
    public var tileLoss: Product.RowLoss?

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case tileLoss
    }

    public init(from decoder: any Decoder) throws {
      try decoder.refuseKeys(besides: CodingKeys.self)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      tileLoss = try container.decodeIfPresent(Product.RowLoss.self, forKey: .tileLoss)
    }
  }

  public enum Seam: String, Codable, Sendable, CaseIterable {
    /// Transparent beyond the chart's own neatline.
    case clean
    /// What of an edge tile lies beyond the neatline is completed from the neighbouring charts of the family.
    case fill
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name, title, cadence, attribution, url, tiles, seam, mosaic, notCharts, charts, covers, gates, fit,
      regionSuffix
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self, [PipelineDefinition.kindKey])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    title = try container.decode(String.self, forKey: .title)
    cadence = try container.decode(Cadence.self, forKey: .cadence)
    attribution = try container.decode(String.self, forKey: .attribution)
    url = try container.decodeIfPresent(SourceAddress.self, forKey: .url)
    tiles = try container.decode(TileSettings.self, forKey: .tiles)
    seam = try container.decodeIfPresent(Seam.self, forKey: .seam) ?? .clean
    mosaic = try container.decodeIfPresent(MosaicDefinition.self, forKey: .mosaic)
    notCharts = try container.decodeIfPresent([String].self, forKey: .notCharts) ?? []
    charts = try container.decode([ChartDefinition].self, forKey: .charts)
    covers = try container.decodeIfPresent([[Double]].self, forKey: .covers)
    gates = try container.decodeIfPresent(Gates.self, forKey: .gates)
    fit = try container.decodeIfPresent(Fit.self, forKey: .fit)
    regionSuffix = try container.decodeIfPresent(String.self, forKey: .regionSuffix)
  }

  /// The family's settings, with the chart's own zooms where it has them.
  public func tiles(for chart: ChartDefinition) -> TileSettings {
    var settings = tiles
    settings.minZoom = chart.minZoom ?? settings.minZoom
    settings.maxZoom = chart.maxZoom ?? settings.maxZoom
    return settings
  }

  /// Returns the id under which an app lists a chart and keeps its archive, such as `San_Francisco_TAC`; nil for archives that
  /// are not of PNG tiles of 256 pixels. Those are additional forms of a chart and have ids of products only.
  public func region(of chart: ChartDefinition) -> String? {
    guard tiles.format.imageType == "png", tiles.size == 256 else { return nil }
    return chart.id + (chart.regionSuffix ?? regionSuffix ?? "")
  }
}

/// All charts of a family in one archive.
public struct MosaicDefinition: Codable, Equatable, Sendable {
  /// `United_States`; the product is `vfr-sectional/United_States`.
  public var id: String
  public var name: String
  /// Charts that stay out of it: an inset of another scale would lie on top of the chart that it is an inset of.
  public var without: [String]?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, without
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    name = try container.decode(String.self, forKey: .name)
    without = try container.decodeIfPresent([String].self, forKey: .without)
  }

  public init(id: String, name: String, without: [String]? = nil) {
    self.id = id
    self.name = name
    self.without = without
  }
}

public struct ChartDefinition: Codable, Equatable, Sendable {
  /// `San_Francisco`; the product is `vfr-sectional/San_Francisco`.
  public var id: String
  public var name: String
  /// `San_Francisco.zip`, as the FAA names it.
  public var zip: String
  /// `San Francisco SEC.tif`, the member of the zip; the `.htm` and `.tfw` have the same stem.
  public var tif: String
  /// Nil where nobody has written it down yet: the build then looks for it, and the report asks a person to confirm.
  public var neatline: NeatlineDefinition?
  /// The insets that the build expects to find within the map; nil or empty when the chart is not known to have any.
  public var insets: [InsetDefinition]?
  /// Where the chart's scale wants other zooms than the family's.
  public var minZoom: Int?
  public var maxZoom: Int?
  /// In place of the family's.
  public var regionSuffix: String?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, zip, tif, neatline, insets, minZoom, maxZoom, regionSuffix
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    name = try container.decode(String.self, forKey: .name)
    zip = try container.decode(String.self, forKey: .zip)
    tif = try container.decode(String.self, forKey: .tif)
    neatline = try container.decodeIfPresent(NeatlineDefinition.self, forKey: .neatline)
    insets = try container.decodeIfPresent([InsetDefinition].self, forKey: .insets)
    minZoom = try container.decodeIfPresent(Int.self, forKey: .minZoom)
    maxZoom = try container.decodeIfPresent(Int.self, forKey: .maxZoom)
    regionSuffix = try container.decodeIfPresent(String.self, forKey: .regionSuffix)
  }
}
