/// Another form of the app database's content: the product `nasr/airports`, made of `nasr/aviation`.
public struct ExportDefinition: Codable, Equatable, Sendable {
  public enum Format: String, Codable, CaseIterable, Sendable {
    /// `airports.db` in the schema that RZFlight reads.
    case rzflight
    /// Identifiers, names and positions, as SQLite and as JSON: for a logbook.
    case identifiers
    /// Airports, airspaces and obstacles as GeoJSON.
    case geojson
    /// `openefb.sqlite` in the form that OpenEFB decodes.
    case openefb
  }

  public var id: String
  public var format: Format
  public var title: String
  /// File names under which OurAirports' data may lie, best first; without the key it is the FAA's airports alone.
  public var world: [String]?

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    format = try container.decode(Format.self, forKey: .format)
    title = try container.decode(String.self, forKey: .title)
    world = try container.decodeIfPresent([String].self, forKey: .world)
    guard world == nil || ![.geojson, .openefb].contains(format) else {
      throw DecodingError.dataCorruptedError(
        forKey: .world, in: container, debugDescription: "\(format.rawValue) holds the FAA's data alone")
    }
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case id, format, title, world
  }

  public init(id: String, format: Format, title: String, world: [String]? = nil) {
    self.id = id
    self.format = format
    self.title = title
    self.world = world
  }
}
