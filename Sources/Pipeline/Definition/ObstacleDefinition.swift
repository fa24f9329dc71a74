public import Core

/// How the obstacle database is made of the FAA's Digital Obstacle File, and what else is made of the database.
public struct ObstacleDefinition: Codable, Equatable, Sendable {
  public var name: String
  public var title: String
  public var cadence: Cadence
  /// `obstacles`; the product is `obstacles/obstacles`, the file `obstacles.sqlite`.
  public var id: String
  /// File names under which the Digital Obstacle File may lie, best first: a zip, `DOF.CSV` or `DOF.DAT`. The words in braces are
  /// those of `NASRDefinition.sources`.
  public var sources: [String]
  /// Where to download these files, by their names above.
  public var urls: [String: SourceAddress]?
  public var gates: DatabaseGates
  /// What the columns of a good cycle look like: the name of a file beside the definition.
  public var columns: ColumnReference?
  /// What else is made of the database.
  public var exports: [ExportDefinition]?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case name, title, cadence, id, sources, urls, gates, columns, exports
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: CodingKeys.self, [PipelineDefinition.kindKey])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    title = try container.decode(String.self, forKey: .title)
    cadence = try container.decode(Cadence.self, forKey: .cadence)
    id = try container.decode(String.self, forKey: .id)
    sources = try container.decode([String].self, forKey: .sources)
    urls = try container.decodeIfPresent([String: SourceAddress].self, forKey: .urls)
    gates = try container.decode(DatabaseGates.self, forKey: .gates)
    columns = try container.decodeIfPresent(ColumnReference.self, forKey: .columns)
    exports = try container.decodeIfPresent([ExportDefinition].self, forKey: .exports)
    guard (exports ?? []).allSatisfy({ $0.format == .geojson }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .exports, in: container, debugDescription: "obstacles are exported as geojson only")
    }
  }

  public var origin: DatabaseOrigin {
    DatabaseOrigin(id: id, cadence: cadence, lists: [sources], urls: urls ?? [:])
  }
}
