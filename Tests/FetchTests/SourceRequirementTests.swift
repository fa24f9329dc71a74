import Core
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Fetch

/// Which files a database asks for, in which ways, and of which edition each is.
struct SourceRequirementTests {
  private static let definition = """
    { kind: "nasr", name: "nasr", title: "T", cadence: "28-day", id: "aviation",
      sources: ["28Day_{date}.zip", "{day_Mon_year}_CSV.zip"],
      classAirspace: ["class.zip"], specialUse: ["aixm.zip"],
      urls: { "28Day_{date}.zip": "https://x.org/{name}", "{day_Mon_year}_CSV.zip": "https://x.org/extra/{name}",
        "class.zip": "https://x.org/{date}/{name}", "aixm.zip": "https://x.org/{date}/{name}" },
      parts: { airports: { tables: ["runways"], sources: ["{day_Mon_year}_CSV.zip", "28Day_{date}.zip"] } },
      gates: { droppedRowShare: 0.1, minimumRows: {} } }
    """

  private static let obstacles = """
    { kind: "obstacles", name: "obstacles", title: "T", cadence: "28-day", id: "obstacles",
      sources: ["DAILY_DOF_CSV.ZIP", "DOF_{dof_yymmdd}.zip"],
      urls: { "DAILY_DOF_CSV.ZIP": "https://x.org/o/{name}", "DOF_{dof_yymmdd}.zip": "https://x.org/o/{name}" },
      gates: { droppedRowShare: 0.1, minimumRows: {} } }
    """

  private func plan() throws -> BuildPlan {
    let folder = try TemporaryFolder()
    return try BuildPlan(
      [SourceRequirementTests.definition, SourceRequirementTests.obstacles].enumerated().map { number, text in
        let file = folder.file("\(number).json5")
        try Data(text.utf8).write(to: file)
        return try PipelineDefinition(contentsOf: file)
      })
  }

  @Test func `the small files together are another way to what the whole subscription holds`() throws {
    let cycle = try #require(AiracCycle(identifier: "2612"))
    let wishes = SourceRequirement.wishes(of: try plan().items, for: cycle)
    #expect(
      wishes.map { $0.ways.map { $0.map(\.path) } } == [
        [["28Day_2026-11-26.zip"], ["26_Nov_2026_CSV.zip", "class.zip", "aixm.zip"]],
        [["DAILY_DOF_CSV.ZIP"], ["DOF_261122.zip"]],
      ])
    #expect(
      wishes[0].ways[1].map(\.url) == [
        "https://x.org/extra/26_Nov_2026_CSV.zip", "https://x.org/2026-11-26/class.zip",
        "https://x.org/2026-11-26/aixm.zip",
      ])
    // A part without airspace takes the archive of tables alone.
    let part = SourceRequirement.wishes(of: try plan().only(["airports"]).items, for: cycle)
    #expect(
      part.map { $0.ways.map { $0.map(\.path) } } == [[["26_Nov_2026_CSV.zip"], ["28Day_2026-11-26.zip"]]])
  }

  @Test func `the daily file of obstacles is of no edition`() throws {
    let cycle = try #require(AiracCycle(identifier: "2613"))
    let wishes = SourceRequirement.wishes(of: try plan().items, for: cycle)
    let files = wishes.flatMap(\.ways).joined()
    let editions = Dictionary(files.map { ($0.path, $0.edition?.cycle.identifier) }) { first, _ in first }
    #expect(editions["DAILY_DOF_CSV.ZIP"] == .some(nil))
    #expect(editions["28Day_2026-12-24.zip"] == "2613")
    #expect(editions["class.zip"] == "2613")
    // The one of 56 days began with the cycle before, and ends with the next.
    #expect(editions["DOF_261122.zip"] == "2612")
    let dof = try #require(files.first { $0.path == "DOF_261122.zip" }?.edition)
    #expect(dof.expires.description == "2027-01-21T09:01:00Z")
  }

  /// The names of real files.
  @Test(arguments: [
    ("2412", "241124"), ("2413", "241124"), ("2505", "250511"), ("2511", "251026"), ("2513", "251221"),
    ("2601", "251221"), ("2608", "260802"),
  ])
  func `the obstacle file of 56 days is dated the Sunday before`(cycle: String, name: String) throws {
    let cycle = try #require(AiracCycle(identifier: cycle))
    let names = SourceRequirement.wishes(of: try plan().items, for: cycle).flatMap(\.ways).joined().map(
      \.path)
    #expect(names.contains("DOF_\(name).zip"), "\(names)")
  }
}
