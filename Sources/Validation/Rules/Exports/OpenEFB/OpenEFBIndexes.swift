internal import Aero
internal import SQLiteIO

/// The R-trees and the text index of `openefb.sqlite`, compared with the rows.
struct OpenEFBIndexes: DatabaseRule {
  let name = "openefb-indexes"
  let protects = "The app finds what is near, and what is typed, and nothing else."

  /// The box of each row's place, in SQL.
  private static let boxes = [
    ("airports", "icao", "SELECT rowid, latitude, latitude, longitude, longitude FROM airports"),
    ("navaids", "id", "SELECT rowid, latitude, latitude, longitude, longitude FROM navaids"),
    (
      "airspaces", "name",
      """
      SELECT a.rowid, min(json_extract(p.value, '$[1]')), max(json_extract(p.value, '$[1]')),
        min(json_extract(p.value, '$[0]')), max(json_extract(p.value, '$[0]'))
      FROM airspaces a, json_each(a.geometry, '$.coordinates[0]') p WHERE json_valid(a.geometry) GROUP BY a.rowid
      """
    ),
  ]

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard try OpenEFBColumns.isMet(by: database) else { return [] }
    let trees = try OpenEFBIndexes.boxes.flatMap { table, label, sql in
      try TreeComparison(table: table, label: label, boxes: sql).problems(database)
    }
    let index = TextIndexComparison(
      index: "airports_fts", rows: "airportTexts", columns: ["icao", "faaID", "name", "city", "words"],
      label: "icao")
    let texts = try index.problems(database, as: "airports")
    return (trees + texts).map { error($0.place, $0.text) }
  }
}
