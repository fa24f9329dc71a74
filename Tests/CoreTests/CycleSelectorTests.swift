import Core
import Testing

@Suite struct CycleSelectorTests {
  @Test(arguments: [
    ("previous", "2610"), ("current", "2611"), ("next", "2612"), ("2612", "2612"), ("2026-11-26", "2612"),
    ("9802", "9802"), ("1998-01-29", "9802"),
  ])
  func everyFormNamesACycle(text: String, identifier: String) throws {
    let now = try #require(Instant("2026-11-21T12:00:00Z"))
    #expect(try CycleSelector(text).cycle(at: now).identifier == identifier)
  }

  @Test func wordsFollowTheClockAndDatesDoNot() throws {
    let before = try #require(Instant("2026-11-26T09:00:59Z"))
    let after = try #require(Instant("2026-11-26T09:01:00Z"))
    #expect(try CycleSelector("current").cycle(at: before).identifier == "2611")
    #expect(try CycleSelector("current").cycle(at: after).identifier == "2612")
    #expect(try CycleSelector("next").cycle(at: after).identifier == "2613")
    #expect(try CycleSelector("2613").cycle(at: before) == CycleSelector("2613").cycle(at: after))
  }

  @Test(arguments: ["2026-11-27", "2026-12-23", "2026-12-01"])
  func aDayWithinACycleIsRefusedWithBothNeighbours(text: String) throws {
    let day = try #require(CalendarDay(text))
    let inForce = try #require(AiracCycle(identifier: "2612"))
    let following = try #require(AiracCycle(identifier: "2613"))
    #expect(throws: CycleSelector.Misreading.notAnEffectiveDay(day, inForce: inForce, following: following)) {
      try CycleSelector(text)
    }
  }

  @Test(arguments: ["2600", "2614", "2015", "2699"])
  func anIdentifierThatNoYearHasIsRefused(text: String) {
    #expect(throws: CycleSelector.Misreading.noSuchIdentifier(text)) { try CycleSelector(text) }
  }

  @Test(arguments: [
    "", " ", "Current", "NEXT", "now", "261", "26123", "26-12", "2026-02-30", "2026-13-01", "26-11-26",
    "2026/11/26", "20261126", "2026-11-26T09:01:00Z", "2612 ", "٢٦١٢", "2026-11-26-",
  ])
  func anythingElseIsUnreadable(text: String) {
    #expect(throws: CycleSelector.Misreading.unreadable(text)) { try CycleSelector(text) }
  }
}
