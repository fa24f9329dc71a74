/// One archive of a chart, in one of its forms: PNG or WebP, 256 or 512 pixels, MBTiles or PMTiles.
public struct ChartForm: Codable, Comparable, Hashable, Sendable {
  /// `webp`, `2x`, `lite`; nil for the standard form.
  public var variant: String?
  /// `png`, `webp`
  public var format: String
  /// `mbtiles`, `pmtiles`
  public var archive: String
  /// The side of its tiles in pixels; nil for 256.
  public var tileSize: Int?
  public var minZoom: Int?
  public var maxZoom: Int?
  /// Relative to the folder of `catalog.json`.
  public var path: String
  public var sha256: SHA256Hex
  public var bytes: Int

  private enum CodingKeys: String, CodingKey {
    case variant, format, archive, tileSize, minZoom, maxZoom, sha256, bytes
    case path = "url"
  }

  /// Returns nil for a file that is not an archive of tiles.
  ///
  /// - Parameters:
  ///   - id: The product's id, such as `vfr-sectional-webp/Seattle`.
  ///   - standard: The id of its standard form; nil for a standard form.
  public init?(
    _ file: ProductFile, of id: String, standard: String?, format: String, tileSize: Int?, minZoom: Int?,
    maxZoom: Int?
  ) {
    guard let archive = [.tiles: "mbtiles", .pmtiles: "pmtiles"][file.role] else { return nil }
    variant = standard.map { String(id.pipelineOfID.dropFirst($0.pipelineOfID.count + 1)) }
    (self.format, self.archive, self.tileSize) = (format, archive, tileSize)
    (self.minZoom, self.maxZoom) = (minZoom, maxZoom)
    (path, sha256, bytes) = (file.path, file.sha256, file.bytes)
  }

  /// The standard form comes first.
  public static func < (one: ChartForm, other: ChartForm) -> Bool {
    (one.variant ?? "", one.archive) < (other.variant ?? "", other.archive)
  }
}
