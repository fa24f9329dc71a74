public import Core
public import Foundation

/// The description of a product that an app can download. It is stored as JSON beside the built file
/// (`San_Francisco.product.json`), in the cycle's manifest and in the catalogue.
public struct Product: Codable, Equatable, Sendable {
  public typealias Kind = ProductKind
  public typealias Role = FileRole
  public typealias File = ProductFile

  /// `vfr-sectional/San_Francisco`
  public var id: String
  public var kind: Kind
  public var name: String
  /// The AIRAC cycle of the build: `2612`.
  public var cycle: AiracCycle
  /// The issue of the source: the effective day of the chart's edition or of the NASR subscription, or the time of a snapshot.
  public var edition: IssueDate
  public var effectiveDate: Instant
  public var expirationDate: Instant
  /// When the publisher last confirmed a snapshot at its source; nil for other products.
  public var fetched: Instant?
  /// Never wraps: from -180 to 180 for a product that crosses 180 degrees.
  public var boundingBox: GeoBox?
  /// The true extent of a product that crosses 180 degrees, as the box that ends there and the box that begins there; nil for
  /// other products.
  public var boundingBoxes: [GeoBox]?
  public var minZoom: Int?
  public var maxZoom: Int?
  public var format: String
  /// The side of its tiles in pixels; nil for 256, and for products without tiles.
  public var tileSize: Int?
  /// The standard product of a variant, such as the same chart as WebP; nil for a standard product.
  public var variantOf: String?
  public var files: [File]
  public var sources: [Source]
  public var build: Build
  /// Of charts.
  public var cut: Cut?
  /// Of charts; a mosaic has none of its own.
  public var control: Control?
  /// The comparison of the files beside a chart's image with its georeference; nil for a mosaic.
  public var placement: [Placement]?
  /// Of charts; a mosaic has none of its own.
  public var reference: Reference?
  /// The family of a chart; nil if the definition does not declare the area of the family.
  public var family: Family?
  /// The ids of the other charts whose pixels its tiles contain: the neighbours that completed its edge tiles, or the charts of
  /// a mosaic. Nil for a product from a single source.
  public var includes: [String]?
  /// The comparison of a database with its sources, value by value; nil if there was none.
  public var audit: Audit?
  /// `San_Francisco_TAC`: the id of the product as a region, unique over all families; nil if it is not a region.
  public var region: String?

  /// Whether it is a database or made of one.
  public var isOfDatabase: Bool { [.database, .export].contains(kind) }

  /// Whether it is a database of coded procedures.
  public var hasProcedures: Bool { kind == .database && build.counts["legs"] != nil }
  /// Whether it is a database of airports. The obstacle database has none, and that of procedures only what these need.
  public var hasAirports: Bool { kind == .database && build.counts["airports"] != nil && !hasProcedures }

  /// The archive with its tiles; nil if it is not a chart or mosaic. A product with both formats has the same tiles in both.
  public var archive: File? {
    files.first { $0.role == .tiles } ?? files.first { $0.role == .pmtiles }
  }

  /// What an app downloads of a chart; 0 without an archive.
  public var archiveBytes: Int { archive?.bytes ?? 0 }

  /// Whether its tiles are those of other charts, which a chart with completed edges has beside its own.
  public var isMosaic: Bool { kind == .chart && cut == nil && includes != nil }

  /// All files of the product in a site, with compressed files.
  public var allFiles: [File] {
    files
      + files.compactMap(\.gzip).map {
        File(
          path: $0.path, sha256: $0.sha256, bytes: $0.bytes, mediaType: "application/gzip", role: .gzip)
      }
  }

  public struct Source: Codable, Equatable, Sendable {
    public var url: String
    public var sha256: SHA256Hex
    public var bytes: Int
    /// The dates that the source states; nil if it states none.
    public var dates: [StatedDate]?
    /// The day on which the image in the zip was written, if the source states no dates.
    public var written: String?
  }

  /// Dates in a source, as the build read them.
  public struct StatedDate: Codable, Equatable, Hashable, Sendable {
    /// `Sample West SEC.htm`, `README.txt`, `ARB_BASE.csv`
    public var place: String
    public var from: String
    /// The last day, included; nil if the source states only the first.
    public var until: String?

    private enum CodingKeys: String, CodingKey {
      case place = "in"
      case from
      case until
    }

    public init(in place: String, from: String, until: String? = nil) {
      (self.place, self.from, self.until) = (place, from, until)
    }
  }

  /// The family of a chart, which shows gaps between its charts.
  public struct Family: Codable, Equatable, Sendable {
    /// The number of charts in the definition.
    public var charts: Int
    /// The area that they cover together: boxes of west, south, east and north.
    public var covers: [[Double]]
  }

  /// Shares of a table's rows or of a zoom's tiles: a larger loss than `warn` is a warning, from `stop` on an error.
  public struct RowLoss: Codable, Equatable, Sendable {
    public var warn: Double = 0.06
    public var stop: Double = 0.32
    var isSound: Bool { 0 <= warn && warn <= stop && stop <= 1 }
  }

  /// The versions and inputs of the build that can change a byte.
  public struct Build: Codable, Equatable, Sendable {
    public var tool: String
    public var version: String
    public var libraries: [String: String]
    /// Nil in a catalogue.
    public var definitionSha256: SHA256Hex?
    /// Numbers of tiles, rows and problems.
    public var counts: [String: Int]
    /// The share of rows that a table may have lost since the last cycle.
    public var rowLoss: RowLoss?
    /// The share of tiles that a zoom may have lost since the last cycle.
    public var tileLoss: RowLoss?
    /// Of a chart: the most millions of bytes of the archive of a `chart`, and of those of its `family`.
    public var maxMegabytes: [String: Int]?
  }
}

extension Product {
  /// The comparison of a database with the files that it was made from.
  public struct Audit: Codable, Equatable, Sendable {
    /// The database that was compared.
    public var sha256: SHA256Hex
    /// How many values were compared, and how many rows differ.
    public var values: Int
    public var differ: Int
    /// How many columns and tables were not compared.
    public var unaudited: Int

    /// `4,042,685 values, 0 differ`
    public var found: String { "\(Counts.grouped(values)) values, \(Counts.grouped(differ)) differ" }

    /// `audited: 4,042,685 values, 0 differ`
    public var text: String { "audited: \(found)" }
  }
}

extension Product {
  /// Reference patches of the sheet from before the warp, and the georeference of the sheet. With them, validation can check
  /// the position of the tiles independently of the warper.
  public struct Control: Codable, Equatable, Sendable {
    /// Nil for a sheet in another projection than the FAA's; it has no patches.
    public var projection: Projection?
    /// Metres from pixels: x is [0] + column * [1] + row * [2], and y is [3] + column * [4] + row * [5].
    public var placing: [Double]
    /// The side of a patch in pixels of the sheet.
    public var side: Int
    /// The patches in the order of the file, from left to right.
    public var points: [Point]
    /// The patches that follow in the file, one for each colour of the sheet where it is printed most solidly. Nil in products
    /// of versions without them.
    public var inkPoints: [Point]?
    /// The inks of a sheet whose palette was chosen, such as `#9E2068`. All other colours are mixes of them, whose tiles are not
    /// compared. Nil for a sheet with its own palette.
    public var inks: [String]?
    /// The point symbols on the chart whose places are compared with those of the database; nil for airports.
    public var symbols: [Symbol]?
  }

  /// The point symbols on a chart whose places are compared with those of the database.
  public var symbols: [Symbol] { control?.symbols ?? [.airports] }

  /// Whether it has symbols of an enroute chart.
  public var isEnroute: Bool { symbols != [.airports] }

  /// What a chart prints at a place that the database knows.
  public enum Symbol: String, Codable, Sendable, CaseIterable {
    case airports
    case navaids
    case fixes
  }
}

extension [Product.Symbol] {
  /// `navaids and fixes`
  public var names: String { map(\.rawValue).joined(separator: " and ") }
}

extension Product.Control {
  /// Lambert's conformal conic projection with two standard parallels, on NAD83.
  public struct Projection: Codable, Equatable, Sendable {
    public var standardParallels: [Double]
    public var origin: GeoPoint
    public var falseEasting: Double
    public var falseNorthing: Double
  }

  /// The upper left pixel of a patch on the sheet.
  public struct Point: Codable, Equatable, Sendable {
    public var column: Int
    public var row: Int
  }
}

extension Product {
  /// The comparison of a file beside the image with the image's georeference. A disagreement stops the build, so a product
  /// contains only agreements and missing evidence.
  public struct Placement: Codable, Equatable, Sendable {
    public enum Source: String, Codable, Sendable {
      /// The bounding coordinates in the `.htm`.
      case htmBounds = "htm-bounds"
      /// The projection in the `.htm`.
      case htmProjection = "htm-projection"
      /// The row and column counts and the pixel size in the `.htm`.
      case htmSize = "htm-size"
      /// The world file.
      case tfw
    }

    public enum Outcome: String, Codable, Sendable {
      case agrees
      /// The file or the fields are missing.
      case missing
    }

    public var source: Source
    public var outcome: Outcome
    /// The largest distance between the two placements, in pixels of the sheet; nil if the evidence is missing.
    public var pixels: Double?
  }
}

extension Product {
  /// Reads the description beside the files of a build, such as `Seattle.product.json`.
  public init(describedBy file: URL) throws {
    self = try JSONDecoder().decode(Product.self, from: Data(contentsOf: file))
  }
}
