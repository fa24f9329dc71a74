import Foundation
import TestSupport
import Testing

@testable import Pipeline
@testable import Validation

struct ColumnComparisonTests {
  private func problems(
    _ now: ColumnProfile, _ before: ColumnProfile, rows: Int = 10_000, isSample: Bool = false,
    _ limits: ColumnLimits = .neighbour
  ) -> [String] {
    ColumnComparison(
      now: now, rows: rows, before: before, rowsBefore: isSample ? rows / 20 : rows, isSample: isSample,
      limits: limits
    ).problems
  }

  private func words(_ values: [String: Double], nulls: Double = 0) -> ColumnProfile {
    var profile = ColumnProfile(nulls: nulls)
    profile.values = values
    return profile
  }

  private func numbers(_ mean: Double, _ spread: Double, fine: Double = 0) -> ColumnProfile {
    var profile = ColumnProfile(nulls: 0)
    (profile.mean, profile.spread, profile.negative, profile.fine) = (mean, spread, 0, fine)
    return profile
  }

  @Test func `finds no problems in equal columns`() {
    let profile = words(["public": 0.26, "private": 0.74])
    #expect(problems(profile, profile) == [])
    #expect(problems(numbers(1167, 1485), numbers(1180, 1490)) == [])
  }

  @Test func `reports a lost column once`() {
    #expect(
      problems(words([:], nulls: 1), words(["a": 1], nulls: 0.01)) == [
        "100 % of its rows have no value, and 1.00 % were"
      ])
  }

  @Test func `reports a word that vanished, but not a rare new one`() {
    let before = words(["airport": 0.66, "heliport": 0.34])
    #expect(
      problems(words(["airport": 1]), before) == [
        "100 % of its values are \"airport\", and 66 % were",
        "no value is \"heliport\", and 34 % were",
      ])
    #expect(problems(words(["airport": 0.66, "heliport": 0.335, "vertiport": 0.005]), before) == [])
  }

  @Test func `reports other units by the average`() {
    #expect(problems(numbers(356, 453), numbers(1167, 1485)).count == 2)
    #expect(problems(numbers(38.9, 7.3, fine: 0), numbers(38.9, 7.3, fine: 0.99)).count == 1)
  }

  @Test func `compares shares but no averages with a layout`() {
    var layout = ColumnProfile(nulls: 0)
    layout.fine = 0
    #expect(problems(numbers(356, 453), layout) == [])
    #expect(problems(numbers(356, 453, fine: 0.5), layout).count == 1)
    var text = ColumnProfile(nulls: 0)
    text.length = 9
    #expect(problems(text, layout) == ["it holds texts, and held numbers"])
    #expect(problems(numbers(356, 453), text) == ["it holds numbers, and held texts"])
  }

  @Test func `tolerates more with a sample`() {
    let (now, before) = (words(["a": 0.99, "b": 0.01]), words(["a": 0.996, "b": 0.004]))
    #expect(problems(now, before, rows: 2000, isSample: true, .reference) == [])
    #expect(
      problems(words(["a": 1]), words(["a": 0.8, "b": 0.2]), rows: 2000, isSample: true, .reference).count
        == 2)
  }

  @Test func `accepts an empty column that was nearly empty`() {
    let (now, before) = (words([:], nulls: 1), words(["a": 1], nulls: 0.97))
    #expect(problems(now, before, .reference) == [])
    #expect(problems(now, before, .neighbour).count == 1)
  }
}

/// The shipped reference of obstacle columns, which contains only what the layout of the file determines.
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

  @Test(arguments: [29, 600_000]) func `finds no problems in a good database`(rows: Int) throws {
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

  @Test(arguments: [29, 600_000]) func `finds every lost column`(rows: Int) throws {
    let columns = try #require(try Self.sample.get()["obstacles"]).columns.keys.sorted()
    #expect(columns.count == 17)
    for column in columns {
      let found = try problems(rows: rows) { $0[column] = ColumnProfile(nulls: 1) }
      // An obstacle need not have a study.
      #expect(found == (column == "study" ? [] : ["obstacles.\(column)"]))
    }
  }

  @Test func `finds inverted and exchanged columns`() throws {
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
