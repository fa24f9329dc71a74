/// The encoding of an archive's tiles, named as in the `format` row of MBTiles.
public enum TileFormat: String, CaseIterable, Sendable {
  case png
  case jpg
  case webp
  case avif
  /// Mapbox vector tiles, compressed with gzip.
  case pbf
  /// MapLibre vector tiles.
  case mlt

  /// Parses a `format` row. Other programs also write media types and `jpeg`, in any case.
  public init?(row: String) {
    let name = row.lowercased()
    switch name.split(separator: "/").last.map(String.init) ?? "" {
    case "jpeg": self = .jpg
    case "mvt", "x-protobuf", "vnd.mapbox-vector-tile": self = .pbf
    case "vnd.maplibre-tile", "vnd.maplibre-vector-tile": self = .mlt
    case let name: self.init(rawValue: name)
    }
  }

  public var isVector: Bool { self == .pbf || self == .mlt }
}

/// A layer of an archive of vector tiles, for styles and for readers that list what the tiles contain.
public struct VectorLayer: Codable, Equatable, Sendable {
  public var id: String
  public var description: String
  public var minZoom: Int
  public var maxZoom: Int
  /// The type of each attribute: `Number`, `String` or `Boolean`.
  public var fields: [String: String]

  private enum CodingKeys: String, CodingKey {
    case id, description, fields
    case minZoom = "minzoom"
    case maxZoom = "maxzoom"
  }

  public init(id: String, description: String, minZoom: Int, maxZoom: Int, fields: [String: String]) {
    self.id = id
    self.description = description
    self.minZoom = minZoom
    self.maxZoom = maxZoom
    self.fields = fields
  }
}
