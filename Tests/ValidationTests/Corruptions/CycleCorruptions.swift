import Core
import CryptoIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Errors in dates, in combinations of products, and compared with the last cycle.
private let corruptions: [Corruption] = [
  Corruption("a database of the next cycle", caughtBy: "product-dates", isAlone: false) {
    build in
    try build.keepDatabaseAlone()
    try build.forge(
      """
      UPDATE metadata SET value = '2305' WHERE key = 'cycle';
      UPDATE metadata SET value = '2023-05-18T09:01:00Z' WHERE key = 'effective';
      UPDATE metadata SET value = '2023-06-15T09:01:00Z' WHERE key = 'expires'
      """)
  },
  Corruption(
    "a database that says that it took effect a day later", caughtBy: "database-identity", isAlone: false
  ) { build in
    try build.keepDatabaseAlone()
    try build.forge("UPDATE metadata SET value = '2023-04-21T09:01:00Z' WHERE key = 'effective'")
  },
  Corruption("a subscription of the last cycle", caughtBy: "source-dates") { build in
    try build.removeCharts()
    try build.describe(CleanBuild.database) { $0.sources[0].dates?[0].from = "2023-03-23" }
  },
  Corruption("a chart's page of the last edition", caughtBy: "source-dates") { build in
    try build.describe("sample-terminal/Sample_Bay") {
      $0.sources[0].dates?[0].from = "2023-02-23"
      $0.sources[0].dates?[0].until = "2023-04-19"
    }
  },
  Corruption("a chart's page of 28 days", caughtBy: "source-dates") { build in
    try build.describe("sample-terminal/Sample_Bay") { $0.sources[0].dates?[0].until = "2023-05-17" }
  },
  Corruption("a chart's page without dates", caughtBy: "source-dates") { build in
    try build.describe("sample-terminal/Sample_Bay") { $0.sources[0].dates = nil }
  },
  Corruption("a database of 56 days", caughtBy: "product-dates", isAlone: false) { build in
    try build.keepDatabaseAlone()
    try build.describe(CleanBuild.database) { $0.expirationDate = "2023-06-15T09:01:00Z" }
  },
  Corruption("a database of the last edition", caughtBy: "product-dates", isAlone: false) { build in
    try build.keepDatabaseAlone()
    try build.describe(CleanBuild.database) { product in
      product.edition = "2023-03-23"
      product.effectiveDate = "2023-03-23T09:01:00Z"
      product.expirationDate = "2023-04-20T09:01:00Z"
    }
  },
  Corruption("an export of another subscription", caughtBy: "cycle-unmixed") { build in
    try build.removeCharts()
    try build.describe("sample-nasr/airports") { $0.sources[0].sha256 = try SHA256Hex(of: [1]) }
  },
  Corruption("an expired chart", caughtBy: "cycle-unmixed", isAlone: false) { build in
    try build.describe("sample-sectional/Sample_West") { product in
      product.edition = "2023-02-23"
      product.effectiveDate = "2023-02-23T09:01:00Z"
      product.expirationDate = "2023-04-20T09:01:00Z"
    }
  },
  Corruption("a chart larger than its definition allows", caughtBy: "product-size") { build in
    try build.describe("sample-terminal/Sample_Bay") { $0.build.maxMegabytes = ["chart": 0] }
  },
  Corruption("charts that are larger together than their definition allows", caughtBy: "product-size") {
    build in
    for id in [CleanBuild.west, CleanBuild.east] {
      try build.describe(id) { $0.build.maxMegabytes = ["chart": 100, "family": 0] }
    }
  },
  Corruption("a table that is a third shorter than in the last cycle", caughtBy: "database-rows") { build in
    try build.removeCharts()
    try build.hold { $0.build.counts["fixes", default: 0] *= 2 }
  },
  Corruption("a missing table", caughtBy: "tables-vanished") { build in
    try build.removeCharts()
    try build.hold { $0.build.counts["radars"] = 18 }
  },
  Corruption("an airport that has moved by two miles", caughtBy: "airports-moved") { build in
    try build.removeCharts()
    try build.holdAgainstDatabase(
      altered: "UPDATE airports SET latitude = latitude + 0.03 WHERE icao = 'KPAO'")
  },
  Corruption("a missing airport with a tower", caughtBy: "airports-vanished") { build in
    try build.removeCharts()
    try build.holdAgainstDatabase(
      altered: "UPDATE airports SET icao = 'KZZZ', siteNumber = '99999.9' WHERE icao = 'KPAO'")
  },
  Corruption("runways that the last cycle measured in metres", caughtBy: "columns-changed") { build in
    try build.removeCharts()
    try build.holdAgainstDatabase(altered: "UPDATE runways SET length = length * 0.3048")
  },
  Corruption("a class B that the last cycle had", caughtBy: "airspaces-vanished") { build in
    try build.removeCharts()
    try build.holdAgainstDatabase(
      altered: "UPDATE airspaces SET class = 'bravo', name = 'SAMPLE CLASS B' WHERE id = 1")
  },
  Corruption("a whole table of airports that has moved", caughtBy: "airports-moved", isAlone: false) {
    build in
    try build.removeCharts()
    try build.holdAgainstDatabase(altered: "UPDATE airports SET longitude = longitude + 0.03")
  },
]

@Suite(.slow) struct CycleCorruptionTests {
  @Test(arguments: corruptions)
  func `catches products that do not fit the cycle`(corruption: Corruption) throws {
    try corruption.expectCaught()
  }

  @Test func `a chart that is too large is an error, a family a warning that names the largest charts`()
    throws
  {
    let build = try CleanBuild()
    for (id, limit) in [(CleanBuild.west, 0), (CleanBuild.east, 100)] {
      try build.describe(id) { $0.build.maxMegabytes = ["chart": limit, "family": 0] }
    }
    let findings = try build.findings()
    #expect(findings.map(\.severity) == [.error, .warning])
    #expect(findings.map(\.product) == [CleanBuild.west, nil])
    let sizes = try [CleanBuild.west, CleanBuild.east].map { try build.product($0).archiveBytes }
    #expect(
      findings[0].message
        == "it has \(Counts.bytes(sizes[0])), more than the 0 MB of `gates.maxMegabytes.chart`; give it fewer zooms or "
        + "`colors`, or raise the limit")
    #expect(
      findings[1].message.hasPrefix(
        "it has \(Counts.bytes(sizes[0] + sizes[1])), more than the 0 MB of `gates.maxMegabytes.family`; "
          + "the largest of 2 charts are Sample_"))
    #expect(findings[1].where == "sample-sectional of cycle 2304")
  }

  @Test func `warns of one moved airport, and reports an error if all moved`() throws {
    let build = try CleanBuild()
    try build.removeCharts()
    try build.holdAgainstDatabase(
      altered: "UPDATE airports SET latitude = latitude + 0.03 WHERE icao = 'KPAO'")
    let findings = try build.findings()
    #expect(findings.map(\.severity) == [.warning])
    #expect(findings.first?.message == "it lies 1.8 NM from where cycle 2303 had it")
    try build.holdAgainstDatabase(altered: "UPDATE airports SET longitude = longitude + 0.03")
    #expect(try build.findings().contains { $0.severity == .error })
  }
}
