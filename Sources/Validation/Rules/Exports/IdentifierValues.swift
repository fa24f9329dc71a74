internal import SQLiteIO

/// The rows by which a logbook knows places.
struct IdentifierValues: DatabaseRule {
  let name = "identifier-values"
  let protects =
    "A logbook knows the place that a student types in, and measures the flight from where it lies."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard database.tables.contains("airports") else {
      return [error(database.place, "there is no table `airports`")]
    }
    let wrong = try database.connection.texts(
      """
      SELECT ident FROM airports
      WHERE length(ident) = 0 OR length(name) = 0 OR lat NOT BETWEEN -90 AND 90 OR lon NOT BETWEEN -180 AND 180 ORDER BY 1
      """
    ).map { error("\(database.place) airports \($0)", "it has no name, or no position on this earth") }
    let disorder = try database.connection.numbers(
      "SELECT count(*) FROM airports a JOIN airports b ON b.rowid = a.rowid + 1 WHERE b.ident < a.ident")
    let told = disorder == [0] ? [] : [error(database.place, "its rows are not in the order of ident")]
    let count = try database.connection.numbers("SELECT count(*) FROM airports").first ?? 0
    return wrong + told + (count > 0 ? [] : [error(database.place, "there is no airport in it")])
  }
}
