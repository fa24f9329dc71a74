/// The encoding of an archive's tiles, named as in the `format` row of MBTiles.
public enum TileEncoding: String, CaseIterable, Sendable {
  case png
  case jpg
  case webp
  /// Mapbox vector tiles, compressed with gzip.
  case pbf

  /// The names of all formats, for errors.
  public static let list = "png, jpg, webp or pbf"

  /// Parses a `format` row. Other programs also write `jpeg`.
  public init?(row: String) { self.init(rawValue: row == "jpeg" ? "jpg" : row) }

  /// Detects the format by the bytes of a tile. Nil for bytes of no known format.
  public init?(of tile: [UInt8]) {
    if let image = TileEncoding(image: tile) {
      self = image
    } else if let vector = try? VectorTile(stored: tile), !vector.layers.isEmpty {
      self = .pbf
    } else {
      return nil
    }
  }

  /// Detects the format of an image by its first bytes. Nil for anything else.
  public init?(image: [UInt8]) {
    if image.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if image.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpg
    } else if image.starts(with: Array("RIFF".utf8)), image.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      self = .webp
    } else {
      return nil
    }
  }

  public var isVector: Bool { self == .pbf }
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
}
