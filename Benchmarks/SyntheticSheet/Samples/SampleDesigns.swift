internal import Core
internal import Pipeline

/// The charts of `samples/`: two sectionals that share an edge, a terminal area chart over it, and a tiny one for tests.
///
/// The neatlines are those of `pipelines/sample-*.json5`; a test compares them.
extension SheetDesign {
  /// 2023-04-20, of which day the NASR rows are too: a day on which charts change.
  public static let sampleCycleDay = "2023-04-20"

  public static let sampleAirspace: [String: SheetFeatures.AirspaceClass] = [
    "SFO": .bravo, "OAK": .charlie, "SJC": .charlie,
  ]

  /// 38°40' and 33°20', the FAA's pair for sheets between 32 and 40 degrees north.
  private static let parallels = (38.0 + 40.0 / 60, 33.0 + 20.0 / 60)
  private static let middleLatitude = 37.0 + 25.0 / 60

  /// Its eastern edge is a cut beyond 122° W, so that it reaches into the next sheet.
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

  /// 300 pixels square, with one crossing of the graticule: for the tests of what is broken.
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
