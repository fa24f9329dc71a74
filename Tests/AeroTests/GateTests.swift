import Core
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Aero

struct GateTests {
  let folder: TemporaryFolder
  var subscription: Subscription

  init() throws {
    folder = try TemporaryFolder()
    subscription = try Subscription("2304")
  }

  @Test func `too many unusable rows end the build, with the first of them`() throws {
    var subscription = subscription
    try subscription.replace("37.46111111", with: "none", in: "APT_BASE")
    subscription.definition.gates.droppedRowShare = 0.04
    let fault = try subscription.fault(in: folder)
    #expect(fault.kind == .badInput)
    #expect(
      fault.reason
        == "1 of 21 rows of APT_BASE.csv cannot be used; the first is line 10: LAT_DECIMAL \"none\": it is no number within -90 to 90"
    )
    subscription.definition.gates.droppedRowShare = 0.5
    _ = try subscription.build(in: folder)
  }

  @Test func `a table of airports without rows is named, and not those that belong to it`() throws {
    var subscription = subscription
    subscription.edit("APT_BASE") { String($0.prefix { !$0.isNewline }) + "\r\n" }
    let fault = try subscription.fault(in: folder)
    #expect(fault.reason == "APT_BASE.csv has no rows below its header, so there are no airports")
  }

  @Test func `runways of no airport name the columns that do not agree`() throws {
    var subscription = subscription
    subscription.edit("APT_RWY") { $0.replacing("\"A\"", with: "\"Q\"") }
    let fault = try subscription.fault(in: folder)
    #expect(
      fault.reason.contains("rows of APT_RWY.csv cannot be used; the first is line ")
        && fault.reason.contains("no row of APT_BASE.csv has its SITE_NO and SITE_TYPE_CODE"),
      "\(fault.reason)")
  }

  @Test(arguments: [("airports", 21), ("navaids", 9), ("fixes", 18), ("remarks", 1)])
  func `a table that came out too short ends the build`(table: String, rows: Int) throws {
    var subscription = subscription
    subscription.definition.gates.minimumRows = [table: rows + 1]
    let fault = try subscription.fault(in: folder)
    #expect(fault.kind == .badInput)
    #expect(
      fault.reason == "it gives \(rows) rows for the table \(table), where at least \(rows + 1) are expected"
    )
    subscription.definition.gates.minimumRows = [table: rows]
    _ = try subscription.build(subscription.bare(in: folder), in: folder, name: "good.sqlite")
  }

  @Test func `a gate on a table that is not there is a fault of the definition`() throws {
    var subscription = subscription
    subscription.definition.gates.minimumRows = ["airpots": 1]
    let fault = try subscription.fault(in: folder)
    #expect(fault.kind == .badInput)
    #expect(fault.message.contains("airpots"))
  }

  @Test func `a disk that cannot be written to is no fault of the source`() throws {
    let source = try subscription.bare(in: folder)
    let fault = try #require(throws: UserError.self) {
      try subscription.build(source, in: folder, name: "no/such/folder.sqlite")
    }
    #expect(fault.kind == .failed)
    #expect(fault.message.contains("folder.sqlite"))
  }

  @Test func `the tables that change every second cycle carry the day of their last change`() throws {
    let cycle = try #require(AiracCycle(identifier: "2602"))
    for table in ["ARB_SEG", "AWY_BASE", "DP_RTE", "MTR_PT", "PFR_SEG", "STAR_APT", "WXL_BASE"] {
      #expect(EffectiveDates.day(of: table, in: cycle)?.description == "2026-01-22", "\(table)")
    }
    for table in ["APT_BASE", "FRQ", "PJA_BASE", "AWOS"] {
      #expect(EffectiveDates.day(of: table, in: cycle)?.description == "2026-02-19", "\(table)")
    }
    #expect(EffectiveDates.day(of: "CDR", in: cycle) == nil)
    #expect(EffectiveDates.day(of: "PFR_RMT_FMT", in: cycle) == nil)
  }

  @Test func `the definition that ships can be read`() throws {
    let definition = try PipelineDefinition(
      contentsOf: repositoryRoot.appending(path: "pipelines/nasr.json5"))
    guard case .nasr(let nasr) = definition.content else {
      Issue.record("it is no NASR definition")
      return
    }
    let cycle = try #require(AiracCycle(identifier: "2602"))
    #expect(
      nasr.sourceNames(for: cycle) == [
        "28DaySubscription_Effective_2026-02-19.zip", "19_Feb_2026_CSV.zip",
        "28DaySubscription_Effective_2026-02-19", "19_Feb_2026_CSV",
      ])
    #expect(Set(nasr.gates.minimumRows.keys).isSubset(of: DatabaseSchema.tables.map(\.name)))
  }

  @Test func `the definition of obstacles that ships can be read`() throws {
    let definition = try PipelineDefinition(
      contentsOf: repositoryRoot.appending(path: "pipelines/obstacles.json5"))
    guard case .obstacles(let obstacles) = definition.content else {
      Issue.record("it is no definition of obstacles")
      return
    }
    let cycle = try #require(AiracCycle(identifier: "2608"))
    #expect(
      obstacles.origin.names(obstacles.sources, for: cycle) == [
        "DAILY_DOF_CSV.ZIP", "DOF.CSV", "DOF_260802.zip", "DOF.DAT",
      ])
    #expect(obstacles.gates.minimumRows.keys.sorted() == ["obstacles"])
  }
}
