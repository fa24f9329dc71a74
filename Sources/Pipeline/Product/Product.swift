public import Core
public import CryptoIO

/// One thing that an app can download, with all that is known of it. It stands as JSON beside the built file
/// (`San_Francisco.product.json`), in the cycle's manifest and in the catalogue.
public struct Product: Codable, Equatable, Sendable {
  /// `vfr-sectional/San_Francisco`
  public var id: String
  public var kind: Kind
  public var name: String
  /// The AIRAC cycle that it was built for: `2612`.
  public var cycle: String
  /// The issue of the source: the effective day of the chart's edition or of the NASR subscription.
  public var edition: String
  public var effectiveDate: String
  public var expirationDate: String
  /// Never wraps: from -180 to 180 for what lies across that line.
  public var boundingBox: GeoBox?
  /// The true extent of what lies across 180 degrees, as the box that ends there and the box that begins there; nil for
  /// anything else.
  public var boundingBoxes: [GeoBox]?
  public var minZoom: Int?
  public var maxZoom: Int?
  public var format: String
  /// Pixels a side of its tiles; nil for 256, and for what has no tiles.
  public var tileSize: Int?
  /// The product of which it is another form, such as the same chart as WebP; nil for a standard form.
  public var variantOf: String?
  public var files: [File]
  /// In a site, the shorter ways to the file of tiles for devices that have an earlier one; nil where there is none.
  public var patches: [Patch]?
  public var sources: [Source]
  public var build: Build
  /// Of charts.
  public var cut: Cut?
  /// Of charts; a mosaic has none of its own.
  public var control: Control?
  /// How the files beside a chart's image agree with its georeference; nil for a mosaic.
  public var placement: [Placement]?
  /// Of charts; a mosaic has none of its own.
  public var reference: Reference?
  /// Of a single chart, what it is one of; nil where the definition does not say what its charts cover together.
  public var family: Family?
  /// The ids of the other charts whose pixels its tiles contain: the neighbours of which its edge tiles were completed, or the
  /// charts of a mosaic. Nil for a product that contains its own source alone.
  public var includes: [String]?
  /// `San_Francisco_TAC`: the id of the region that the product is, unique over all families; nil for what is no region.
  public var region: String?

  public enum Kind: String, Codable, Sendable {
    case chart
    case database
    /// Another form of what is in a database; `format` says which.
    case export
  }

  /// Whether it is the database with the airports; that of obstacles has none.
  public var hasAirports: Bool { kind == .database && build.counts["airports"] != nil }

  public struct File: Codable, Equatable, Sendable {
    /// Relative: to the product's JSON in a build folder, to the site's root in a site.
    public var path: String
    public var sha256: SHA256Hex
    public var bytes: Int
    public var mediaType: String
    public var role: String
    /// In a site, the same file compressed; nil where that would save next to nothing, and in a build folder.
    public var gzip: Compressed?

    public init(path: String, sha256: SHA256Hex, bytes: Int, mediaType: String, role: String) {
      self.path = path
      self.sha256 = sha256
      self.bytes = bytes
      self.mediaType = mediaType
      self.role = role
    }
  }

  /// A file as gzip.
  public struct Compressed: Codable, Equatable, Sendable {
    /// As in a file.
    public var path: String
    public var sha256: SHA256Hex
    public var bytes: Int

    public init(path: String, sha256: SHA256Hex, bytes: Int) {
      self.path = path
      self.sha256 = sha256
      self.bytes = bytes
    }
  }

  /// An MBTiles patch that makes the product's file of tiles of an earlier one.
  public struct Patch: Codable, Equatable, Sendable {
    public var fromSha256: SHA256Hex
    /// In which the earlier file was the product's: `2611`.
    public var fromCycle: String
    /// As in a file.
    public var path: String
    public var sha256: SHA256Hex
    public var bytes: Int

    public init(from file: File, of cycle: String, _ patch: File) {
      (fromSha256, fromCycle) = (file.sha256, cycle)
      (path, sha256, bytes) = (patch.path, patch.sha256, patch.bytes)
    }
  }

  /// All files that a site holds for it, with compressed ones and patches.
  public var allFiles: [File] {
    files
      + files.compactMap(\.gzip).map {
        File(
          path: $0.path, sha256: $0.sha256, bytes: $0.bytes, mediaType: "application/gzip", role: "gzip")
      }
      + (patches ?? []).map {
        File(
          path: $0.path, sha256: $0.sha256, bytes: $0.bytes, mediaType: "application/vnd.sqlite3",
          role: "patch")
      }
  }

  public struct Source: Codable, Equatable, Sendable {
    public var url: String
    public var sha256: SHA256Hex
    public var bytes: Int
    /// For which time it says that it is, wherever it does; nil for a source that does not tell.
    public var dates: [StatedDate]?

    public init(url: String, sha256: SHA256Hex, bytes: Int, dates: [StatedDate]? = nil) {
      self.url = url
      self.sha256 = sha256
      self.bytes = bytes
      self.dates = dates
    }
  }

  /// Days that stand in a source, as they were read when the product was made of it.
  public struct StatedDate: Codable, Equatable, Hashable, Sendable {
    /// `Sample West SEC.htm`, `README.txt`, `ARB_BASE.csv`
    public var place: String
    public var from: String
    /// The last day, included; nil where the first one alone is told.
    public var until: String?

    private enum CodingKeys: String, CodingKey {
      case place = "in"
      case from
      case until
    }

    public init(in place: String, from: String, until: String? = nil) {
      self.place = place
      self.from = from
      self.until = until
    }
  }

  /// The charts that belong together, so that what they leave out between them can be told.
  public struct Family: Codable, Equatable, Sendable {
    /// How many there are in the definition.
    public var charts: Int
    /// The ground that they cover together: boxes of west, south, east and north.
    public var covers: [[Double]]

    public init(charts: Int, covers: [[Double]]) {
      self.charts = charts
      self.covers = covers
    }
  }

  /// Shares of a table's rows or of a zoom's tiles, beyond which a loss is told and beyond which the product is not staged.
  public struct RowLoss: Codable, Equatable, Sendable {
    public var warn: Double
    public var stop: Double

    public init(warn: Double = 0.06, stop: Double = 0.32) {
      self.warn = warn
      self.stop = stop
    }
  }

  /// What made it: every version that can change a byte.
  public struct Build: Codable, Equatable, Sendable {
    public var tool: String
    public var version: String
    public var libraries: [String: String]
    public var definitionSha256: SHA256Hex
    /// Counts worth keeping: tiles, rows, problems.
    public var counts: [String: Int]
    /// What share of its rows a table of a database may have lost since the last cycle.
    public var rowLoss: RowLoss?
    /// What share of its tiles a zoom of a chart may have lost since the last cycle.
    public var tileLoss: RowLoss?

    public init(
      tool: String, version: String, libraries: [String: String], definitionSha256: SHA256Hex,
      counts: [String: Int], rowLoss: RowLoss? = nil, tileLoss: RowLoss? = nil
    ) {
      self.rowLoss = rowLoss
      self.tileLoss = tileLoss
      self.tool = tool
      self.version = version
      self.libraries = libraries
      self.definitionSha256 = definitionSha256
      self.counts = counts
    }
  }

  public init(
    id: String, kind: Kind, name: String, cycle: String, edition: String, effectiveDate: String,
    expirationDate: String, boundingBox: GeoBox?, boundingBoxes: [GeoBox]? = nil, minZoom: Int?,
    maxZoom: Int?, format: String, files: [File], sources: [Source], build: Build, cut: Cut? = nil,
    control: Control? = nil, reference: Reference? = nil, family: Family? = nil, region: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.name = name
    self.cycle = cycle
    self.edition = edition
    self.effectiveDate = effectiveDate
    self.expirationDate = expirationDate
    self.boundingBox = boundingBox
    self.boundingBoxes = boundingBoxes
    self.minZoom = minZoom
    self.maxZoom = maxZoom
    self.format = format
    self.files = files
    self.sources = sources
    self.build = build
    self.cut = cut
    self.control = control
    self.reference = reference
    self.family = family
    self.region = region
  }
}

extension Product {
  /// Pieces of the sheet as they were before the warp, and where the sheet lies on the earth. By these anybody can tell,
  /// without the warper's word, whether the tiles show each place where it is.
  public struct Control: Codable, Equatable, Sendable {
    /// Nil for a sheet in any other projection than the FAA's: then there are no pieces.
    public var projection: Projection?
    /// Metres from pixels: x is [0] + column * [1] + row * [2], and y is [3] + column * [4] + row * [5].
    public var placing: [Double]
    /// Pixels of the sheet along each side of a piece.
    public var side: Int
    /// The pieces in the order in which they stand in the file, from left to right.
    public var points: [Point]
    /// Pieces that follow in the file: where each colour of the sheet is printed most solidly. Nil in products of versions that
    /// did not look for them.
    public var inkPoints: [Point]?

    public init(
      projection: Projection?, placing: [Double], side: Int, points: [Point], inkPoints: [Point]? = nil
    ) {
      self.inkPoints = inkPoints
      self.projection = projection
      self.placing = placing
      self.side = side
      self.points = points
    }

    /// The role of the file that has the pieces.
    public static let role = "control"
  }
}

extension Product.Control {
  /// Lambert's conformal conic projection with two standard parallels, on NAD83.
  public struct Projection: Codable, Equatable, Sendable {
    public var standardParallels: [Double]
    public var origin: GeoPoint
    public var falseEasting: Double
    public var falseNorthing: Double

    public init(
      standardParallels: [Double], origin: GeoPoint, falseEasting: Double, falseNorthing: Double
    ) {
      self.standardParallels = standardParallels
      self.origin = origin
      self.falseEasting = falseEasting
      self.falseNorthing = falseNorthing
    }
  }

  /// The upper left pixel of a piece on the sheet.
  public struct Point: Codable, Equatable, Sendable {
    public var column: Int
    public var row: Int

    public init(column: Int, row: Int) {
      self.column = column
      self.row = row
    }
  }
}

extension Product {
  /// What a file beside the image says about where the image lies, compared with the image's own georeference.
  /// A disagreement stops the build, so a product holds only agreements and missing evidence.
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
      /// The file or the fields are not there, so they prove nothing.
      case missing
    }

    public var source: Source
    public var outcome: Outcome
    /// The largest distance between the two placements, in pixels of the sheet; nil if the evidence is missing.
    public var pixels: Double?

    public init(source: Source, outcome: Outcome, pixels: Double? = nil) {
      (self.source, self.outcome, self.pixels) = (source, outcome, pixels)
    }
  }
}
