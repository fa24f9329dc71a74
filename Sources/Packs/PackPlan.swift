/// What a pack will hold, known before it is written.
public struct PackPlan: Encodable, Sendable {
  public struct Point: Encodable, Sendable {
    public var name: String
    public var kind: String
    public var latitude: Double
    public var longitude: Double
  }

  public struct Chart: Encodable, Sendable {
    public var id: String
    public var name: String
    public var edition: String?
    public var effective: String?
    public var expires: String?
  }

  public struct Zoom: Encodable, Sendable {
    public var zoom: Int
    public var tiles: Int
    /// Of the tiles; nil where only an estimate of all of them is known.
    public var bytes: Int?
  }

  public var name: String
  /// In the order of the route; empty for a box.
  public var points: [Point]
  public var charts: [Chart]
  public var zooms: [Zoom]
  public var tiles: Int
  /// About how many bytes the pack will have.
  public var bytes: Int
  /// Whether tiles and bytes come from the catalogue, because the archives must be downloaded whole to know them.
  public var isEstimate: Bool
  /// What has to come over the network.
  public var downloadBytes: Int
  /// How many airports lie in the area; nil without a database.
  public var airports: Int?
  /// The parts of the route that no chart shows.
  public var gaps: [String]
  public var notes: [String]
}

/// What was written.
public struct PackOutcome: Sendable {
  public var tiles: Int
  public var distinctTiles: Int
  public var airports: Int?
}
