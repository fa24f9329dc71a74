public import Core

/// Measurements of a product for the report, made by the rules.
public struct ProductFacts: Codable, Equatable, Sendable {
  /// The tile counts of a chart, by zoom.
  public var zooms: [Zoom]?
  /// How far the chart's pixels are from where the reference patches place them.
  public var place: Agreement?
  /// How far the printed graticule and the printed airports are from their true places.
  public var graticule: Agreement?
  public var airports: Agreement?
  /// Evidence that was not found; nil where nothing is missing.
  public var missing: [MissingEvidence]?
  /// The comparison of a database with its sources.
  public var audit: Product.Audit?
  /// The changes since an earlier cycle.
  public var change: Change?

  /// Evidence of a chart's place, or of a database's values, that was not found. Its absence neither confirms nor contradicts them.
  public struct MissingEvidence: Codable, Equatable, Sendable {
    public enum Source: String, Codable, Sendable {
      /// The reference patches of the sheet.
      case control
      case graticule
      case airports
      /// The dates in the source of a chart.
      case dates
      /// The comparison of a database with its sources.
      case audit
    }

    public var source: Source
    public var reason: String
  }

  static func missing(_ source: MissingEvidence.Source, _ reason: String) -> ProductFacts {
    ProductFacts(missing: [MissingEvidence(source: source, reason: reason)])
  }

  public struct Zoom: Codable, Equatable, Sendable {
    public var zoom: Int
    public var tiles: Int
    /// The fewest and the most tiles that the neatline predicts.
    public var fewest: Int
    public var most: Int
    public var bytes: Int
  }

  /// Pixels of the largest zoom.
  public struct Agreement: Codable, Equatable, Sendable {
    public var points: Int
    public var median: Double
    public var worst: Double
    /// The lines of the graticule that were found; nil for other evidence.
    public var lines: [Line]?
    /// Those that cross the chart and were not found.
    public var lost: [Line]?
  }

  /// Meridians give a chart's place from west to east, parallels from north to south.
  public enum Line: String, CaseIterable, Codable, Sendable {
    case meridians
    case parallels
  }

  public struct Change: Codable, Equatable, Sendable {
    /// The earlier cycle.
    public var cycle: AiracCycle
    /// Nil except for a chart.
    public var tiles: Tiles?
    /// The rows of a database or an export before and now, by table.
    public var rows: [String: Count]?
    /// How many airports of a database moved by more than a mile.
    public var movedAirports: Int?

    public struct Tiles: Codable, Equatable, Sendable {
      public var same: Int
      public var changed: Int
      public var added: Int
      public var removed: Int
    }

    public struct Count: Codable, Equatable, Sendable {
      public var before: Int
      public var now: Int
    }
  }

  /// Adds the facts that another rule measured of the same product. Facts already known stay.
  mutating func add(_ other: ProductFacts) {
    zooms = zooms ?? other.zooms
    place = place ?? other.place
    graticule = graticule ?? other.graticule
    airports = airports ?? other.airports
    audit = audit ?? other.audit
    missing = missing.map { $0 + (other.missing ?? []) } ?? other.missing
    guard var own = change else { return change = other.change }
    own.tiles = own.tiles ?? other.change?.tiles
    own.rows = own.rows ?? other.change?.rows
    own.movedAirports = own.movedAirports ?? other.change?.movedAirports
    change = own
  }
}

extension [String: ProductFacts] {
  /// Adds the facts of several products, by id.
  mutating func add(_ other: [String: ProductFacts]) {
    for (product, facts) in other { self[product, default: ProductFacts()].add(facts) }
  }
}
