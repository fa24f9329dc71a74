import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

extension CleanBuild {
  static let obstacles = "sample-obstacles/obstacles"

  /// Leaves the obstacle database and its map.
  fileprivate func keepObstacles() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name != "sample-obstacles" {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }
}

/// A change of the obstacle database alone.
private func changed(
  _ name: String, caughtBy rule: String, isAlone: Bool = true, _ sql: String
) -> Corruption {
  Corruption(name, caughtBy: rule, isAlone: isAlone) { build in
    try build.keepObstacles()
    for name in ["map.product.json", "obstacles.geojson", "vector.product.json", "vector.pmtiles"] {
      try FileManager.default.removeItem(at: build.folder.appending(path: "sample-obstacles/\(name)"))
    }
    try build.forge(sql, in: CleanBuild.obstacles)
  }
}

private let inObstacles: [Corruption] = [
  changed(
    "the heights of obstacles are exchanged", caughtBy: "database-obstacles", isAlone: false,
    "UPDATE obstacles SET heightAGL = heightMSL, heightMSL = heightAGL"),
  changed(
    "an obstacle at no latitude that there is", caughtBy: "database-ranges", isAlone: false,
    "UPDATE obstacles SET latitude = 97.5 WHERE oas = '99-000001'"),
  changed(
    "an obstacle that has no box", caughtBy: "database-rtree", "DELETE FROM obstacles_rtree WHERE id = 7"),
  changed(
    "lighting in the FAA's codes", caughtBy: "audit", isAlone: false,
    "UPDATE obstacles SET lighting = 'R' WHERE lighting = 'red'"),
  changed(
    "a query that gives the farthest first", caughtBy: "database-queries",
    "UPDATE queries SET sql = replace(sql, 'ORDER BY n.distance', 'ORDER BY -n.distance')"),
  changed("another version of the schema", caughtBy: "database-identity", "PRAGMA user_version = 7"),
  changed(
    "the mark of the database of airports", caughtBy: "database-identity",
    "PRAGMA application_id = \(0x4156_4e31)"),
  changed(
    "a wrong count", caughtBy: "database-identity",
    "UPDATE metadata SET value = '5' WHERE key = 'counts.obstacles'"),
  changed("a table is added", caughtBy: "database-schema", "CREATE TABLE airspaces (a)"),
  Corruption("a tower that is lower on the map", caughtBy: "exports-agree") { build in
    try build.keepObstacles()
    try build.edit(
      "obstacles.geojson", of: "sample-obstacles/map", "\"heightAGL\":285", to: "\"heightAGL\":185")
  },
]

@Suite(.slow) struct ObstacleCorruptionTests {
  /// The state of a site that an earlier version staged.
  @Test func `accepts obstacles that moved out of the aviation database`() throws {
    let build = try CleanBuild()
    try build.keepDatabaseAlone()
    try build.hold { $0.build.counts["obstacles"] = 600_000 }
    #expect(try build.findings() == [])
    try build.hold { $0.build.counts["fixes"] = 600_000 }
    #expect(try build.findings().map(\.rule).contains("database-rows"))
  }

  @Test func `reports obstacles that the last cycle had`() throws {
    let build = try CleanBuild()
    try build.keepObstacles()
    try build.hold(against: CleanBuild.obstacles) { $0.build.counts["obstacles"] = 600_000 }
    #expect(try build.findings().map(\.rule) == ["database-rows"])
  }

  @Test(arguments: inObstacles)
  func `catches errors in the obstacles`(corruption: Corruption) throws {
    try corruption.expectCaught()
  }
}
