import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Airspaces and obstacles, in two files without other rows.
struct AreaComparisonTests {
  let folder = TemporaryFolder()

  private func file(_ name: String, _ sql: String) throws -> URL {
    let connection = try SQLiteConnection(folder.file(name).path, mode: .create)
    try connection.execute(
      """
      CREATE TABLE airspaces (kind TEXT, class TEXT, type TEXT, designator TEXT, name TEXT, sector TEXT, state TEXT,
        floorText TEXT, ceilingText TEXT, geometry TEXT);
      CREATE TABLE obstacles (oas TEXT UNIQUE, country TEXT, state TEXT, type TEXT, heightAGL INTEGER, date TEXT);
      """ + sql)
    try connection.close()
    return folder.file(name)
  }

  private func area(_ name: String, _ floor: String, _ ceiling: String, _ geometry: String) -> String {
    "INSERT INTO airspaces VALUES ('class', 'delta', 'CLASS_D', NULL, '\(name)', NULL, 'CA', '\(floor)', '\(ceiling)', '\(geometry)');"
  }

  private func square(_ side: Double) -> String {
    "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[\(side),0],[\(side),\(side)],[0,\(side)],[0,0]]]}"
  }

  private func airspaces(_ old: String, _ new: String) throws -> [String] {
    let (old, new) = (try file("old", old), try file("new", new))
    return try DatabaseComparison.compare(old, with: new).airspaces.map(\.line)
  }

  @Test func `measures a moved boundary from both sides`() throws {
    let (small, large) = (
      area("A", "SFC", "2500 MSL", square(0.1)), area("A", "SFC", "2500 MSL", square(0.101))
    )
    let lines = try airspaces(small, large)
    #expect(lines == ["A: boundary moved by up to 157 m"])
    let islands =
      "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[0,0],[0.1,0],[0.1,0.1],[0,0.1],[0,0]]],[[[1,1],[1.1,1],[1,1.1],[1,1]]]]}"
    let back = try DatabaseComparison.compare(
      file("many", area("A", "SFC", "2500 MSL", islands)), with: file("one", small))
    #expect(back.airspaces.first?.line.contains("boundary moved by up to 1") == true)
  }

  @Test(arguments: [
    // About five metres, then an invalid shape.
    (0.10004, []), (nil, ["A: boundary changed"]),
  ])
  func `ignores a small displacement and reports an unmeasurable one`(side: Double?, lines: [String]) throws {
    let other = side.map(square) ?? "{\"type\":\"Polygon\",\"coordinates\":[[[0]]]}"
    #expect(
      try airspaces(area("A", "SFC", "2500 MSL", square(0.1)), area("A", "SFC", "2500 MSL", other)) == lines)
  }

  @Test func `distinguishes shelves with the same name`() throws {
    let old = area("F", "SFC", "3200 MSL", square(0.1)) + area("F", "4800 MSL", "10000 MSL", square(0.2))
    let new =
      area("F", "4800 MSL", "10000 MSL", square(0.2)) + area("F", "SFC", "3400 MSL", square(0.1))
      + area("G", "SFC", "700 AGL", square(0.1))
    #expect(try airspaces(old, new) == ["F: ceiling 3200 MSL -> 3400 MSL", "G added: delta, SFC, 700 AGL"])
  }

  @Test func `obstacles are counted by state`() throws {
    let insert = "INSERT INTO obstacles VALUES "
    let old = try file(
      "old",
      insert
        + "('06-1', 'US', 'CA', 'TOWER', 300, '2020-01-01'), ('06-2', 'US', 'CA', 'POLE', 40, NULL), ('06-3', 'US', 'CA', 'POLE', 41, NULL), ('CA-1', 'CA', NULL, 'TOWER', 900, NULL)"
    )
    let new = try file(
      "new",
      insert
        + "('06-1', 'US', 'CA', 'TOWER', 300, '2021-01-01'), ('06-3', 'US', 'CA', 'POLE', 45, NULL), ('32-1', 'US', 'NV', 'TOWER', 1250, NULL), ('32-2', 'US', 'NV', 'POLE', 30, NULL)"
    )
    let difference = try DatabaseComparison.compare(old, with: new)
    #expect(
      difference.obstacles == [
        ObstacleTally(state: "CA", removed: 2, changed: 1),
        ObstacleTally(state: "NV", added: 2, tallestAdded: 1250),
      ])
    let text = DifferenceText.render(difference)
    #expect(text.contains("  obstacles    2 added, 2 removed, 1 changed\n"))
    #expect(text.contains("  NV             2         0         0        1,250 ft\n"))
  }
}
