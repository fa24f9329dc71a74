internal import Pipeline
internal import SQLiteIO

/// Airports that are there twice. Of the 19,958 of 2023-04-20 no two lie at the same place.
struct DatabaseDoubles: DatabaseRule {
  let name = "database-doubles"
  let protects = "No airport is listed twice, once with old data."

  /// The FAA may list a closed field beside its successor.
  private static let most = 3

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let doubles = try database.connection.texts(
      """
      SELECT group_concat(icao, ' and ') FROM (SELECT icao, name, type, latitude, longitude FROM airports ORDER BY icao)
      GROUP BY latitude, longitude, name, type HAVING count(*) > 1 ORDER BY 1
      """)
    let isWrong = doubles.count > Self.most
    return doubles.map { icaos in
      let message = "they have the same name and place, so one airport is there twice"
      return isWrong
        ? error("\(database.place) airports \(icaos)", message)
        : warning("\(database.place) airports \(icaos)", message)
    }
  }
}
