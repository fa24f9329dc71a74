/// How rows of other tables name a row of this one: by the values of some of the FAA's columns.
struct RowKey: Sendable {
  /// The table of the database; the row that is meant is told by its `id`.
  let table: String
  /// The FAA's columns in the rows of that table. Another table may have them under other names, in the same order.
  let columns: [String]
}

extension RowKey {
  static let fix = RowKey(table: "fixes", columns: ["FIX_ID", "ICAO_REGION_CODE"])
  static let navaid = RowKey(
    table: "navaids", columns: ["NAV_ID", "NAV_TYPE", "CITY", "COUNTRY_CODE"])
  /// All that some tables say of a navaid; where it fits more than one, none is meant.
  static let navaidOfType = RowKey(table: "navaids", columns: ["NAV_ID", "NAV_TYPE"])
  static let controlFacility = RowKey(
    table: "controlFacilities", columns: ["SITE_NO", "SITE_TYPE_CODE", "FACILITY_TYPE", "FACILITY_ID"])
  static let flightServiceStation = RowKey(table: "flightServiceStations", columns: ["FSS_ID"])
  static let airway = RowKey(table: "airways", columns: ["AWY_ID", "AWY_LOCATION"])
  static let ils = RowKey(
    table: "ils",
    columns: ["SITE_NO", "SITE_TYPE_CODE", "RWY_END_ID", "ILS_LOC_ID", "SYSTEM_TYPE_CODE"])
  static let parachuteArea = RowKey(table: "parachuteAreas", columns: ["PJA_ID"])
  static let militaryRoute = RowKey(table: "militaryRoutes", columns: ["ROUTE_TYPE_CODE", "ROUTE_ID"])
  static let miscellaneousArea = RowKey(table: "miscellaneousAreas", columns: ["MAA_ID"])
  static let weatherLocation = RowKey(table: "weatherLocations", columns: ["WEA_ID"])
}
