public import Core
internal import Foundation

/// An archive's description of itself: the rows of MBTiles' `metadata` table that people and map views read.
public struct ArchiveMetadata: Sendable {
  public var name: String
  /// `png`, `webp`, `pbf` …: the name of a `TileEncoding`.
  public var format: String
  /// The bounds of the chart at its largest zoom, which contain those of all zooms. From -180 to 180 for a chart across that
  /// line.
  public var bounds: GeoBox
  /// The true extent of a chart across 180 degrees, with an east beyond 180; nil for any other chart.
  public var adjustedBounds: GeoBox?
  /// The initial position of a map view. Nil for the middle of the bounds, which may lie on none of several charts.
  public var opening: GeoPoint?
  public var minZoom: Int
  public var maxZoom: Int
  public var attribution: String
  public var description: String
  /// The version of the tiles, not of the format: the edition's day.
  public var version: String
  public var type: String = "overlay"
  /// The layers of vector tiles, in the row `json`; nil for images.
  public var vectorLayers: [VectorLayer]?
  /// Further rows, such as `chartpipe:cycle`. They cannot replace a key of the format.
  public var extra: [String: String] = [:]

  /// The key of an archive of an image that is not a chart: how much of the outline the tiles fill.
  public static let coverageKey = "chartpipe:coverage"
  public static let fullCoverage = "full"
  /// Some tiles inside the outline may be missing, since the image may be transparent there.
  public static let partialCoverage = "partial"
  /// The key of a mosaic of charts that end at several zooms: the deepest zoom of each polygon of its outline, in order.
  public static let neatlineZooms = "chartpipe:neatline_zooms"

  /// The key under which MBTiles readers that support such charts look for it.
  public static let adjustedBoundsKey = "antimeridian_adjusted_bounds"
}

extension ArchiveMetadata {
  /// Reads the metadata of an archive that this tool built.
  public init?(rows: [String: String]) {
    guard let bounds = rows["bounds"].flatMap({ GeoBox(metadata: $0) }),
      let minZoom = rows["minzoom"].flatMap({ Int($0) }),
      let maxZoom = rows["maxzoom"].flatMap({ Int($0) }), let name = rows["name"], let format = rows["format"]
    else { return nil }
    self.init(
      name: name, format: format, bounds: bounds, adjustedBounds: GeoBox(adjustedIn: rows),
      minZoom: minZoom, maxZoom: maxZoom, attribution: rows["attribution"] ?? "",
      description: rows["description"] ?? "", version: rows["version"] ?? "", type: rows["type"] ?? "overlay",
      extra: rows.filter { $0.key.contains(":") })
  }

  func rows(aggregateHash: String) throws -> [String: String] {
    var own: [String: String] = [
      "name": name, "format": format, "type": type, "version": version,
      "attribution": attribution, "description": description,
      "minzoom": "\(minZoom)", "maxzoom": "\(maxZoom)", "bounds": ArchiveMetadata.text(bounds),
      "center": center,
      TileHash.metadataKey: aggregateHash,
    ]
    own[ArchiveMetadata.adjustedBoundsKey] = adjustedBounds.map(ArchiveMetadata.text)
    own["json"] = try vectorLayers.map { try JSONValue.line(["vector_layers": $0]) }
    return own.merging(extra) { standard, _ in standard }
  }

  /// The initial view, at a zoom that is neither too far out nor too near.
  private var center: String {
    let middle = opening ?? (adjustedBounds ?? bounds).center
    // A millionth of a degree is a tenth of a metre. Further digits of a division are noise.
    let (longitude, latitude) = (millionths(middle.longitude), millionths(middle.latitude))
    return "\(decimal(longitude)),\(decimal(latitude)),\((minZoom + maxZoom) / 2)"
  }

  static func text(_ box: GeoBox) -> String {
    [box.west, box.south, box.east, box.north].map(decimal).joined(separator: ",")
  }
}

extension GeoBox {
  /// Parses `W,S,E,N` in degrees, with or without blanks. Nil for anything that is not a box on the earth, such as a box with a
  /// west that is larger than its east.
  public init?(metadata text: String) { self.init(degrees(text), easternLimit: 180) }

  /// The true extent of a chart across 180 degrees, with an east beyond 180. Other programs write it as `bounds` with a west that
  /// is larger than the east.
  public init?(adjustedIn metadata: [String: String]) {
    if let text = metadata[ArchiveMetadata.adjustedBoundsKey] {
      self.init(degrees(text), easternLimit: 540)
    } else {
      guard var numbers = metadata["bounds"].flatMap({ degrees($0) }), numbers.count == 4,
        numbers[0] > numbers[2]
      else { return nil }
      numbers[2] += 360
      self.init(numbers, easternLimit: 540)
    }
  }

  private init?(_ numbers: [Double]?, easternLimit: Double) {
    guard let numbers, numbers.count == 4 else { return nil }
    self.init(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
    guard -180 <= west, west < min(east, 180), east <= min(easternLimit, west + 360), -90 <= south,
      south < north, north <= 90
    else { return nil }
  }
}

/// The numbers of a list with commas, with or without blanks. Nil if one of them is not a number.
func degrees(_ text: String) -> [Double]? {
  let parts = text.split(separator: ",", omittingEmptySubsequences: false)
  let numbers = parts.compactMap { Double($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  return numbers.count == parts.count ? numbers : nil
}

/// The `center` row: the initial position of a map view, and its zoom if it is stated.
struct MapCenter {
  let point: GeoPoint
  let zoom: Int?

  /// Nil for anything else than two or three numbers.
  init?(_ text: String) {
    guard let numbers = degrees(text), (2...3).contains(numbers.count) else { return nil }
    point = GeoPoint(longitude: numbers[0], latitude: numbers[1])
    zoom = numbers.count == 3 ? Int(exactly: numbers[2].rounded()) : nil
  }
}

/// The shortest digits that parse to the same number, never with an exponent, since some readers do not support it.
func decimal(_ number: Double) -> String {
  if let whole = Int(exactly: number) { return "\(whole)" }
  let text = "\(number)"
  return text.contains("e") ? String(format: "%.9f", number) : text
}

func millionths(_ degrees: Double) -> Double { (degrees * 1_000_000).rounded() / 1_000_000 }

/// The amount of data in an archive.
public struct ArchiveSummary: Codable, Equatable, Sendable {
  public var tiles: Int
  /// The number of stored images. Identical tiles share one.
  public var distinctTiles: Int
  /// The bytes of all tiles. Shared images count as often as they are used.
  public var tileBytes: Int
  public var zooms: [ZoomSummary]

  public init(zooms: [ZoomSummary], distinctTiles: Int) {
    tiles = zooms.map(\.tiles).reduce(0, +)
    self.distinctTiles = distinctTiles
    tileBytes = zooms.map(\.bytes).reduce(0, +)
    self.zooms = zooms
  }
}

public struct ZoomSummary: Codable, Equatable, Sendable {
  public var zoom: Int
  public var tiles: Int
  public var bytes: Int
  public var columns: Span
  /// Counted from the north, as in a tile's URL.
  public var rows: Span

  /// From the first to the last. Tiles between them may be missing.
  public struct Span: Codable, Equatable, Sendable {
    public var first: Int
    public var last: Int

    mutating func reach(_ number: Int) {
      first = min(first, number)
      last = max(last, number)
    }
  }
}

/// Counts tiles that arrive grouped by zoom.
struct ZoomTally {
  private(set) var zooms: [ZoomSummary] = []

  mutating func add(_ tile: StoredTile) {
    add(
      zoom: tile.zoom, column: tile.column, row: (1 << tile.zoom) &- 1 &- tile.tmsRow, bytes: tile.data.count)
  }

  mutating func add(zoom: Int, column: Int, row: Int, bytes: Int) {
    if zooms.last?.zoom != zoom {
      zooms.append(
        ZoomSummary(
          zoom: zoom, tiles: 0, bytes: 0, columns: .init(first: column, last: column),
          rows: .init(first: row, last: row)))
    }
    let last = zooms.count - 1
    zooms[last].tiles += 1
    zooms[last].bytes += bytes
    zooms[last].columns.reach(column)
    zooms[last].rows.reach(row)
  }
}
