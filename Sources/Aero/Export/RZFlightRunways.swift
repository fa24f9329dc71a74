internal import Core
internal import SQLiteIO

/// A runway with its ends, the one with the lower number first.
///
/// Helipads are left out, since their surface would make a turf runway beside them look hard. A length or width of 0 becomes NULL, and a
/// heading that contradicts the name of the end is replaced. The problem report lists both.
struct RZFlightRunway {
  /// The table or file of its row, for problems.
  let source: String
  let airport: String
  fileprivate(set) var length: Double?
  fileprivate(set) var width: Double?
  let surface: String
  /// Nil where the FAA's code is unknown.
  let isLighted: Bool?
  let isClosed: Bool
  fileprivate(set) var low: RunwayDirection.End
  fileprivate(set) var high: RunwayDirection.End
  let variation: Double?

  /// Makes the end with the lower number the low one.
  fileprivate mutating func order() {
    guard let one = RunwayDirection.number(of: low.ident), let two = RunwayDirection.number(of: high.ident),
      two < one
    else { return }
    swap(&low, &high)
  }

  var isHelipad: Bool { high.ident.isEmpty && RunwayDirection.isHelipad(low.ident) }
}

extension RZFlightRunway {
  static func rows(
    _ schema: RZFlightSchema, _ source: ExportSource, _ airports: RZFlightAirports
  ) -> ExportTable {
    schema.runways.rows(where: RZFlightSchema.isOwn("airport_icao")) { add in
      let variations = Dictionary(first: airports.faa.map { ($0.icao, $0.variation) })
      try source.database.prepare("SELECT * FROM runways ORDER BY airport, id").forEachNamed { row in
        guard let variation = variations[row.text("airport") ?? ""] else { return }
        let runway = RZFlightRunway(
          source: "runways", airport: row.text("airport") ?? "", length: row.real("length"),
          width: row.real("width"), surface: SurfaceNames.sealed(row.text("surface") ?? ""),
          isLighted: row.text("lighting").map { $0 != "none" }, isClosed: false, low: .init(row, "baseEnd"),
          high: .init(row, "reciprocalEnd"), variation: variation)
        if !runway.isHelipad { try add(runway.checked(source.problems)) }
      }
      guard let world = source.world else { return }
      source.count(0, of: "surfacesUnknown")
      try world.forEach { (runway: WorldRunway) in
        guard let airport = airports.others[runway.airport] else { return }
        let surface = SurfaceNames.plain(runway.surface)
        if surface == nil { source.count(of: "surfacesUnknown") }
        let made = RZFlightRunway(
          source: "runways.csv", airport: airport.identity, length: runway.length, width: runway.width,
          surface: surface ?? "", isLighted: runway.isLighted, isClosed: runway.isClosed, low: runway.low,
          high: runway.high, variation: MagneticField.declination(at: airport.position))
        if !made.isHelipad { try add(made.checked(source.problems)) }
      }
    }
  }

  /// Returns the runway with its ends in order, without a length or width of 0, and with headings that match the names. Records these
  /// and wrong headings.
  private func checked(_ problems: ProblemLog) -> RZFlightRunway {
    var runway = self
    runway.order()
    let name = "\(runway.airport) \(runway.low.ident)/\(runway.high.ident)"
    func drop(_ column: String, _ value: Double?, _ reason: String) {
      problems.record(
        .fieldDropped, file: runway.source, part: name, line: 0, column: column,
        value: value.map { "\($0)" } ?? "", reason: reason)
    }
    for (name, size) in [("length", \RZFlightRunway.length), ("width", \.width)]
    where runway[keyPath: size] == 0 {
      drop(name + "_ft", 0, "no runway has a \(name) of 0 feet")
      runway[keyPath: size] = nil
    }
    for (column, end) in [("le_heading_degT", runway.low), ("he_heading_degT", runway.high)]
    where RunwayDirection.contradicts(end, runway.variation) {
      drop(column, end.heading, "it is more than 30 degrees from the number of the runway")
    }
    let headings = RunwayDirection.headings(runway.low, runway.high, variation: runway.variation)
    (runway.low.heading, runway.high.heading) = (headings.low, headings.high)
    return runway
  }
}
