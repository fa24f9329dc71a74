import Foundation
import TestSupport
import Testing

@testable import Pipeline
@testable import Validation

/// The shipped reference of obstacles' columns, which has what the layout of the file decides and nothing else.
struct ObstacleColumnsTests {
  private static let reference = Result {
    try DefinitionPart.columns.read(
      [String: TableProfile].self, from: repositoryRoot.appending(path: "pipelines/obstacles-columns.json5"))
  }
  /// A good database, of 29 rows.
  private static let sample = Result {
    try DefinitionPart.columns.read(
      [String: TableProfile].self,
      from: repositoryRoot.appending(path: "pipelines/sample-obstacles-columns.json5"))
  }

  private func problems(rows: Int, _ change: (inout [String: ColumnProfile]) -> Void = { _ in }) throws
    -> [String]
  {
    var now = try Self.sample.get()
    now["obstacles"]?.rows = rows
    change(&now["obstacles", default: TableProfile(rows: rows, columns: [:])].columns)
    return ColumnProblems(now, try Self.reference.get(), .reference).all.map(\.place)
  }

  @Test(arguments: [29, 600_000]) func `a good database has no problems`(rows: Int) throws {
    #expect(try problems(rows: rows) == [])
    // Some islands, valleys below the sea, foreign states and unknown accuracies.
    #expect(
      try problems(rows: rows) {
        $0["longitude"]?.negative = 0.97
        $0["latitude"]?.negative = 0.01
        $0["heightMSL"]?.negative = 0.01
        $0["state"]?.nulls = 0.05
        $0["horizontalAccuracy"]?.nulls = 0.3
      } == [])
  }

  @Test(arguments: [29, 600_000]) func `every column that is lost is found`(rows: Int) throws {
    let columns = try #require(try Self.sample.get()["obstacles"]).columns.keys.sorted()
    #expect(columns.count == 17)
    for column in columns {
      let found = try problems(rows: rows) { $0[column] = ColumnProfile(nulls: 1) }
      // An obstacle need not have a study.
      #expect(found == (column == "study" ? [] : ["obstacles.\(column)"]))
    }
  }

  @Test func `columns that are inverted or exchanged are found`() throws {
    #expect(try problems(rows: 600_000) { $0["longitude"]?.negative = 0 } == ["obstacles.longitude"])
    #expect(try problems(rows: 600_000) { $0["latitude"]?.negative = 1 } == ["obstacles.latitude"])
    #expect(
      try problems(rows: 600_000) { ($0["latitude"], $0["longitude"]) = ($0["longitude"], $0["latitude"]) }
        == ["obstacles.latitude", "obstacles.longitude"])
    #expect(
      try problems(rows: 600_000) { ($0["oas"], $0["heightAGL"]) = ($0["heightAGL"], $0["oas"]) }
        == ["obstacles.heightAGL", "obstacles.oas"])
    #expect(
      try problems(rows: 600_000) { ($0["country"], $0["city"]) = ($0["city"], $0["country"]) }
        == ["obstacles.country"])
    #expect(try problems(rows: 600_000) { $0["date"] = $0["study"] } == ["obstacles.date"])
  }
}
