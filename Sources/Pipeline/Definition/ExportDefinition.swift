/// An export of a database, such as the product `nasr/airports` from `nasr/aviation`.
public struct ExportDefinition: DefinitionObject, Codable, Equatable, Sendable {
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
    /// The obstacles from a height on, in the form of `obstacles.sqlite`.
    case obstacles
  }

  public var id: String
  public var format: Format
  public var title: String
  /// Possible file names of OurAirports' data, best first; without the key, the export has only the FAA's airports.
  public var world: [String]?
  /// For `openefb`, possible file names of a raster of the ground's heights, best first; nil for none.
  public var terrain: [String]?
  /// For `rzflight`, sources of procedures, texts of AIPs and border crossing points. Rows of an earlier one count before those of a
  /// later one.
  public var supplements: [Supplement]?
  /// For `rzflight`, the continents to include, such as `EU`; nil for all.
  public var continents: [String]?
  /// For `rzflight`, the identifiers of the airports to include; nil for all.
  public var airports: [String]?
  /// For `obstacles`, the least height in feet above ground. Obstacles of unknown height are included.
  public var minimumHeight: Int?
  /// For `vectortiles`, the formats of the archive; nil for PMTiles alone, which a map reads in part.
  public var archives: [TileSettings.Archive]?

  /// Possible file names of each source besides the database.
  public var lists: [[String]] {
    [world, terrain].compactMap(\.self) + (supplements ?? []).compactMap(\.files)
  }

  /// The formats to which a database without airports can be exported.
  static let formatsOfObstacles: Set<Format> = [.geojson, .vectortiles, .obstacles]

  /// A source of rows that neither the FAA nor OurAirports has.
  public struct Supplement: DefinitionObject, Codable, Equatable, Sendable {
    /// The value of the column `source` in its rows: `euro_aip`
    public var name: String
    /// Who publishes it, of which date.
    public var source: String
    public var licence: String
    /// Possible file names, best first: a database in RZFlight's schema, or a zip or folder with tables of it as CSV.
    public var files: [String]?
    /// In place of `files`, a CSV beside the definition, whose name is that of the table: `border_crossing_points.csv`
    public var table: AdjacentFile<String>?

    enum CodingKeys: String, DefinitionKey {
      case name, source, licence, files, table
    }
  }
}

extension ExportDefinition {
  enum CodingKeys: String, DefinitionKey {
    case id, format, title, world, terrain, supplements, continents, airports, minimumHeight, archives
  }

  func check(_ container: KeyedDecodingContainer<CodingKeys>) throws {
    try checkSelection(container)
    try checkSupplements(container)
    guard world == nil || ![.geojson, .openefb, .vectortiles].contains(format) else {
      throw container.fault(.world, "\(format.rawValue) contains only the FAA's data")
    }
    guard (minimumHeight == nil) == (format != .obstacles), (minimumHeight ?? 0) >= 0 else {
      throw container.fault(.minimumHeight, "the format obstacles needs it in feet, and no other accepts it")
    }
  }

  private func checkSelection(_ container: KeyedDecodingContainer<CodingKeys>) throws {
    let lists = [
      (CodingKeys.continents, continents?.isEmpty, Format.rzflight),
      (.airports, airports?.isEmpty, .rzflight),
      (.supplements, supplements?.isEmpty, .rzflight), (.terrain, terrain?.isEmpty, .openefb),
      (.archives, archives?.isEmpty, .vectortiles),
    ]
    for case (let key, let isEmpty?, let only) in lists where isEmpty || format != only {
      throw container.fault(key, isEmpty ? "it is empty" : "only the format \(only.rawValue) accepts it")
    }
    let unknown = (continents ?? []).first { !ExportDefinition.allContinents.contains($0) }
    if let unknown {
      throw container.fault(
        .continents,
        "\"\(unknown)\" is not a continent; valid values: \(ExportDefinition.allContinents.joined(separator: ", "))"
      )
    }
  }

  /// Each supplement needs all its texts, and a name that no other source has.
  private func checkSupplements(_ container: KeyedDecodingContainer<CodingKeys>) throws {
    var taken: Set = ["", "faa_nasr", "ourairports"]
    for supplement in supplements ?? [] {
      guard taken.insert(supplement.name).inserted else {
        throw container.fault(
          .supplements, "the name \"\(supplement.name)\" is empty, or another source has it")
      }
      if supplement.source.isEmpty || supplement.licence.isEmpty
        || (supplement.files ?? []).isEmpty == (supplement.table == nil)
      {
        throw container.fault(
          .supplements, "\(supplement.name) needs a source, a licence, and either files or a table")
      }
    }
  }

  private static let allContinents = ["AF", "AN", "AS", "EU", "NA", "OC", "SA"]
}
