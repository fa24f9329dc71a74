/// What the rules measured of a product on their way, for the report: numbers that are no fault, but that a person wants to see.
public struct ProductFacts: Codable, Equatable, Sendable {
  /// Of a chart, by zoom.
  public var zooms: [Zoom]?
  /// How far the chart's own pixels lie from where an independent way has them.
  public var place: Agreement?
  /// How far the printed graticule and the printed airports lie from where they should.
  public var graticule: Agreement?
  public var airports: Agreement?
  /// What could show where the chart lies, and was not found; nil where nothing is missing.
  public var missing: [MissingEvidence]?
  /// What changed since an earlier cycle.
  public var change: Change?

  public init() {}

  /// Evidence of a chart's place that was looked for in vain. It proves nothing, neither way.
  public struct MissingEvidence: Codable, Equatable, Sendable {
    public enum Source: String, Codable, Sendable {
      /// The saved pieces of the sheet.
      case control
      case graticule
      case airports
    }

    public var source: Source
    public var reason: String

    public init(source: Source, reason: String) {
      (self.source, self.reason) = (source, reason)
    }
  }

  mutating func note(_ source: MissingEvidence.Source, _ reason: String) {
    missing = (missing ?? []) + [MissingEvidence(source: source, reason: reason)]
  }

  public struct Zoom: Codable, Equatable, Sendable {
    public var zoom: Int
    public var tiles: Int
    /// What the neatline predicts: at least, and at most.
    public var fewest: Int
    public var most: Int
    public var bytes: Int

    public init(zoom: Int, tiles: Int, fewest: Int, most: Int, bytes: Int) {
      self.zoom = zoom
      self.tiles = tiles
      self.fewest = fewest
      self.most = most
      self.bytes = bytes
    }
  }

  /// Pixels of the largest zoom.
  public struct Agreement: Codable, Equatable, Sendable {
    public var points: Int
    public var median: Double
    public var worst: Double

    public init(points: Int, median: Double, worst: Double) {
      self.points = points
      self.median = median
      self.worst = worst
    }
  }

  public struct Change: Codable, Equatable, Sendable {
    /// The cycle that it is held against.
    public var cycle: String
    /// Of a chart.
    public var tiles: Tiles?
    /// Of a database or an export: rows before and now, by table.
    public var rows: [String: Count]?
    /// Of a database: how many airports lie more than a mile from where they lay.
    public var movedAirports: Int?

    public init(cycle: String, tiles: Tiles? = nil, rows: [String: Count]? = nil) {
      self.cycle = cycle
      self.tiles = tiles
      self.rows = rows
    }

    public struct Tiles: Codable, Equatable, Sendable {
      public var same: Int
      public var changed: Int
      public var added: Int
      public var removed: Int

      public init(same: Int, changed: Int, added: Int, removed: Int) {
        self.same = same
        self.changed = changed
        self.added = added
        self.removed = removed
      }
    }

    public struct Count: Codable, Equatable, Sendable {
      public var before: Int
      public var now: Int

      public init(before: Int, now: Int) {
        self.before = before
        self.now = now
      }
    }
  }

  /// What another rule measured of the same product.
  mutating func add(_ other: ProductFacts) {
    zooms = zooms ?? other.zooms
    place = place ?? other.place
    graticule = graticule ?? other.graticule
    airports = airports ?? other.airports
    missing = missing.map { $0 + (other.missing ?? []) } ?? other.missing
    change = change ?? other.change
  }
}
