public import Core
public import Pipeline

/// One synthetic chart, wholly described: what it is called, where it lies, how large it is and what stands on it.
///
/// It is real in form and made up in content, but for the airports and navaids, which lie where their rows say.
public struct SheetDesign: Sendable {
  /// `Sample West`: the chart's name without its suffix.
  public var name: String
  public var series: Series
  public var projection: LambertConformal
  public var metresPerPixel: Double
  public var width: Int
  public var height: Int
  /// The projected metres of the image's upper left corner (the corner of the pixel, not its centre).
  public var originX: Double
  public var originY: Double
  /// Where the map ends, as a definition says it to the pipeline.
  public var neatline: NeatlineDefinition
  public var edition: Edition
  public var features: SheetFeatures
  public var scenery = Scenery()
  /// The files' stem, where it is not the name with the series' suffix.
  public var givenStem: String?
  /// Charts of their own that are printed within the map; `neatline` may have a mask for each.
  public var insets: [SheetInset] = []
  /// What is printed over the map and is no inset.
  public var patches: [SheetPatch] = []

  public init(
    name: String, series: Series, projection: LambertConformal, metresPerPixel: Double, width: Int,
    height: Int, originX: Double, originY: Double, neatline: NeatlineDefinition, edition: Edition,
    features: SheetFeatures
  ) {
    self.name = name
    self.series = series
    self.projection = projection
    self.metresPerPixel = metresPerPixel
    self.width = width
    self.height = height
    self.originX = originX
    self.originY = originY
    self.neatline = neatline
    self.edition = edition
    self.features = features
  }

  /// `Sample West SEC`: the stem that the tif, the tfw and the htm share.
  public var fileStem: String { givenStem ?? "\(name) \(series.suffix)" }

  public var title: String {
    "\(name.uppercased()) \(series.title) - SYNTHETIC, NOT FOR NAVIGATION"
  }
}

/// The two series that the samples imitate.
public enum Series: Sendable {
  case sectional
  case terminal

  public var suffix: String { self == .sectional ? "SEC" : "TAC" }
  public var title: String { self == .sectional ? "SECTIONAL" : "TERMINAL AREA CHART" }
  public var scale: Int { self == .sectional ? 500_000 : 250_000 }
}

/// The first and the last day of an edition, both inclusive, as the FAA's metadata gives them.
public struct Edition: Hashable, Sendable {
  public let firstDay: CalendarDay
  public let lastDay: CalendarDay

  /// The edition of the 56 days that begin with a cycle.
  public init(of cycle: AiracCycle) {
    firstDay = cycle.issue(.every56Days).effectiveDay
    lastDay = cycle.expires(.every56Days).day.adding(days: -1)
  }
}

/// What is drawn on the land: real places, and the airspace that is drawn around them.
public struct SheetFeatures: Sendable {
  public enum AirspaceClass: Sendable {
    case bravo
    case charlie
  }

  public var airports: [Airport]
  public var navaids: [Navaid]
  /// Class B and C by airport identifier; every other towered airport gets a class D ring.
  public var airspace: [String: AirspaceClass]

  public init(airports: [Airport], navaids: [Navaid], airspace: [String: AirspaceClass]) {
    self.airports = airports
    self.navaids = navaids
    self.airspace = airspace
  }
}

/// The made-up ground of a sheet.
public struct Scenery: Sendable {
  /// How far away, in degrees, the ground lies that is shown: the coast is laid down near San Francisco alone.
  public var shift = (longitude: 0.0, latitude: 0.0)
  /// Whether relief, culture and type are as dense as on a real sheet, and not as sparse as keeps the samples small.
  public var isDense = false
  /// Whether a pixel shows a kilometre or more, on which nothing but seas, heights and whole degrees can be told apart.
  public var isFromAfar = false
  /// Degrees from one control mark to the next.
  public var markStep = 0.25
  /// Whether a black line is drawn around the map; some real sheets have none along some edges.
  public var hasFrame = true
  /// Whether the print is softened, as on a sheet that was scanned out of focus.
  public var isBlurred = false

  public init() {}
}

/// A chart within the map of another one.
public struct SheetInset: Sendable {
  /// Of its upper left pixel, on the sheet that it is printed on.
  public var column: Int
  public var row: Int
  public var design: SheetDesign
  /// The width of the white band that is printed around it, in pixels; beyond the neatline there is none.
  public var band = 0
  /// Degrees by which it is turned clockwise about its middle.
  public var turn = 0.0

  public init(column: Int, row: Int, design: SheetDesign, band: Int = 0, turn: Double = 0) {
    self.column = column
    self.row = row
    self.design = design
    self.band = band
    self.turn = turn
  }
}

/// An airport as the chart shows it.
public struct Airport: Sendable {
  public struct Runway: Sendable {
    public var id: String
    /// Feet.
    public var length: Int
    public var isPaved: Bool
    /// Both ends where the rows give them.
    public var ends: [GeoPoint]
  }

  public var id: String
  public var name: String
  public var position: GeoPoint
  /// Feet above mean sea level.
  public var elevation: Double
  public var isHeliport: Bool
  public var isPrivate: Bool
  public var isTowered: Bool
  public var hasFuel: Bool
  public var hasLights: Bool
  /// Degrees, east positive.
  public var magneticVariation: Double
  public var runways: [Runway]
  /// Use, then megahertz as text; only what a sectional prints (tower, ATIS, CTAF, UNICOM).
  public var frequencies: [String: String]

  public var longestRunway: Int { runways.map(\.length).max() ?? 0 }
}

/// A radio navigation aid as the chart shows it.
public struct Navaid: Sendable {
  public var id: String
  public var type: String
  public var name: String
  public var position: GeoPoint
  public var frequency: String
  public var channel: String
  public var magneticVariation: Double

  /// Whether pilots fly its radials, so that it gets a compass rose.
  public var hasRadials: Bool { type.hasPrefix("VOR") || type == "TACAN" }
}
