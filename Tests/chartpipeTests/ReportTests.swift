import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct CycleReportTests {
  private func report(_ text: String, listed: Int = 0) throws -> CycleReport {
    CycleReport(at: try #require(Instant(text)), listed: listed)
  }

  @Test func `a cycle without new charts keeps the current charts`() throws {
    let report = try report("2026-11-26T09:01:00Z")
    #expect(report.nasr.current.id == "2612")
    #expect(report.nasr.current.major == false)
    #expect(report.nasr.current.expires == "2026-12-24T09:01:00Z")
    #expect(report.charts.current.id == "2611")
    #expect(report.charts.current.effective == "2026-10-29T09:01:00Z")
    #expect(report.charts.current.expires == "2026-12-24T09:01:00Z")
    #expect(report.charts.next.id == "2613")
    #expect(report.charts.previous.id == "2609")
  }

  @Test func `the old cycle is current until one second before the change`() throws {
    #expect(try report("2026-11-26T09:00:59Z").nasr.current.id == "2611")
    #expect(try report("2026-11-26T09:00:59Z").nasr.next.id == "2612")
  }

  @Test func `the list starts with the current cycle`() throws {
    let listed = try report("2026-11-21", listed: 3).list
    #expect(listed?.map(\.id) == ["2611", "2612", "2613"])
    #expect(try report("2026-11-21").list == nil)
  }

  @Test func `the table shows both series`() throws {
    #expect(
      try report("2026-11-21").text == """
        As of 2026-11-21T23:59:59Z

                    cycle  effective              expires
        NASR   previous 2610   2026-10-01T09:01:00Z   2026-10-29T09:01:00Z
               current  2611   2026-10-29T09:01:00Z   2026-11-26T09:01:00Z
               next     2612   2026-11-26T09:01:00Z   2026-12-24T09:01:00Z

        Charts previous 2609   2026-09-03T09:01:00Z   2026-10-29T09:01:00Z
               current  2611   2026-10-29T09:01:00Z   2026-12-24T09:01:00Z
               next     2613   2026-12-24T09:01:00Z   2027-02-18T09:01:00Z

        """)
  }
}

/// What goes to a job's page may hold anything.
struct JobPageTests {
  @Test func `an annotation is one line for any text`() {
    #expect(
      JobPage.annotation(.warning, title: "a:b,c", "50 % of\r\nx: y, z")
        == "::warning title=a%3Ab%2Cc::50 %25 of%0D%0Ax: y, z")
  }

  @Test func `escapes cell borders and markup`() {
    #expect(
      Markdown.escaped("a|b\r\n<script>`x` [y](z) &")
        == "a&#124;b &#60;script&#62;&#96;x&#96; &#91;y&#93;&#40;z&#41; &#38;")
    #expect(Markdown.table(["a", ""], [["1", "|"]]) == "| a |  |\n| --- | --- |\n| 1 | &#124; |\n")
  }
}
