import Core
import Foundation
import Testing

@testable import ChartpipeKit

@Suite struct CycleArgumentTests {
  private let arguments: ParsedArguments

  init() throws { arguments = try ParsedArguments([], for: .cycle) }

  private func cycle(_ text: String, at now: String = "2026-11-21T12:00:00Z") throws -> String {
    try arguments.cycle(text, at: #require(Instant(now))).identifier
  }

  private func error(_ text: String) -> UserError? {
    #expect(throws: UserError.self) { try cycle(text) }
  }

  @Test(arguments: [
    ("previous", "2610"), ("current", "2611"), ("next", "2612"), ("2612", "2612"), ("2026-11-26", "2612"),
    ("9802", "9802"), ("1998-01-29", "9802"),
  ])
  func `every form names a cycle`(text: String, identifier: String) throws {
    #expect(try cycle(text) == identifier)
  }

  @Test func `current, next and previous depend on the clock and dates do not`() throws {
    let (before, after) = ("2026-11-26T09:00:59Z", "2026-11-26T09:01:00Z")
    #expect(try cycle("current", at: before) == "2611")
    #expect(try cycle("current", at: after) == "2612")
    #expect(try cycle("next", at: after) == "2613")
    #expect(try cycle("2613", at: before) == cycle("2613", at: after))
  }

  @Test(arguments: ["2026-11-27", "2026-12-23", "2026-12-01"])
  func `rejects a day inside a cycle and names both neighbours`(text: String) {
    let error = error(text)
    #expect(error?.reason == "no cycle takes effect on \(text)")
    let neighbours = "In force on that day is 2612 (2026-11-26); the next one is 2613 (2026-12-24)."
    #expect(error?.suggestion?.hasPrefix(neighbours) == true)
  }

  @Test(arguments: ["2600", "2614", "2015", "2699", "1963-12-26"])
  func `rejects an identifier that no year has`(text: String) {
    #expect(error(text)?.reason == "there is no AIRAC cycle \(text)")
  }

  @Test(arguments: [
    "", " ", "Current", "NEXT", "now", "261", "26123", "26-12", "2026-02-30", "2026-13-01", "26-11-26",
    "2026/11/26", "20261126", "2026-11-26T09:01:00Z", "2612 ", "٢٦١٢", "2026-11-26-",
  ])
  func `rejects other texts`(text: String) {
    #expect(error(text)?.reason == "\"\(text)\" names no cycle")
  }
}
