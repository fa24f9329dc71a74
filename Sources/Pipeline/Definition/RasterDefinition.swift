/// Images of any kind from a pipeline file, each tiled as one archive.
public struct RasterFamily: DefinitionObject, Codable, Equatable, Sendable {
  public var name: String
  public var title: String
  public var attribution: String
  /// The address of the files, in which `{name}` is the name of a file; nil if they cannot be downloaded.
  public var url: SourceAddress?
  /// The settings of all images. What is left out follows from each image.
  public var tiles: RasterTiles
  public var images: [RasterDefinition]
  /// Like that of a family of charts.
  public var regionSuffix: String?

  enum CodingKeys: String, DefinitionKey {
    case name, title, attribution, url, tiles, images, regionSuffix
  }

  /// The settings of an image: its own, then the family's.
  public func tiles(for image: RasterDefinition) -> RasterTiles {
    var settings = tiles
    settings.minZoom = image.minZoom ?? settings.minZoom
    settings.maxZoom = image.maxZoom ?? settings.maxZoom
    settings.format = image.format ?? settings.format
    return settings
  }

  /// The error of the definition; nil if there is none.
  var problem: String? {
    for image in images {
      let tiles = tiles(for: image)
      let zooms = [tiles.minZoom, tiles.maxZoom].compactMap(\.self)
      guard zooms == zooms.sorted(), zooms.allSatisfy((0...RasterTiles.zoomLimit).contains),
        (tiles.minZoom == nil) == (tiles.maxZoom == nil)
      else {
        return
          "\(image.id) needs both minZoom and maxZoom or neither, from 0 to \(RasterTiles.zoomLimit) and in this order"
      }
      if let scale = image.scale, scale.count != 2 || !scale.allSatisfy(\.isFinite) || scale[0] >= scale[1] {
        return "the scale of \(image.id) must be two numbers, the smaller one first"
      }
      if image.file.contains("/") {
        return
          "the file of \(image.id) is \"\(image.file)\", but must be a name: put the image into the folder of --from"
      }
    }
    if images.isEmpty { return "it has no images" }
    guard [256, 512].contains(tiles.size) else { return "tiles.size must be 256 or 512" }
    guard (50...100).contains(tiles.quality) else { return "tiles.quality must be 50 to 100" }
    return tiles.archives.contains(.mbtiles)
      ? nil : "tiles.archives must contain \"mbtiles\", the source of the other formats"
  }
}

extension KeyedDecodingContainer<RasterFamily.CodingKeys> {
  fileprivate func decode(_ type: RasterTiles.Type, forKey key: Key) throws -> RasterTiles {
    try decodeIfPresent(type, forKey: key) ?? RasterTiles()
  }
}

/// One image of a family.
public struct RasterDefinition: DefinitionObject, Codable, Equatable, Sendable {
  /// `Harbour`; the product is `offline-maps/Harbour`.
  public var id: String
  public var name: String
  /// `harbour.tif`
  public var file: String
  /// The reference system in place of the image's own: `EPSG:32610`.
  public var crs: String?
  /// The sample values that become black and white, for images of more than 8 bits; nil for the least and the greatest.
  public var scale: [Double]?
  public var minZoom: Int?
  public var maxZoom: Int?
  public var format: TileSettings.Format?

  enum CodingKeys: String, DefinitionKey {
    case id, name, file, crs, scale, minZoom, maxZoom, format
  }
}

/// The form of the tiles of images. Nil values follow from each image.
public struct RasterTiles: DefinitionObject, Codable, Equatable, Sendable {
  public var minZoom: Int?
  public var maxZoom: Int?
  public var format: TileSettings.Format?
  public var size = 256
  public var quality = TileSettings.usualQuality
  public var archives: [TileSettings.Archive] = [.mbtiles]

  /// The largest zoom that can be asked for.
  public static let zoomLimit = 22

  enum CodingKeys: String, DefinitionKey {
    case minZoom, maxZoom, format, size, quality, archives
  }

  init() {}

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    minZoom = try container.decodeIfPresent(Int.self, forKey: .minZoom)
    maxZoom = try container.decodeIfPresent(Int.self, forKey: .maxZoom)
    format = try container.decodeIfPresent(TileSettings.Format.self, forKey: .format)
    size = try container.decodeIfPresent(Int.self, forKey: .size) ?? size
    quality = try container.decodeIfPresent(Int.self, forKey: .quality) ?? quality
    archives = try container.decodeIfPresent([TileSettings.Archive].self, forKey: .archives) ?? archives
  }
}
