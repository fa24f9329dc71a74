/// An export of a database, such as the product `nasr/airports` from `nasr/aviation`.
public struct ExportDefinition: Codable, Equatable, Sendable {
  public enum Format: String, Codable, CaseIterable, Sendable {
    /// `airports.db` in the schema of RZFlight.
    case rzflight
    /// Identifiers, names and positions, as SQLite and as JSON: for a logbook.
    case identifiers
    /// Airports, airspaces and obstacles as GeoJSON.
    case geojson
    /// `openefb.sqlite` in the format of OpenEFB.
    case openefb
    /// Vector tiles (MVT) of the map: airports, runways, navaids, airspace, airways, fixes, or obstacles.
    case vectortiles
  }

  public var id: String
  public var format: Format
  public var title: String
  /// Possible file names of OurAirports' data, best first; without the key, the export has only the FAA's airports.
  public var world: [String]?
  /// For `openefb`, possible file names of a raster of the ground's heights, best first; nil for none.
  public var terrain: [String]?
  /// For `rzflight`, the continents to include, such as `EU`; nil for all.
  public var continents: [String]?
  /// For `rzflight`, the identifiers of the airports to include; nil for all.
  public var airports: [String]?
  /// For `vectortiles`, the formats of the archive; nil for PMTiles alone, which a map reads in part.
  public var archives: [TileSettings.Archive]?

  /// Possible file names of each source besides the database.
  var lists: [[String]] { [world, terrain].compactMap(\.self) }

  /// The formats to which a database without airports can be exported.
  static let formatsOfObstacles: Set<Format> = [.geojson, .vectortiles]

}

extension ExportDefinition {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.definition(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    format = try container.decode(Format.self, forKey: .format)
    title = try container.decode(String.self, forKey: .title)
    world = try container.decodeIfPresent([String].self, forKey: .world)
    terrain = try container.decodeIfPresent([String].self, forKey: .terrain)
    continents = try container.decodeIfPresent([String].self, forKey: .continents)
    airports = try container.decodeIfPresent([String].self, forKey: .airports)
    archives = try container.decodeIfPresent([TileSettings.Archive].self, forKey: .archives)
    try checkSelection(container)
    try checkArchives(container)
    guard world == nil || ![.geojson, .openefb, .vectortiles].contains(format) else {
      throw container.fault(.world, "\(format.rawValue) contains only the FAA's data")
    }
    guard terrain == nil || format == .openefb else {
      throw container.fault(.terrain, "only the format openefb accepts it")
    }
  }

  private func checkSelection(_ container: KeyedDecodingContainer<CodingKeys>) throws {
    for (key, values) in [(CodingKeys.continents, continents), (.airports, airports)] {
      guard let values else { continue }
      guard format == .rzflight, !values.isEmpty else {
        throw container.fault(key, values.isEmpty ? "it is empty" : "only the format rzflight accepts it")
      }
    }
    let unknown = (continents ?? []).first { !ExportDefinition.allContinents.contains($0) }
    if let unknown {
      throw container.fault(
        .continents,
        "\"\(unknown)\" is not a continent; valid values: \(ExportDefinition.allContinents.joined(separator: ", "))"
      )
    }
  }

  private func checkArchives(_ container: KeyedDecodingContainer<CodingKeys>) throws {
    guard let archives, archives.isEmpty || format != .vectortiles else { return }
    throw container.fault(
      .archives, archives.isEmpty ? "it is empty" : "only the format vectortiles accepts it")
  }

  private static let allContinents = ["AF", "AN", "AS", "EU", "NA", "OC", "SA"]

  private enum CodingKeys: String, DefinitionKey {
    case id, format, title, world, terrain, continents, airports, archives
  }
}
