public import ChartpipeKit
public import Core

/// The complete description of a synthetic chart: its name, position, size and content.
///
/// Its form is real and its content fictional, except for airports and navaids, which have their real positions.
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
  /// The edges of the map, as in the pipeline's definition.
  public var neatline: NeatlineDefinition
  public var edition: Edition
  public var features: SheetFeatures
  public var scenery = Scenery()
  /// The files' stem, if it is not the name with the series' suffix.
  public var givenStem: String?
  /// Charts that are printed within the map. `neatline` may have a mask for each.
  public var insets: [SheetInset] = []
  /// Other content printed over the map.
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

/// The first and the last day of an edition, both inclusive, as in the FAA's metadata.
public struct Edition: Hashable, Sendable {
  public let firstDay: CalendarDay
  public let lastDay: CalendarDay

  /// The edition of 56 days that begins with a cycle.
  public init(of cycle: AiracCycle) {
    firstDay = cycle.edition(.every56Days).effectiveDay
    lastDay = cycle.edition(.every56Days).expires.day.adding(days: -1)
  }
}

/// The content of the land: real places, and the airspace around them.
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

/// The fictional ground of a sheet.
public struct Scenery: Sendable {
  /// The distance in degrees between a sheet's position and the ground it shows. The coast exists near San Francisco only.
  public var shift = (longitude: 0.0, latitude: 0.0)
  /// Whether relief, culture and lettering are as dense as on a real sheet. Samples are sparse to stay small.
  public var isDense = false
  /// Whether a pixel covers a kilometre or more, so that only seas, heights and whole degrees are visible.
  public var isSmallScale = false
  /// The details of a chart of full size, which is too large to be drawn in detail.
  public var texture: SheetTexture?
  /// Degrees from one control mark to the next.
  public var markStep = 0.25
  /// Whether a black line is drawn around the map. Some real sheets have none along some edges.
  public var hasFrame = true
  /// Whether the print is softened, as on a sheet that was scanned out of focus.
  public var isBlurred = false
  /// Whether red and blue are exchanged in the palette.
  public var hasRedForBlue = false

  public init() {}
}

/// A chart inside the map of another chart.
public struct SheetInset: Sendable {
  /// The position of its upper left pixel on the surrounding sheet.
  public var column: Int
  public var row: Int
  public var design: SheetDesign
  /// The width of the white band around it in pixels. There is none beyond the neatline.
  public var band = 0
  /// Degrees of clockwise rotation about its middle.
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
    /// Both ends, if the rows give them.
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
  /// Frequencies by use, in megahertz as text. Only those that a sectional prints (tower, ATIS, CTAF, UNICOM).
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

  /// Whether pilots fly its radials, so that it has a compass rose.
  public var hasRadials: Bool { type.hasPrefix("VOR") || type == "TACAN" }
}
