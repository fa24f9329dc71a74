internal import Core
internal import Foundation

/// The descriptions of a site's maps for map libraries: a TileJSON for each archive that is read in ranges, and a MapLibre style with
/// all of them. They follow from the catalogue.
///
/// A tile's address is `pmtiles://`, the address of the archive, and `/{z}/{x}/{y}`, as the PMTiles protocol of MapLibre expects it. An
/// MBTiles archive has no such address: it is a file to download.
struct WebMap {
  static let stylePath = "style.json"
  static let folder = "charts/"
  /// Map libraries show it in a corner of the map.
  static let attribution = "Not for navigation"

  /// A product with the archive that is read in ranges, and the path of its TileJSON.
  private typealias Map = (product: Product, archive: Product.File, path: String)

  private let maps: [Map]
  /// The address of the site with a slash at the end; empty for relative addresses.
  private let base: String

  /// - Parameter site: the public address of the site; nil for addresses relative to the page that shows the map.
  init(_ catalogue: Catalog, site: String? = nil) {
    base = site.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
    let shown = Dictionary(grouping: catalogue.products, by: \.id).values.compactMap(catalogue.shown)
    maps = shown.compactMap(WebMap.map).sorted { $0.product.order < $1.product.order }
  }

  private static func map(of product: Product) -> Map? {
    guard let archive = product.files.first(where: { $0.role == .pmtiles }), product.minZoom != nil,
      product.maxZoom != nil, let path = path(of: product.id)
    else { return nil }
    return (product, archive, path)
  }

  /// The style and the TileJSON files, with their paths.
  var files: [(name: String, data: Data)] {
    get throws {
      try [(WebMap.stylePath, CanonicalJSON.pretty(style()))]
        + maps.map { ($0.path, try CanonicalJSON.pretty(tileJSON($0))) }
    }
  }

  /// The paths of the TileJSON files.
  var paths: Set<String> { Set(maps.map(\.path)) }

  /// `charts/vfr-sectional/United_States.json`; nil for an id that is no name of a file.
  static func path(of id: String) -> String? {
    let parts = id.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy(\.isPlainName) ? "\(folder)\(id).json" : nil
  }

  /// Whether a key can be the TileJSON of a product.
  static func isPath(_ key: String) -> Bool {
    guard key.hasPrefix(folder), key.hasSuffix(".json") else { return false }
    return path(of: String(key.dropFirst(folder.count).dropLast(".json".count))) == key
  }

  private func tiles(_ archive: Product.File) -> String { "pmtiles://\(base)\(archive.path)/{z}/{x}/{y}" }

  private func tileJSON(_ map: Map) -> TileJSON {
    let product = map.product
    return TileJSON(
      name: product.name, description: "\(product.id), edition of \(product.edition)",
      version: product.edition.description, tiles: [tiles(map.archive)], minzoom: product.minZoom ?? 0,
      maxzoom: product.maxZoom ?? 0, bounds: product.boundingBox?.corners,
      layers: product.isVector ? product.vectorLayers : nil)
  }

  private func style() throws -> MapLibreStyle {
    let included = Set(maps.flatMap { $0.product.includes ?? [] })
    var style = MapLibreStyle()
    for map in maps {
      let product = map.product
      style.sources[product.id] = .init(
        type: product.isVector ? "vector" : "raster", tiles: [tiles(map.archive)],
        tileSize: product.isVector ? nil : product.tileSize ?? 256, minzoom: product.minZoom ?? 0,
        maxzoom: product.maxZoom ?? 0, bounds: product.boundingBox?.corners)
      guard !product.isVector else { continue }
      // A mosaic has the pixels of its charts.
      style.addRaster(product.id, isVisible: !included.contains(product.id))
    }
    let vector = maps.map(\.product).filter(\.isVector)
    let layers = try VectorTileStyle.layers(
      aviation: vector.first { $0.hasLayer("airports") }?.id,
      obstacles: vector.first { $0.hasLayer("obstacles") }?.id,
      procedures: vector.first { $0.hasLayer("procedures") }?.id, hasGlyphs: false)
    style.layers += try JSONDecoder().decode([JSONValue].self, from: layers)
    return style
  }
}

/// https://github.com/mapbox/tilejson-spec/tree/master/3.0.0
struct TileJSON: Codable, Equatable {
  var tilejson = "3.0.0"
  var name: String
  var description: String
  var version: String
  var scheme = "xyz"
  var attribution = WebMap.attribution
  var tiles: [String]
  var minzoom: Int
  var maxzoom: Int
  /// West, south, east, north.
  var bounds: [Double]?
  /// Of vector tiles, where the specification requires it.
  var layers: [Layer]?

  /// A layer of vector tiles. The catalogue does not know the fields, which the archive lists.
  struct Layer: Codable, Equatable {
    var id: String
    var fields: [String: String] = [:]
  }

  private enum CodingKeys: String, CodingKey {
    case tilejson, name, description, version, scheme, attribution, tiles, minzoom, maxzoom, bounds
    case layers = "vector_layers"
  }
}

/// https://maplibre.org/maplibre-style-spec/
struct MapLibreStyle: Codable, Equatable {
  struct Source: Codable, Equatable {
    /// `raster` or `vector`
    var type: String
    var attribution = WebMap.attribution
    var tiles: [String]
    var tileSize: Int?
    var minzoom: Int
    var maxzoom: Int
    var bounds: [Double]?
  }

  var version = 8
  var name = "Aeronautical charts"
  /// By the product's id.
  var sources: [String: Source] = [:]
  /// From the bottom to the top.
  var layers: [JSONValue] = []

  mutating func addRaster(_ id: String, isVisible: Bool) {
    var layer: [String: JSONValue] = ["id": .string(id), "source": .string(id), "type": .string("raster")]
    if !isVisible { layer["layout"] = .object(["visibility": .string("none")]) }
    layers.append(.object(layer))
  }
}

extension GeoBox {
  fileprivate var corners: [Double] { [west, south, east, north] }
}

extension Product {
  fileprivate var isVector: Bool { format == "vectortiles" }

  /// The layers of vector tiles have the names of their counts.
  fileprivate var vectorLayers: [TileJSON.Layer] {
    let known = [
      "airportNotes", "airports", "airspaces", "airways", "fixes", "navaids", "obstacles", "procedures",
      "runways",
    ]
    return known.filter(hasLayer).map { TileJSON.Layer(id: $0) }
  }

  fileprivate func hasLayer(_ name: String) -> Bool { (build.counts[name] ?? 0) > 0 }

  /// The largest area first, vector tiles last: the order in which they are drawn.
  fileprivate var order: (Int, Double, String) {
    (isVector ? 1 : 0, boundingBox.map { -($0.east - $0.west) * ($0.north - $0.south) } ?? 0, id)
  }
}
