internal import Core
internal import Pipeline
internal import SQLiteIO

/// The heights of obstacles against each other.
struct DatabaseObstacles: DatabaseRule {
  let name = "database-obstacles"
  let protects = "A tower is as high on the map as it is, and the top of no tower is taken for its height."

  /// Feet: Death Valley lies at -282.
  private static let lowestGround = -300
  private static let sunkenShare = 0.02
  private static let fewest = 3

  /// Obstacles whose foot would be far below the sea: their two heights are exchanged, or in different units.
  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let (all, sunken) =
      try database.connection.prepare(
        "SELECT count(*), coalesce(sum(heightMSL - heightAGL < \(Self.lowestGround)), 0) FROM obstacles"
      ).map { ($0.int(0), $0.int(1)) }.first ?? (0, 0)
    guard sunken >= Self.fewest, Double(sunken) > Self.sunkenShare * Double(all) else { return [] }
    return [
      error(
        "\(database.place) obstacles",
        "\(Counts.grouped(sunken)) of \(Counts.grouped(all)) are on ground more than 300 feet below the sea, by "
          + "heightMSL minus heightAGL: the heights are exchanged, or in other units")
    ]
  }
}
