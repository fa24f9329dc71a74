public import Core

/// A family of charts from a pipeline file, with one entry for each tif.
public struct ChartFamily: DefinitionObject, Codable, Equatable, Sendable {
  public var name: String
  public var title: String
  public var cadence: Schedule
  public var attribution: String
  /// The address of the zips, in which `{name}` is the name of the zip; nil if they cannot be downloaded.
  public var url: SourceAddress?
  public var tiles: TileSettings
  /// How edge tiles are completed.
  public var seam: Seam
  /// Archives of several charts.
  public var mosaics: [MosaicDefinition]
  /// Tifs in the family's zips that are not charts.
  public var notCharts: [String]
  public var charts: [ChartDefinition]
  /// The area that the charts cover together, as boxes of west, south, east and north.
  public var covers: [[Double]]?
  /// Limits for validation.
  public var gates: Gates?
  /// The usual kind of edges, for charts without a neatline; nil if the sheets differ.
  public var fit: Fit?
  /// The name of the family of which this is a variant; nil in a definition.
  public internal(set) var standardName: String?
  /// The end of region ids after a chart's id, such as `_TAC`. Chart ids are unique within a family, region ids over all
  /// families.
  public var regionSuffix: String?
  /// Whether the pages of the charts may lack dates, so that nothing in a source states its edition.
  public var undated: Bool?
  /// The point symbols that the charts print, whose places are compared with those of the database.
  public var symbols: [Product.Symbol]?

  public enum Fit: String, Codable, Sendable, CaseIterable {
    /// A meridian in the west, a parallel in the south, and columns and rows of the sheet in the east and the north.
    case graticule
    /// Columns and rows on all sides.
    case grid
  }

  public struct Gates: DefinitionObject, Codable, Equatable, Sendable {
    /// The share of tiles of a zoom that may be missing compared with the last cycle.
    public var tileLoss: Product.RowLoss?
    /// The most millions of bytes of the archive of a `chart`, and of those of the whole `family`.
    public var maxMegabytes: [String: Int]?

    enum CodingKeys: String, DefinitionKey {
      case tileLoss, maxMegabytes
    }
  }

  public enum Seam: String, Codable, Sendable, CaseIterable {
    /// Transparent beyond the chart's own neatline.
    case clean
    /// The part of an edge tile beyond the neatline is completed from neighbouring charts of the family.
    case fill
  }

  enum CodingKeys: String, DefinitionKey {
    case name, title, cadence, attribution, url, tiles, seam, mosaics, notCharts, charts, covers, gates, fit,
      regionSuffix, undated, symbols
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

extension KeyedDecodingContainer<ChartFamily.CodingKeys> {
  fileprivate func decode(_ type: ChartFamily.Seam.Type, forKey key: Key) throws -> ChartFamily.Seam {
    try decodeIfPresent(type, forKey: key) ?? .clean
  }

  fileprivate func decode(_ type: [MosaicDefinition].Type, forKey key: Key) throws -> [MosaicDefinition] {
    try decodeIfPresent(type, forKey: key) ?? []
  }

  fileprivate func decode(_ type: [String].Type, forKey key: Key) throws -> [String] {
    try decodeIfPresent(type, forKey: key) ?? []
  }
}

public struct ChartDefinition: DefinitionObject, Codable, Equatable, Sendable {
  /// `San_Francisco`; the product is `vfr-sectional/San_Francisco`.
  public var id: String
  public var name: String
  /// `San_Francisco.zip`, as the FAA names it.
  public var zip: String
  /// `San Francisco SEC.tif`, the member of the zip; the `.htm` and `.tfw` have the same stem.
  public var tif: String
  /// Nil if it is not defined yet. The build then searches for it, and the report asks for confirmation.
  public var neatline: NeatlineDefinition?
  /// The known insets within the map.
  public var insets: [InsetDefinition]?
  /// Zooms for this chart instead of the family's.
  public var minZoom: Int?
  public var maxZoom: Int?
  /// Replaces the family's suffix.
  public var regionSuffix: String?
  /// The sheet's conformal conic projection: two standard parallels, and the longitude and latitude of the origin. A sheet in
  /// another one is refused. Nil if it is not known.
  public var projection: [Double]?

  enum CodingKeys: String, DefinitionKey {
    case id, name, zip, tif, neatline, insets, minZoom, maxZoom, regionSuffix, projection
  }
}

/// Another form of a family's tiles, chosen at build time without a separate definition.
///
/// A variant is a family with another name, so its products, files and steps are separate from those of the standard form:
/// `vfr-sectional-webp/Seattle` beside `vfr-sectional/Seattle`.
public enum ChartVariant: String, CaseIterable, Sendable {
  /// The settings of the definition.
  case standard
  /// 512 px as lossy WebP.
  case webpDouble = "webp-2x"
  /// Lossy WebP: fewer bytes.
  case webp
  /// 512 px and one zoom less: the same pixels in a quarter of the tiles.
  case double = "2x"
  /// Lossy WebP and one zoom less, for devices with little room: a fifth of the bytes, and half the detail.
  case lite

  /// The suffix of the family's name.
  var ending: String? { self == .standard ? nil : "-" + rawValue }

  fileprivate var isWebP: Bool { [.webp, .webpDouble, .lite].contains(self) }
  fileprivate var isDouble: Bool { [.double, .webpDouble].contains(self) }
  fileprivate var hasFewerZooms: Bool { isDouble || self == .lite }

  fileprivate var words: String {
    [isWebP ? "WebP" : nil, isDouble ? "512 px" : nil, self == .lite ? "one zoom less" : nil]
      .compactMap(\.self).joined(separator: ", ")
  }
}

extension ChartFamily {
  /// The first error that decoding does not find; nil if there is none.
  var problem: String? {
    for tiles in [tiles] + charts.map(tiles(for:)) {
      guard 0 <= tiles.minZoom, tiles.minZoom <= tiles.maxZoom, tiles.maxZoom <= 18 else {
        return "minZoom must not exceed maxZoom, and both must be from 0 to 18"
      }
    }
    guard [256, 512].contains(tiles.size) else { return "tiles.size must be 256 or 512" }
    guard (50...100).contains(tiles.quality) else { return "tiles.quality must be 50 to 100" }
    guard (48...255).contains(tiles.colors) else { return "tiles.colors must be 48 to 255" }
    guard (0...40).contains(tiles.tolerance) else { return "tiles.tolerance must be 0 to 40" }
    guard (covers ?? []).allSatisfy(\.isBox) else {
      return "each box of covers must be [west, south, east, north] in degrees"
    }
    let limits = gates?.maxMegabytes ?? [:]
    guard limits.allSatisfy({ ["chart", "family"].contains($0.key) && $0.value > 0 }) else {
      return "gates.maxMegabytes has the keys chart and family, each with a number above 0"
    }
    guard gates?.tileLoss?.isSound != false else {
      return "gates.tileLoss has shares from 0 to 1, and warn is not above stop"
    }
    if let chart = charts.first(where: { $0.projection.map { !$0.isProjection } ?? false }) {
      return "the projection of \(chart.id) must be [parallel, parallel, longitude, latitude] in degrees"
    }
    if let tif = Dictionary(grouping: charts, by: \.tif).filter({ $1.count > 1 }).keys.min() {
      return "two charts have the tif \"\(tif)\""
    }
    for mosaic in mosaics {
      if let problem = mosaic.problem(in: self) { return "the mosaic \"\(mosaic.id)\" \(problem)" }
    }
    return tiles.archives.contains(.mbtiles)
      ? nil : "tiles.archives must contain \"mbtiles\", the source of the other formats"
  }

  func variant(_ variant: ChartVariant) throws -> ChartFamily? {
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
    if variant.isDouble { family.tiles.size = 512 }
    guard variant.hasFewerZooms else { return family }
    family.tiles.maxZoom -= 1
    family.charts = charts.map { chart in
      var chart = chart
      chart.maxZoom = chart.maxZoom.map { $0 - 1 }
      return chart
    }
    return family
  }

  private func obstacle(to variant: ChartVariant) -> String? {
    if variant.isWebP, variant != .lite, tiles.format == .webp { return "its tiles are already WebP" }
    if variant.isDouble, tiles.size == 512 { return "its tiles already have 512 px" }
    guard variant.hasFewerZooms else { return nil }
    let settings = [tiles] + charts.map(tiles(for:)) + mosaics.map(tiles(for:))
    return settings.contains { $0.minZoom == $0.maxZoom } ? "it has charts or mosaics of a single zoom" : nil
  }
}

extension [Double] {
  fileprivate var isBox: Bool {
    count == 4 && -180 <= self[0] && self[0] < self[2] && self[2] <= 180
      && -90 <= self[1] && self[1] < self[3] && self[3] <= 90
  }

  fileprivate var isProjection: Bool {
    count == 4 && abs(self[2]) <= 180 && [self[0], self[1], self[3]].allSatisfy { abs($0) < 90 }
      && self[0] + self[1] != 0
  }
}

/// The format and the zooms of tiles.
public struct TileSettings: DefinitionObject, Codable, Equatable, Sendable {
  public enum Format: String, Codable, Sendable, CaseIterable {
    /// 8 bits a pixel, from one palette for the whole chart, with transparency.
    case png
    /// RGB, or RGBA at the chart's edge.
    case png32
    /// Lossy.
    case webp
    /// The same pixels as `png` in fewer bytes.
    case webpLossless = "webp-lossless"

    /// The name of the format in the metadata of an archive.
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
  /// The side of a tile in pixels: 256, or 512 for the same area in twice the detail.
  public var size: Int
  /// The quality of lossy WebP, 50 to 100. Lower values lose thin print.
  public var quality: Int
  /// The number of colours in the palette of `png` and `webp-lossless`, 48 to 255. Fewer colours make smaller tiles; below
  /// 48, colours of the sheet would merge.
  public var colors: Int
  /// The largest error in levels for giving a pixel the colour of its neighbour; 0 always uses the nearest colour.
  public var tolerance: Int
  public var archives: [Archive]

  public static let usualQuality = 80
  /// Together, these two give an invisible error (42 dB) and two thirds of the bytes of exact colours.
  public static let usualColors = 192
  public static let usualTolerance = 9

  enum CodingKeys: String, DefinitionKey {
    case minZoom, maxZoom, format, size, quality, colors, tolerance, archives
  }

  /// Settings for existing archives without a definition.
  public init(zooms: ClosedRange<Int>, format: Format, size: Int) {
    (minZoom, maxZoom) = (zooms.lowerBound, zooms.upperBound)
    (self.format, self.size) = (format, size)
    (quality, colors) = (TileSettings.usualQuality, TileSettings.usualColors)
    (tolerance, archives) = (TileSettings.usualTolerance, [.mbtiles])
  }

  public init(from decoder: any Decoder) throws {
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
