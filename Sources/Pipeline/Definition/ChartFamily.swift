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

/// Another form of a family's tiles, which is chosen when they are built and needs no definition of its own.
///
/// A variant is a family with a name of its own, so its products, files and steps never meet those of the standard form:
/// `vfr-sectional-webp/Seattle` beside `vfr-sectional/Seattle`.
public enum ChartVariant: String, CaseIterable, Sendable {
  /// As the definition says.
  case standard
  /// 512 px as lossy WebP.
  case webpDouble = "webp-2x"
  /// Lossy WebP: fewer bytes.
  case webp
  /// 512 px up to one zoom less, which shows the same pixels in a quarter of the tiles.
  case double = "2x"

  /// What it adds to the family's name.
  var ending: String? { self == .standard ? nil : "-" + rawValue }

  fileprivate var isWebP: Bool { self == .webp || self == .webpDouble }
  fileprivate var isDouble: Bool { self == .double || self == .webpDouble }

  fileprivate var words: String {
    [isWebP ? "WebP" : nil, isDouble ? "512 px" : nil].compactMap(\.self).joined(separator: ", ")
  }
}

extension PipelineDefinition {
  /// The definition in another form; nil for what has no tiles.
  public func variant(_ variant: ChartVariant) throws -> PipelineDefinition? {
    guard case .charts(let family) = content else { return nil }
    return PipelineDefinition(content: .charts(try family.variant(variant)))
  }
}

extension ChartFamily {
  fileprivate func variant(_ variant: ChartVariant) throws -> ChartFamily {
    guard let ending = variant.ending else { return self }
    if let problem = obstacle(to: variant) {
      throw UserError(
        .badCall, operation: "choosing a variant", path: name, reason: problem,
        suggestion: "Build it without --variant \(variant.rawValue).")
    }
    var family = self
    family.standardName = name
    family.name = name + ending
    family.title = "\(title) (\(variant.words))"
    if variant.isWebP { family.tiles.format = .webp }
    guard variant.isDouble else { return family }
    family.tiles.size = 512
    family.tiles.maxZoom -= 1
    family.charts = charts.map { chart in
      var chart = chart
      chart.maxZoom = chart.maxZoom.map { $0 - 1 }
      return chart
    }
    return family
  }

  private func obstacle(to variant: ChartVariant) -> String? {
    if variant.isWebP, tiles.format == .webp { return "its tiles are WebP already" }
    guard variant.isDouble else { return nil }
    if tiles.size == 512 { return "its tiles have 512 px already" }
    let isFlat = ([tiles] + charts.map(tiles(for:))).contains { $0.minZoom == $0.maxZoom }
    return isFlat ? "it has charts of a single zoom" : nil
  }
}

/// What kind of tiles are made, and of which zooms.
public struct TileSettings: Codable, Equatable, Sendable {
  public enum Format: String, Codable, Sendable, CaseIterable {
    /// 8 bits a pixel, from one palette for the whole chart, with transparency.
    case png
    /// RGB, or RGBA at the chart's edge.
    case png32
    /// Lossy.
    case webp
    /// The pixels of `png`, in fewer bytes.
    case webpLossless = "webp-lossless"

    /// What the metadata of an archive calls it.
    public var imageType: String {
      switch self {
      case .png, .png32: "png"
      case .webp, .webpLossless: "webp"
      }
    }
  }

  public enum Archive: String, Codable, Sendable, CaseIterable {
    case mbtiles
    case pmtiles
  }

  public var minZoom: Int
  public var maxZoom: Int
  public var format: Format
  /// Pixels a side: 256, or 512 for the same ground in twice the detail.
  public var size: Int
  /// Of lossy WebP, 50 to 100: below, thin print is lost.
  public var quality: Int
  /// How many colours the palette of `png` and `webp-lossless` has, 48 to 255: fewer make smaller tiles, and
  /// still fewer would merge colours of the sheet.
  public var colors: Int
  /// How many levels a pixel may differ so as to be like its neighbour; 0 takes the nearest colour everywhere.
  public var tolerance: Int
  public var archives: [Archive]

  public static let usualQuality = 80
  /// These two together: an error that nobody sees (42 dB), and two thirds of the bytes that exact colours would take.
  public static let usualColors = 192
  public static let usualTolerance = 9

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case minZoom, maxZoom, format, size, quality, colors, tolerance, archives
  }

  /// Settings for archives that exist, whose definition is not at hand.
  public init(zooms: ClosedRange<Int>, format: Format, size: Int) {
    (minZoom, maxZoom) = (zooms.lowerBound, zooms.upperBound)
    (self.format, self.size) = (format, size)
    (quality, colors) = (TileSettings.usualQuality, TileSettings.usualColors)
    (tolerance, archives) = (TileSettings.usualTolerance, [.mbtiles])
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    minZoom = try container.decode(Int.self, forKey: .minZoom)
    maxZoom = try container.decode(Int.self, forKey: .maxZoom)
    format = try container.decodeIfPresent(Format.self, forKey: .format) ?? .png
    size = try container.decodeIfPresent(Int.self, forKey: .size) ?? 256
    quality = try container.decodeIfPresent(Int.self, forKey: .quality) ?? TileSettings.usualQuality
    colors = try container.decodeIfPresent(Int.self, forKey: .colors) ?? TileSettings.usualColors
    tolerance = try container.decodeIfPresent(Int.self, forKey: .tolerance) ?? TileSettings.usualTolerance
    archives = try container.decodeIfPresent([Archive].self, forKey: .archives) ?? [.mbtiles]
  }
}
