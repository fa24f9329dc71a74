import Core
import Testing

@Suite struct InstantTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2026-11-26T09:01:00Z", 1_795_683_660),
    ("2026-11-26T09:01Z", 1_795_683_660),
    ("2026-11-26T11:01:00+02:00", 1_795_683_660), ("2026-11-26T01:01:00-08:00", 1_795_683_660),
    ("2026-11-26T14:46:00+05:45", 1_795_683_660), ("2026-11-27T00:01:00+15:00", 1_795_683_660),
    ("2026-11-26T09:01:00.999Z", 1_795_683_660), ("1969-12-31T23:59:59Z", -1), ("1969-12-31", -1),
    ("2026-11-25", 1_795_651_199),
  ])
  func readsTimesWithTheirZone(text: String, seconds: Int) throws {
    #expect(try #require(Instant(text)).secondsSince1970 == seconds)
  }

  @Test(arguments: [
    "", "T", "2026-11-26T", "2026-11-26T09:01:00", "2026-11-26T09:01:00z", "2026-11-26 09:01:00Z",
    "2026-11-26T24:00:00Z", "2026-11-26T09:60:00Z", "2026-11-26T09:01:60Z", "2026-11-26T9:01:00Z",
    "2026-11-26T09Z", "2026-11-26T09:01:00:00Z", "2026-02-30T09:01:00Z", "2026-11-26T09:01:00+0200",
    "2026-11-26T09:01:00+2:00", "2026-11-26T09:01:00+02:60", "2026-11-26T09:01:00+24:00",
    "2026-11-26T09:01:00*02:00", "2026-11-26T-9:01:00Z", "2026-11-26T09:01:00Z+02:00",
    "2026-11-26TT09:01:00Z",
    "2026-11-26T09:01:00.Z", "2026-11-26T09:01:00.5xZ", "2026-11-26T09:01.5Z", "2026-11-26T09:01:00.5.5Z",
    "20261126T090100Z", "tomorrow",
  ])
  func anythingElseIsNoInstant(text: String) {
    #expect(Instant(text) == nil)
  }

  @Test(arguments: [
    "1964-01-16T09:01:00Z", "1969-12-31T23:59:59Z", "2026-11-26T09:01:00Z", "2099-12-31T00:00:07Z",
  ])
  func isWrittenAsItIsRead(text: String) throws {
    #expect(try #require(Instant(text)).description == text)
  }

  @Test func knowsItsDayBeforeAndAfter1970() throws {
    #expect(Instant(secondsSince1970: -1).day.description == "1969-12-31")
    #expect(Instant(secondsSince1970: 0).day.description == "1970-01-01")
    #expect(Instant(secondsSince1970: 86_399).day.description == "1970-01-01")
    #expect(Instant(secondsSince1970: 86_400).day.description == "1970-01-02")
  }
}
