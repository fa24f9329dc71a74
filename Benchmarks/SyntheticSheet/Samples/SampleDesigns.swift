internal import ChartpipeKit
internal import Core
internal import Foundation

/// The charts of `samples/`: two sectionals that share an edge, a terminal area chart over them, and a tiny one for tests.
///
/// The neatlines are those of `pipelines/sample-*.json5`; a test compares them.
extension SheetDesign {
  /// 2023-04-20, the day of the NASR rows. Charts change on this day.
  public static let sampleCycleDay = "2023-04-20"

  public static let sampleAirspace: [String: SheetFeatures.AirspaceClass] = [
    "SFO": .bravo, "OAK": .charlie, "SJC": .charlie,
  ]

  /// 38°40' and 33°20', the FAA's pair for sheets between 32 and 40 degrees north.
  private static let parallels = (38.0 + 40.0 / 60, 33.0 + 20.0 / 60)
  private static let middleLatitude = 37.0 + 25.0 / 60

  /// Its eastern edge is a cut beyond 122° W, so that it overlaps the next sheet.
  public static func sampleWest(_ edition: Edition, _ features: SheetFeatures) -> SheetDesign {
    sectional(
      "Sample West", middle: -122.5, edition, features,
      neatline: NeatlineDefinition(outline: [.meridian(-123), .parallel(37), .column(2856), .row(56)]))
  }

  public static func sampleEast(_ edition: Edition, _ features: SheetFeatures) -> SheetDesign {
    sectional(
      "Sample East", middle: -121.5, edition, features,
      neatline: NeatlineDefinition(outline: [.meridian(-122), .parallel(37), .column(2790), .row(56)]))
  }

  public static func sampleBay(_ edition: Edition, _ features: SheetFeatures) -> SheetDesign {
    SheetDesign(
      name: "Sample Bay", series: .terminal,
      projection: LambertConformal(
        standardParallels: parallels, origin: GeoPoint(longitude: -122.15, latitude: 37.5)),
      metresPerPixel: 21.167, width: 3620, height: 2910, originX: -44_600, originY: 29_050,
      neatline: NeatlineDefinition(outline: [
        .meridian(-122.5), .parallel(37.25), .meridian(-121.8), .parallel(37.75),
      ]),
      edition: edition, features: features)
  }

  /// 300 pixels square, with one intersection of the graticule: for tests of broken charts.
  public static func tiny(_ edition: Edition, _ features: SheetFeatures) -> SheetDesign {
    SheetDesign(
      name: "Tiny", series: .sectional,
      projection: LambertConformal(
        standardParallels: parallels, origin: GeoPoint(longitude: -122, latitude: 37.5)),
      metresPerPixel: 42.333, width: 300, height: 300, originX: -6350, originY: 6350,
      neatline: NeatlineDefinition(outline: [.meridian(-122.06), .parallel(37.455), .column(280), .row(16)]),
      edition: edition, features: features)
  }

  private static func sectional(
    _ name: String, middle: Double, _ edition: Edition, _ features: SheetFeatures,
    neatline: NeatlineDefinition
  ) -> SheetDesign {
    SheetDesign(
      name: name, series: .sectional,
      projection: LambertConformal(
        standardParallels: parallels, origin: GeoPoint(longitude: middle, latitude: middleLatitude)),
      metresPerPixel: 42.333, width: 2900, height: 2400, originX: -70_500, originY: 45_000,
      neatline: neatline, edition: edition, features: features)
  }
}

/// Sheets that are hard to cut, each with one property of real sheets. They are not samples: tests and benchmarks draw them.
extension SheetDesign {
  public static func hard(_ edition: Edition) -> [SheetDesign] {
    [
      antimeridian(edition), arctic(edition), southern(edition), tilted(edition), stepped(edition),
      angular(edition), withInsets(edition),
    ]
  }

  /// The projection of the Western Aleutian Islands' eastern sheet, where it crosses 180 degrees.
  public static func antimeridian(_ edition: Edition) -> SheetDesign {
    hard(
      "Hard Antimeridian", edition, band: 48, origin: GeoPoint(longitude: -177.5, latitude: 52 + 10.0 / 60),
      center: GeoPoint(longitude: 179.95, latitude: 51.7),
      [.meridian(179.74), .parallel(51.58), .column(930), .row(40)])
  }

  /// So far north, and so far from its middle, that the meridians lean by five degrees.
  static func arctic(_ edition: Edition) -> SheetDesign {
    hard(
      "Hard Arctic", edition, band: 64, origin: GeoPoint(longitude: -149, latitude: 70),
      center: GeoPoint(longitude: -154.2, latitude: 70.9),
      [.meridian(-154.6), .parallel(70.78), .column(940), .row(44)])
  }

  /// South of the equator the cone is inverted, and parallels bend the other way.
  static func southern(_ edition: Edition) -> SheetDesign {
    hard(
      "Hard Southern", edition, band: -16, origin: GeoPoint(longitude: -171, latitude: -14),
      center: GeoPoint(longitude: -170.7, latitude: -14.3),
      [.meridian(-170.85), .parallel(-14.42), .column(930), .row(40)])
  }

  /// Straight edges that are rotated by some seven degrees, like those of the main Hawaiian sheet.
  static func tilted(_ edition: Edition) -> SheetDesign {
    var design = hard(
      "Hard Tilted", edition, band: 16, origin: GeoPoint(longitude: -157.5, latitude: 21),
      center: GeoPoint(longitude: -157.5, latitude: 21), [])
    let corners = [(120.0, 128.0), (200, 760), (960, 664), (880, 32)].map { x, y in
      design.place(of: PixelPoint(x: x, y: y))
    }
    design.neatline.outline = corners.indices.map { .straight(corners[$0], corners[($0 + 1) % 4]) }
    return design
  }

  /// A coastal sheet whose eastern border has two steps.
  static func stepped(_ edition: Edition) -> SheetDesign {
    hard(
      "Hard Stepped", edition, band: 24, origin: GeoPoint(longitude: -82, latitude: 30.25),
      center: GeoPoint(longitude: -80.2, latitude: 30.2),
      [
        .meridian(-80.37), .parallel(30.08), .column(620), .row(560), .column(800), .row(300), .column(950),
        .row(40),
      ])
  }

  /// An L-shaped map around the legend in its north-western corner.
  static func angular(_ edition: Edition) -> SheetDesign {
    hard(
      "Hard Angular", edition, band: 32,
      origin: GeoPoint(longitude: -118 - 28.0 / 60, latitude: 34 + 10.0 / 60),
      center: GeoPoint(longitude: -119, latitude: 34.2),
      [.meridian(-119.15), .row(700), .column(940), .row(40), .column(560), .row(330)])
  }

  /// Two maps of another scale inside the map, each in a white band.
  static func withInsets(_ edition: Edition) -> SheetDesign {
    var design = hard(
      "Hard Insets", edition, band: 40, origin: GeoPoint(longitude: -89, latitude: 42),
      center: GeoPoint(longitude: -88.5, latitude: 42.1),
      [.meridian(-88.7), .parallel(41.98), .column(940), .row(40)])
    design.add(inset("One", design, width: 230, height: 200, south: 15_000), column: 330, row: 110)
    design.add(inset("Two", design, width: 210, height: 240, south: 22_000), column: 640, row: 380)
    return design
  }

  /// The white band around an inset is not map, so the mask includes it.
  private mutating func add(_ inset: SheetDesign, column: Int, row: Int) {
    let band = 40
    insets.append(SheetInset(column: column, row: row, design: inset))
    neatline.masks.append([
      .column(Double(column - band)), .row(Double(row + inset.height + band)),
      .column(Double(column + inset.width + band)), .row(Double(row - band)),
    ])
  }

  /// An inset at twice the scale, of another place.
  private static func inset(
    _ name: String, _ sheet: SheetDesign, width: Int, height: Int, south: Double
  ) -> SheetDesign {
    var inset = sheet
    inset.name = name
    inset.metresPerPixel /= 2
    (inset.width, inset.height) = (width, height)
    inset.originX += 9000
    inset.originY -= south
    inset.neatline = NeatlineDefinition(
      outline: [.column(2), .row(Double(height - 2)), .column(Double(width - 2)), .row(2)])
    inset.insets = []
    return inset
  }

  /// A sheet of 1000 x 800 pixels around a place, in the band of eight degrees that begins at a latitude. The ground is that of
  /// San Francisco Bay.
  private static func hard(
    _ name: String, _ edition: Edition, band: Double, origin: GeoPoint, center: GeoPoint,
    _ outline: [NeatlineDefinition.Edge]
  ) -> SheetDesign {
    let projection = LambertConformal(
      standardParallels: (band + 20.0 / 3, band + 4.0 / 3), origin: origin)
    let (width, height, metres) = (1000, 800, 42.333)
    let middle = projection.project(center)
    var design = SheetDesign(
      name: name, series: .sectional, projection: projection, metresPerPixel: metres, width: width,
      height: height, originX: (middle.x - Double(width) / 2 * metres).rounded(),
      originY: (middle.y + Double(height) / 2 * metres).rounded(),
      neatline: NeatlineDefinition(outline: outline), edition: edition,
      features: SheetFeatures(airports: [], navaids: [], airspace: [:]))
    let there = design.place(of: PixelPoint(x: Double(width) / 2, y: Double(height) / 2))
    design.scenery.markStep = 0.1
    design.scenery.shift = (-122.2 - there.longitude, 37.6 - there.latitude)
    return design
  }
}

/// Sheets for measurements, as dense as real ones. They are not samples.
extension SheetDesign {
  /// The number of pixels relative to a real sheet.
  public enum Scale: String, CaseIterable, Sendable {
    case quarter
    case half
    case full
    case four

    /// The factor for each side. A factor of four would exceed the pipeline's limit for a chart.
    fileprivate var factor: Double {
      switch self {
      case .quarter: 0.5
      case .half: 0.5.squareRoot()
      case .full: 1
      case .four: 1.97
      }
    }
  }

  /// As large as the FAA's San Francisco sectional, or with its sides shorter or longer.
  public static func fullSize(
    _ scale: Scale = .full, _ edition: Edition, _ features: SheetFeatures
  ) -> SheetDesign {
    let middle = GeoPoint(longitude: -121 - 25.0 / 60, latitude: 38 + 20.0 / 60)
    let factor = scale.factor
    func pixels(_ count: Double) -> Double { (count * factor).rounded() }
    /// Rounds to hundredths of a degree, so that the edges are readable numbers.
    func hundredths(_ degrees: Double) -> Double { (degrees * 100).rounded() / 100 }
    var design = SheetDesign(
      name: "\(scale.rawValue.capitalized) Size", series: .sectional,
      projection: LambertConformal(
        standardParallels: (38.0 + 40.0 / 60, 33.0 + 20.0 / 60), origin: middle),
      metresPerPixel: 42.337, width: Int(pixels(16_658)), height: Int(pixels(12_340)),
      originX: -382_000 * factor, originY: 257_000 * factor,
      neatline: NeatlineDefinition(outline: [
        .meridian(hundredths(middle.longitude - 3.5833 * factor)),
        .parallel(hundredths(middle.latitude - 2.3333 * factor)), .column(pixels(16_600)), .row(pixels(60)),
      ]),
      edition: edition, features: features)
    design.scenery.isDense = true
    return design
  }
}
