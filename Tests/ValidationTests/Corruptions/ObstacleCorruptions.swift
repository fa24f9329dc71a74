import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

extension CleanBuild {
  static let obstacles = "sample-obstacles/obstacles"

  /// Leaves the obstacle database and its map.
  fileprivate func keepObstacles() throws { try keep { $0 == "sample-obstacles" } }
}

/// Changes of the obstacle database alone, by the rules that catch them.
private func changed(_ changes: RuleChanges, isAlone: Bool = true) -> [Corruption] {
  Corruption.all(changes, isAlone: isAlone) { build, sql in
    try build.keepObstacles()
    for name in ["map.product.json", "obstacles.geojson", "vector.product.json", "vector.pmtiles"] {
      try build.folder.appending(path: "sample-obstacles/\(name)").remove()
    }
    try build.forge(sql, in: CleanBuild.obstacles)
  }
}

private let inObstacles =
  changed(alone) + changed(among, isAlone: false) + [
    Corruption("a tower that is lower on the map", caughtBy: "exports-agree") { build in
      try build.keepObstacles()
      try build.edit(
        "obstacles.geojson", of: "sample-obstacles/map", "\"heightAGL\":285", to: "\"heightAGL\":185")
    }
  ]

/// Errors that no other rule finds.
private let alone: RuleChanges = [
  "database-rtree": ["an obstacle that has no box": "DELETE FROM obstacles_rtree WHERE id = 7"],
  "database-queries": [
    "a query that gives the farthest first":
      "UPDATE queries SET sql = replace(sql, 'ORDER BY n.distance', 'ORDER BY -n.distance')"
  ],
  "database-identity": [
    "another version of the schema": "PRAGMA user_version = 7",
    "the mark of the database of airports": "PRAGMA application_id = \(0x4156_4e31)",
    "a wrong count": "UPDATE metadata SET value = '5' WHERE key = 'counts.obstacles'",
  ],
  "database-schema": ["a table is added": "CREATE TABLE airspaces (a)"],
]

/// Errors that other rules find too.
private let among: RuleChanges = [
  "database-obstacles": [
    "the heights of obstacles are exchanged":
      "UPDATE obstacles SET heightAGL = heightMSL, heightMSL = heightAGL"
  ],
  "database-ranges": [
    "an obstacle at no latitude that there is": "UPDATE obstacles SET latitude = 97.5 WHERE oas = '99-000001'"
  ],
  "audit": ["lighting in the FAA's codes": "UPDATE obstacles SET lighting = 'R' WHERE lighting = 'red'"],
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
  func `catches errors in the obstacles`(corruption: Corruption) throws { try corruption.expectCaught() }
}
