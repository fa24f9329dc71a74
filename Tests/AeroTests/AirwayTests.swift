import SQLiteIO
import TestSupport
import Testing

@testable import Aero

/// Airways, with the positions of points that other tables have.
struct AirwayTests {
  let folder: TemporaryFolder
  let built: Built

  init() throws {
    folder = try TemporaryFolder()
    built = try Subscription("2602-tables").build(in: folder)
  }

  private func segments(_ airway: String) throws -> [[String]] {
    try built.rows(
      """
      SELECT fromPoint, fromNavaid IS NOT NULL, round(fromLatitude, 3), toPoint, round(toLongitude, 3), south IS NOT NULL
      FROM airwaySegments s JOIN airways a ON a.id = s.airway WHERE a.identifier = ? ORDER BY sequence
      """, [.text(airway)])
  }

  @Test func `a segment goes from the one point's place to the other's`() throws {
    #expect(
      try segments("J536") == [
        ["SSR", "1", "58.178", "CFCLG", "-135.189", "1"],
        ["CFCLG", "0", "59.644", "U.S. CANADIAN BORDER-2", "NULL", "0"],
        ["U.S. CANADIAN BORDER-2", "0", "NULL", "NULL", "NULL", "0"],
      ])
  }

  @Test func `what is flown there is in feet`() throws {
    let rows = try built.rows(
      "SELECT mea, maa, course, distance, isSignalGap, nextMEAPoint FROM airwaySegments WHERE fromPoint = 'SSR'"
    )
    #expect(rows == [["21000", "45000", "341.39", "88.25", "1", "U.S. CANADIAN BORDER-2"]])
  }

  @Test func `a segment over the antimeridian is found from both sides`() throws {
    let rows = try built.rows(
      """
      SELECT s.fromPoint, s.toPoint FROM airwaySegments s JOIN airwaySegments_rtree r ON r.id = s.id
      WHERE s.west = -180 AND s.east = 180 AND r.minLon <= -180 AND r.maxLon >= 180
      """)
    #expect(rows.count == 1)
    let (from, to) = (try #require(rows.first?[0]), try #require(rows.first?[1]))
    #expect(
      try built.column(
        "SELECT fromLongitude * toLongitude < 0 FROM airwaySegments WHERE fromPoint = ? AND toPoint = ?",
        [.text(from), .text(to)]) == ["1"])
  }

  /// The FAA has neither Y nor N in this column.
  @Test func `a segment that is unusable or has no MEA is a gap`() throws {
    var subscription = try Subscription("2602-tables")
    subscription.edit("AWY_SEG_ALT") { text in
      let lines = text.split(whereSeparator: \.isNewline).map(String.init)
      let codes = ["", "U", "N", "Q"]
      return lines.enumerated().map { index, line in
        guard codes.indices.contains(index), index > 0 else { return line }
        var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        fields[44] = codes[index]
        return fields.joined(separator: ",")
      }.joined(separator: "\n") + "\n"
    }
    let built = try subscription.build(
      subscription.bare(in: folder, name: "gaps.zip"), in: folder, name: "gaps.sqlite")
    #expect(
      try built.column("SELECT isMEAGap FROM airwaySegments ORDER BY id LIMIT 4") == ["1", "1", "NULL", "0"])
    #expect(built.problems(.unknownCode, of: "AWY_SEG_ALT.csv").map(\.value) == ["Q"])
  }

  @Test func `a cycle with the older form of the segments has airways without them`() throws {
    var subscription = try Subscription("2602-tables")
    subscription.tables["AWY_SEG_ALT"] = nil
    let built = try subscription.build(
      subscription.bare(in: folder, name: "old.zip"), in: folder, name: "old.sqlite")
    #expect(try built.column("SELECT COUNT(*) FROM airways") == ["3"])
    #expect(try built.column("SELECT COUNT(*) FROM airwaySegments") == ["0"])
    #expect(built.problems(.tableMissing, of: "AWY_SEG_ALT.csv").count == 1)
  }
}
