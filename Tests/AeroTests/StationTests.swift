import Pipeline
import TestSupport
import Testing

@testable import Aero

/// Who is heard on which frequency, where several things share one identifier.
struct StationTests {
  let folder: TemporaryFolder
  var subscription: Subscription

  init() throws {
    folder = try TemporaryFolder()
    subscription = try Subscription("2602-tables")
  }

  private static let awos = """
    SELECT a.faaID, f.frequency, f.name, f.vhf FROM frequencies f JOIN airports a ON a.icao = f.airport
    WHERE f.type = 'awos' ORDER BY 1, 2
    """

  @Test func `a weather station is heard at its airport`() throws {
    let built = try subscription.build(in: folder)
    #expect(try built.rows(StationTests.awos) == [["CBE", "128.625", "CBE AWOS-3", "1"]])
    #expect(
      try built.rows("SELECT identifier, type, airport IS NULL FROM weatherStations ORDER BY 1") == [
        ["C07", "AWOS-3PT", "1"], ["CBE", "AWOS-3", "0"],
      ])
    // The airport's own frequency of the same identifier is not the station's.
    #expect(try built.column("SELECT frequency FROM weatherStationFrequencies") == ["128.625"])
  }

  /// A station next to the airport, in its state and of its identifier; and the ways not to be that.
  @Test(arguments: [
    ("CBE", "MD", "39.61", 1), ("CBX", "MD", "39.61", 0), ("CBE", "PA", "39.61", 0),
    ("CBE", "MD", "39.76", 0),
  ])
  func `without a site number the identifier must be near`(
    identifier: String, state: String, latitude: String, found: Int
  ) throws {
    var subscription = subscription
    subscription.edit("AWOS") { text in
      let lines = text.split(whereSeparator: \.isNewline)
      let row =
        "2026/02/19,\(identifier),AWOS-3,\(state),CUMBERLAND,US,,N,,,,,\(latitude),,,,,-78.76,775,,,,,,"
      return [String(lines[0]), row].joined(separator: "\n") + "\n"
    }
    let built = try subscription.build(in: folder)
    #expect(
      try built.column("SELECT COUNT(*) FROM weatherStations WHERE airport IS NOT NULL") == ["\(found)"])
    #expect(try built.rows(StationTests.awos).count == found)
  }

  @Test func `a station in no other table is told, and refuses no cycle`() throws {
    var subscription = subscription
    subscription.definition.gates.droppedRowShare = 0.6
    subscription.edit("AWOS") { text in text.split(whereSeparator: \.isNewline)[0] + "\n" }
    let built = try subscription.build(in: folder)
    #expect(built.problems(.rowOrphaned, of: "FRQ.csv").contains { $0.value == "CBE" })
    #expect(built.outcome.problems.tally("FRQ.csv")?.droppedRows == 0)
  }

  @Test func `an outlet is not one of another kind that has its name`() throws {
    let built = try subscription.build(in: folder)
    let rows = try built.rows(
      """
      SELECT o.identifier, o.type, f.frequency, f.receiveOnly FROM outletFrequencies f
      JOIN communicationOutlets o ON o.id = f.outlet ORDER BY o.name, f.number
      """)
    #expect(
      rows == [
        ["NULL", "rcag", "121.5", "0"], ["FLG", "rco", "123.65", "1"], ["83D", "rco", "122.3", "0"],
      ])
    #expect(
      try built.column("SELECT name FROM communicationOutlets WHERE identifier = 'CRW'") == ["CHARLESTON"])
  }

  @Test func `oceanic frequencies are those of their station`() throws {
    let built = try subscription.build(in: folder)
    let rows = try built.rows(
      """
      SELECT s.identifier, f.number, f.frequency, f.vhf, f.sector FROM flightServiceFrequencies f
      JOIN flightServiceStations s ON s.id = f.station ORDER BY 1, 2
      """)
    #expect(
      rows == [
        ["ISP", "1", "8.906", "0", "NORTH ATLANTIC FAMILY A"],
        ["ISP", "2", "17.907", "0", "CARIBBEAN FAMILY A"],
      ])
  }
}
