/// What a column of numbers measures, and which numbers are possible. NULL is always allowed: missing values are not invented.
public struct Quantity: Sendable {
  /// Numbers beyond it are wrong. The reader drops them.
  public let possible: ClosedRange<Double>
  /// Numbers beyond it are unusual, but may be true.
  public let usual: ClosedRange<Double>
  /// `feet`; nil for counts, ids and flags.
  public let unit: String?

  init(_ possible: ClosedRange<Double>, usual: ClosedRange<Double>? = nil, _ unit: String? = nil) {
    self.possible = possible
    self.usual = usual ?? possible
    self.unit = unit
  }

  /// `0 to 360 degrees`
  public static func words(_ range: ClosedRange<Double>, _ unit: String?) -> String {
    let bounds = "\(plain(range.lowerBound)) to \(plain(range.upperBound))"
    return unit.map { "\(bounds) \($0)" } ?? bounds
  }

  /// Bounds are whole, or have a digit or two.
  private static func plain(_ bound: Double) -> String {
    bound == bound.rounded() ? "\(Int(bound))" : "\(bound)"
  }
}

/// The quantities of the columns. The usual ranges have a margin around the values of whole cycles of 2023 to 2026.
extension Quantity {
  static let flag = Quantity(0...1)
  static let count = Quantity(0...1_000_000)
  /// The id of a row.
  static let row = Quantity(1...1_000_000_000)

  static let latitude = Quantity(-90...90, "degrees")
  static let longitude = Quantity(-180...180, "degrees")
  static let bearing = Quantity(0...360, "degrees")
  static let variation = Quantity(-180...180, usual: -40...50, "degrees")
  static let slope = Quantity(0...20, usual: 1.5...12, "degrees")

  /// Elevation of the ground.
  static let elevation = Quantity(-1500...30_000, usual: -300...14_500, "feet")
  static let altitude = Quantity(-2000...1_000_000, usual: -300...100_000, "feet")
  static let route = Quantity(0...99_999, usual: 500...60_000, "feet")
  static let length = Quantity(1...99_999, usual: 10...30_000, "feet")
  static let width = Quantity(1...99_999, usual: 4...10_000, "feet")
  static let declared = Quantity(0...99_999, usual: 0...20_000, "feet")
  static let feet = Quantity(0...99_999, "feet")
  static let weight = Quantity(0...10_000_000, usual: 0...2_000_000, "pounds")

  static let miles = Quantity(0...10_000, usual: 0...1000, "nautical miles")
  static let radius = Quantity(0...100, usual: 0...50, "nautical miles")

  /// Any radio, including oceanic HF and military UHF.
  static let radio = Quantity(2...400, "MHz")
  /// Civil aircraft.
  static let voice = Quantity(118...137, "MHz")
}

extension TableSchema {
  /// The quantity of a column of numbers; nil for a column of text.
  public func quantity(of column: Column) -> Quantity? {
    guard column.holdsNumbers else { return nil }
    if column.type.contains("PRIMARY KEY") || column.type.contains("REFERENCES") { return .row }
    return Quantity.own["\(name).\(column.name)"] ?? Quantity.named(column.name)
  }
}

extension TableSchema.Column {
  public var holdsNumbers: Bool { type.hasPrefix("INTEGER") || type.hasPrefix("REAL") }
}

/// Columns of one name have the same quantity in every table, except those in `own`.
extension Quantity {
  fileprivate static let own: [String: Quantity] = [
    "navaids.frequency": Quantity(50...2000, "MHz or kHz"),
    "ils.frequency": Quantity(100...200, usual: 108...112, "MHz"),
    "ilsGlideSlopes.frequency": Quantity(300...350, usual: 328...336, "MHz"),
    "ilsMarkers.frequency": Quantity(100...2000, usual: 190...535, "kHz"),
    "codedRoutes.distance": Quantity(0...10_000, "nautical miles"),
    "airspacePoints.radius": Quantity(0...999, usual: 0...200, "nautical miles"),
    "procedures.legs": .count,
    "pathPoints.glidePathAngle": Quantity(0...12, "degrees"),
    "runways.gradient": Quantity(-90...90, usual: -20...20, "percent"),
    "localizers.frequency": Quantity(100...200, usual: 108...112, "MHz"),
    "militaryRoutePoints.distance": Quantity(0...9999, usual: 0...500, "nautical miles"),
  ]

  fileprivate static func named(_ name: String) -> Quantity? {
    if let quantity = byName[name] { return quantity }
    if name.hasPrefix("is") || name.hasPrefix("has") { return .flag }
    return endings.first { name.hasSuffix($0.ending) }?.quantity
  }

  private static let endings: [(ending: String, quantity: Quantity)] = [
    ("Latitude", .latitude), ("Longitude", .longitude), ("Elevation", .elevation),
    ("TrueHeading", .bearing), ("DisplacedThreshold", Quantity(0...99_999, usual: 0...6000, "feet")),
    ("Weight", .weight), ("Distance", .miles), ("Frequency", .voice),
  ]

  private static let byName = places.merging(measures) { $1 }.merging(altitudes) { $1 }.merging(numbers) {
    $1
  }

  private static let places: [String: Quantity] = [
    "latitude": .latitude, "south": .latitude, "north": .latitude, "longitude": .longitude,
    "west": .longitude, "east": .longitude, "magneticVariation": .variation, "course": .bearing,
    "oppositeCourse": .bearing, "inboundCourse": .bearing, "bearing": .bearing, "radial": .bearing,
    "distance": .miles, "distanceFromCity": .miles, "radius": .radius, "declination": .variation,
    "fromBearing": .bearing, "toBearing": .bearing, "theta": .bearing, "rho": .miles, "arcRadius": .miles,
  ]

  private static let performance = Quantity(0...100, usual: 0...20, "nautical miles")
  private static let metres = Quantity(-10_000...10_000, usual: -500...6000, "metres")

  private static let measures: [String: Quantity] = [
    "length": .length, "longestRunway": .length, "width": .width,
    "takeoffRun": .declared, "takeoffDistance": .declared, "accelerateStop": .declared,
    "landingDistance": .declared, "holdShortDistance": .declared,
    "localizerOffset": .feet, "glideSlopeOffset": .feet, "stopway": .feet,
    "displacedThreshold": Quantity(0...99_999, usual: 0...6000, "feet"),
    "ellipsoidHeight": metres, "alignmentEllipsoidHeight": metres, "alignmentHeight": metres,
    "thresholdHeight": metres, "lengthOffset": Quantity(0...9999, "metres"),
    "courseWidth": Quantity(0...99, usual: 0...12, "degrees"),
    "courseWidthAtThreshold": Quantity(0...999, usual: 0...300, "metres"),
    "pathCrossingHeight": Quantity(0...99_999, usual: 0...300, "feet or metres"),
    "horizontalAlertLimit": Quantity(0...100, usual: 0...60, "metres"),
    "verticalAlertLimit": Quantity(0...100, usual: 0...60, "metres"),
    "verticalAngle": Quantity(-10...10, usual: -9...0, "degrees"), "speedLimit": Quantity(0...999, "knots"),
    "minutes": Quantity(0...100, usual: 0...10, "minutes"),
    "obstacleHeight": .feet, "obstacleDistance": .feet, "obstacleOffset": .feet,
    "clearanceSlope": Quantity(0...99), "gradient": Quantity(0...90, usual: 0...20, "percent"),
    "glidePathAngle": .slope, "angle": .slope,
    "thresholdCrossingHeight": Quantity(0...999, usual: 0...200, "feet"),
    "horizontalAccuracy": Quantity(0...6076, "feet"), "verticalAccuracy": Quantity(0...1000, "feet"),
    "performance1": performance, "performance2": performance, "performance3": performance,
    "performance4": performance, "requiredPerformance": performance,
    "frequency": .radio, "receives": .radio, "militaryFrequency": .radio,
    "startMinutes": Quantity(-1440...1440, usual: -180...180, "minutes"),
    "endMinutes": Quantity(-1440...1440, usual: -180...180, "minutes"),
    "utcOffset": Quantity(-12...14, "hours"),
  ]

  private static let altitudes: [String: Quantity] = [
    "speedLimitAltitude": .altitude, "transitionAltitude": .altitude, "transitionLevel": .altitude,
    "secondAltitude": .altitude, "elevation": .elevation, "altitude": .altitude, "maxAltitude": .altitude,
    "minAltitude": .altitude,
    "floor": .altitude, "floorFeet": .altitude, "ceiling": .altitude, "ceilingFeet": .altitude,
    "patternAltitude": Quantity(0...20_000, usual: 100...6000, "feet above ground"),
    "heightAGL": Quantity(0...20_000, usual: 0...2500, "feet above ground"),
    "heightMSL": Quantity(-1500...40_000, usual: -300...20_000, "feet"),
    "mea": .route, "meaOpposite": .route, "gpsMEA": .route, "gpsMEAOpposite": .route, "dmeMEA": .route,
    "dmeMEAOpposite": .route, "moca": .route, "mca": .route, "mcaOpposite": .route, "mra": .route,
    "maa": .route,
  ]

  private static let numbers: [String: Quantity] = [
    "vhf": .flag, "receiveOnly": .flag, "verified": .flag,
    "classB": .flag, "classC": .flag, "classD": .flag, "classE": .flag,
    "amendment": .count, "body": .count, "navigation": Quantity(0...9),
    "minSpeed": Quantity(60...400, usual: 90...360, "knots"),
    "maxSpeed": Quantity(60...400, usual: 90...360, "knots"),
    "number": .count, "sequence": .count, "airspace": .row, "sector": .count, "part": .count, "area": .row,
    "quantity": Quantity(0...9999),
  ]
}
