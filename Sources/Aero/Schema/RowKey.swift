/// A way in which rows of other tables name a row of this table: by the values of some of the FAA's columns.
public struct RowKey: Sendable {
  /// The table of the database. The key refers to the `id` of one of its rows.
  public let table: String
  /// The FAA's columns in the rows of that table. Another table may have them under other names, in the same order.
  public let columns: [String]
  /// A text that is different for each key.
  public let name: String

  init(table: String, columns: [String]) {
    self.table = table
    self.columns = columns
    name = table + " " + columns.joined(separator: " ")
  }
}

extension RowKey {
  static let fix = RowKey(table: "fixes", columns: ["FIX_ID", "ICAO_REGION_CODE"])
  static let navaid = RowKey(table: "navaids", columns: ["NAV_ID", "NAV_TYPE", "CITY", "COUNTRY_CODE"])
  /// All that some tables have of a navaid; a key that fits several navaids names none.
  static let navaidOfType = RowKey(table: "navaids", columns: ["NAV_ID", "NAV_TYPE"])
  static let controlFacility = RowKey(
    table: "controlFacilities", columns: ["SITE_NO", "SITE_TYPE_CODE", "FACILITY_TYPE", "FACILITY_ID"])
  static let flightServiceStation = RowKey(table: "flightServiceStations", columns: ["FSS_ID"])
  static let airway = RowKey(table: "airways", columns: ["AWY_ID", "AWY_LOCATION"])
  static let ils = RowKey(
    table: "ils", columns: ["SITE_NO", "SITE_TYPE_CODE", "RWY_END_ID", "ILS_LOC_ID", "SYSTEM_TYPE_CODE"])
  /// All that holds have of a localizer.
  static let localizer = RowKey(table: "ils", columns: ["ILS_LOC_ID", "SYSTEM_TYPE_CODE"])
  static let parachuteArea = RowKey(table: "parachuteAreas", columns: ["PJA_ID"])
  static let militaryRoute = RowKey(table: "militaryRoutes", columns: ["ROUTE_TYPE_CODE", "ROUTE_ID"])
  static let departure = RowKey(table: "departures", columns: ["DP_NAME", "DP_COMPUTER_CODE"])
  static let departureRoute = RowKey(table: "departureRoutes", columns: departure.columns + routeColumns)
  static let arrival = RowKey(table: "arrivals", columns: ["STAR_COMPUTER_CODE"])
  static let arrivalRoute = RowKey(table: "arrivalRoutes", columns: arrival.columns + routeColumns)
  private static let routeColumns = [
    "ROUTE_PORTION_TYPE", "ROUTE_NAME", "BODY_SEQ", "TRANSITION_COMPUTER_CODE",
  ]
  static let hold = RowKey(table: "holds", columns: ["HP_NAME", "HP_NO"])
  static let preferredRoute = RowKey(
    table: "preferredRoutes", columns: ["ORIGIN_ID", "DSTN_ID", "PFR_TYPE_CODE", "ROUTE_NO"])
  static let miscellaneousArea = RowKey(table: "miscellaneousAreas", columns: ["MAA_ID"])
  static let weatherLocation = RowKey(table: "weatherLocations", columns: ["WEA_ID"])
  static let center = RowKey(table: "centers", columns: ["LOCATION_ID"])
}

/// Rows of another NASR table that become one text in a row of this table, one line each.
public struct Gathering: Sendable {
  /// The FAA's name of the other table.
  public let source: String
  /// The key of the row to which they belong. Both tables have its columns under the same names.
  public let key: RowKey
  /// The column of numbers by which the lines are sorted.
  public let order: String
  /// The columns whose values make a line, separated by blanks.
  public let line: [String]

  /// `MTR_WDTH.WIDTH_TEXT`
  var names: [String] { line.map { "\(source).\($0)" } }
}
