import Core
import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

/// What servers do wrong, and what comes of it: the right bytes, or an error that says what is wrong.
@Suite struct FetchErrorTests {
  /// The problem's words; nil where it ends well.
  @Test(arguments: [
    (FaultyServer.UserError.reset(after: 9000), String?.none),
    (.ends(after: 9000), nil),
    (.ends(after: 0), nil),
    (.status(503, fields: ["Retry-After: 0"]), nil),
    (.claims(more: 100), nil),
    (.ignoresRanges, nil),
    (.tellsNoState, nil),
    (.silent, nil),
    (.redirect(to: "/elsewhere/Denver.zip"), nil),
    (.page("<!DOCTYPE html><html><body>Service is down</body></html>"), "this is a web page"),
    (.cut(to: 9000), "it is cut short: 9,000 bytes came, the folder's listing says 20,1"),
    (.cut(to: 0), "it is empty"),
    (.status(403), "the server answered 403 (forbidden)"),
    (.status(404), "the server answered 404 (not found)"),
    (.packed, "the server sends it packed (gzip)"),
    (.endlessHead, "the head of the answer has no end"),
    (.redirect(to: "file:///etc/hostname"), "Protocol \"file\" not supported"),
  ])
  func endsRight(_ fault: FaultyServer.UserError, words: String?) throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    try charts.put("Denver.zip", seed: 0, at: charts.served.file("elsewhere/Denver.zip"))
    charts.server.inject(fault, at: charts.path("Denver.zip"))
    let fetched = try charts.fetch()
    #expect(charts.isWhole("Cheyenne.zip"))
    guard let words else {
      #expect(fetched.map(\.state) == [.fetched, .fetched])
      #expect(charts.isWhole())
      return
    }
    let problem = try #require(fetched[0].fault?.reason)
    #expect(problem.contains(words))
    #expect(try files(below: charts.work) == ["Cheyenne.zip", "sources.lock.json"])
    // The next time it comes.
    #expect(try charts.fetch().allSatisfy { $0.fault == nil })
    #expect(charts.isWhole())
  }

  @Test(arguments: [1_048_576, 5_242_880])
  func aTruncatedCopyIsNamed(size: Int) throws {
    let charts = try ServedCharts(bytes: size + 1000)
    charts.server.always(.cut(to: size), at: charts.path("Denver.zip"))
    let problem = try #require(try charts.fetch()[0].fault?.reason)
    #expect(
      problem == "it is cut short at exactly \(Counts.grouped(size)) bytes, as copies in web archives are")
  }

  @Test func aMemberThatIsDamagedIsFound() throws {
    let charts = try ServedCharts()
    var bytes = try Data(contentsOf: charts.servedFile("Denver.zip"))
    bytes[10_000] ^= 1
    try bytes.write(to: charts.servedFile("Denver.zip"))
    let problem = try #require(try charts.fetch()[0].fault?.reason)
    #expect(problem.contains("the zip archive is cut short or damaged"))
  }

  @Test(arguments: [
    ("2026-10-01", "it is not published yet: this edition takes effect on 2026-10-29"),
    ("2026-11-27", "the server does not have it, although this edition is in force"),
    ("2027-01-10", "it is gone: this edition was in force from 2026-10-29 to 2026-12-24"),
  ])
  func absenceHasThreeNames(now: String, words: String) throws {
    var charts = try ServedCharts()
    charts.now = now
    charts.server.hide("/visual/10-29-2026")
    let fetched = try charts.fetch()
    #expect(fetched.map(\.state) == [.missing])
    #expect(fetched[0].fault?.reason.hasPrefix(words) == true)
  }

  @Test func anEditionThatIsOnlyHalfThere() throws {
    var charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    charts.now = "2026-10-20"
    charts.server.hide(charts.path("Denver.zip"))
    let fetched = try charts.fetch()
    #expect(fetched.map(\.state) == [.missing, .fetched])
    #expect(fetched[0].fault?.reason.contains("though its folder is there") == true)
  }

  /// Nothing listens on the port of the discard service here.
  @Test func aNetworkThatIsDownIsNoAbsence() throws {
    let charts = try ServedCharts(["Denver.zip", "Cheyenne.zip"])
    let items = try charts.items(url: "http://127.0.0.1:9/{mm-dd-yyyy}/{name}")
    let fetched = try charts.fetch(items: items)
    #expect(fetched.map(\.state) == [.failed, .failed])
    #expect(fetched.allSatisfy { $0.fault?.kind == .failed })
    #expect(fetched[1].fault?.reason.hasPrefix("the server cannot be reached") == true)
  }

  @Test func aFileThatChangesWhileItIsReadComesWhole() throws {
    let charts = try ServedCharts(bytes: 300_000)
    charts.server.inject(.ends(after: 100_000), at: charts.path("Denver.zip"))
    let told = AtFirstBytes { try? charts.put("Denver.zip", seed: 50, bytes: 300_000) }
    let fetched = try charts.fetch(progress: told)
    #expect(fetched.map(\.state) == [.fetched])
    #expect(charts.isWhole())
  }
}
