public import Core
internal import Foundation

/// What an archive says of itself: the rows of MBTiles' `metadata` that people and map views read.
public struct ArchiveMetadata: Sendable {
  public var name: String
  /// `png`
  public var format: String
  /// Of the chart at its largest zoom, so that it covers all of them. From -180 to 180 where it lies across that line.
  public var bounds: GeoBox
  /// The true extent of a chart across 180 degrees, with an east beyond 180; nil for any other chart.
  public var adjustedBounds: GeoBox?
  /// Where a map opens; nil for the middle of the bounds, which of several charts may lie on none of them.
  public var opening: GeoPoint?
  public var minZoom: Int
  public var maxZoom: Int
  public var attribution: String
  public var description: String
  /// Of the tiles, not of the format: the edition's day serves.
  public var version: String
  public var type: String
  /// Further rows, such as `chartpipe:cycle`. A key of the format's own cannot be replaced by them.
  public var extra: [String: String]

  /// Where readers of MBTiles look for it that know of such charts.
  public static let adjustedBoundsKey = "antimeridian_adjusted_bounds"

  public init(
    name: String, format: String, bounds: GeoBox, adjustedBounds: GeoBox? = nil, minZoom: Int, maxZoom: Int,
    attribution: String, description: String, version: String, type: String = "overlay",
    extra: [String: String] = [:]
  ) {
    self.name = name
    self.format = format
    self.bounds = bounds
    self.adjustedBounds = adjustedBounds
    self.minZoom = minZoom
    self.maxZoom = maxZoom
    self.attribution = attribution
    self.description = description
    self.version = version
    self.type = type
    self.extra = extra
  }

  /// What an archive of our own says of itself, to be said again of one that is made of it.
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

  /// The rows, in the order in which they are written.
  func rows(aggregateHash: String) -> [(name: String, value: String)] {
    var own: [String: String] = [
      "name": name, "format": format, "type": type, "version": version,
      "attribution": attribution, "description": description,
      "minzoom": "\(minZoom)", "maxzoom": "\(maxZoom)", "bounds": text(bounds), "center": center,
      TileHash.metadataKey: aggregateHash,
    ]
    own[ArchiveMetadata.adjustedBoundsKey] = adjustedBounds.map(text)
    return own.merging(extra) { standard, _ in standard }
      .sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }

  /// A map opens here, so neither so far out that the chart is a speck nor so near that it is a corner of one.
  private var center: String {
    let middle = opening ?? (adjustedBounds ?? bounds).center
    // A millionth of a degree is a tenth of a metre; what a division leaves beyond that is noise.
    let (longitude, latitude) = (millionths(middle.longitude), millionths(middle.latitude))
    return "\(decimal(longitude)),\(decimal(latitude)),\((minZoom + maxZoom) / 2)"
  }

  private func text(_ box: GeoBox) -> String {
    [box.west, box.south, box.east, box.north].map(decimal).joined(separator: ",")
  }
}

extension GeoBox {
  /// `W,S,E,N` in degrees, without blanks. Nil for anything that is no box on the earth.
  public init?(metadata text: String) { self.init(text, easternLimit: 180) }

  /// The true extent that the metadata of a chart across 180 degrees gives, with an east beyond 180.
  public init?(adjustedIn metadata: [String: String]) {
    guard let text = metadata[ArchiveMetadata.adjustedBoundsKey] else { return nil }
    self.init(text, easternLimit: 540)
  }

  private init?(_ text: String, easternLimit: Double) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0) }
    guard numbers.count == 4, text.filter({ $0 == "," }).count == 3 else { return nil }
    self.init(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
    guard -180 <= west, west < min(east, 180), east <= min(easternLimit, west + 360), -90 <= south,
      south < north, north <= 90
    else { return nil }
  }
}

/// The shortest digits that give the same number again, never with an exponent: not every reader knows those.
func decimal(_ number: Double) -> String {
  if let whole = Int(exactly: number) { return "\(whole)" }
  let text = "\(number)"
  return text.contains("e") ? String(format: "%.9f", number) : text
}

private func millionths(_ degrees: Double) -> Double { (degrees * 1_000_000).rounded() / 1_000_000 }

/// How much is in an archive.
public struct ArchiveSummary: Codable, Equatable, Sendable {
  public var tiles: Int
  /// The images that are stored; identical tiles share one.
  public var distinctTiles: Int
  /// Of all tiles, the shared ones counted as often as they are used.
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

  /// From the first to the last of what is there; not all between them need be.
  public struct Span: Codable, Equatable, Sendable {
    public var first: Int
    public var last: Int

    public init(first: Int, last: Int) {
      self.first = first
      self.last = last
    }

    mutating func reach(_ number: Int) {
      first = min(first, number)
      last = max(last, number)
    }
  }
}

/// Sums up tiles of which those of one zoom come together.
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
