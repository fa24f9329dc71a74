import Core
import Synchronization
import Testing

@testable import ChartpipeKit

/// What a reporter wrote.
private final class Page: Sendable {
  private let lines = Mutex("")
  var text: String { lines.withLock { $0 } }
  @Sendable func write(_ more: String) { lines.withLock { $0 += more } }
}

private struct Reason: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}

@Suite struct ProgressTests {
  static let fault = UserError(
    .badInput, operation: "reading", path: "a.zip", reason: "not a zip", suggestion: "Get it again.")
  static let events: [ProgressEvent] = [
    .started(step: "f/A"), .advanced(step: "f/A", done: 10, total: 40, unit: "tiles"),
    .finished(step: "f/A", detail: "40 tiles"), .skipped(step: "f/B"), .failed(step: "f/C", fault: fault),
    .warning(step: "f/D", message: "odd"),
  ]

  @Test func `a log has one line per step`() {
    let page = Page()
    for event in Self.events { PlainProgress(write: page.write).report(event) }
    #expect(
      page.text == """
        f/A: 40 tiles
        f/B: up to date
        f/C: FAILED: reading a.zip: not a zip
          Get it again.
        f/D: warning: odd

        """)
  }

  @Test func `shows causes on request`() {
    let fault = UserError(.failed, operation: "reading", reason: "damaged", causes: [Reason(text: "strip 3")])
    let page = Page()
    for showsCauses in [false, true] {
      PlainProgress(showsCauses: showsCauses, write: page.write).report(.failed(step: "f/A", fault: fault))
    }
    TerminalProgress(columns: 80, showsCauses: true, write: page.write)
      .report(.failed(step: "f/A", fault: fault))
    let line = "f/A: FAILED: reading: damaged\n"
    let reason = "  because: strip 3\n"
    #expect(page.text == line + line + reason + "\r\u{1B}[K" + line + reason)
  }

  @Test func `a filter passes on some events`() {
    let page = Page()
    let progress = FilteredProgress(reporter: PlainProgress(write: page.write)) {
      if case .failed = $0 { true } else { false }
    }
    for event in Self.events { progress.report(event) }
    #expect(page.text == "f/C: FAILED: reading a.zip: not a zip\n  Get it again.\n")
  }

  @Test func `writes one JSON object per line`() {
    let page = Page()
    for event in Self.events { JSONProgress(write: page.write).report(event) }
    let lines = page.text.split(separator: "\n")
    #expect(lines.count == Self.events.count)
    #expect(lines[1] == #"{"done":10,"event":"advanced","step":"f/A","total":40,"unit":"tiles"}"#)
  }

  @Test func `the overall progress is in the bar, in JSON and on a plain line`() {
    let event = ProgressEvent.overall(done: 12, total: 61, unit: "chart", secondsLeft: 240)
    let (plain, terminal, json) = (Page(), Page(), Page())
    let reporter = PlainProgress(interval: .zero, write: plain.write)
    for event in [event, .overall(done: 13, total: 61, unit: "chart", secondsLeft: nil)] {
      reporter.report(event)
    }
    #expect(plain.text == "chart 12 of 61, 4 min left\nchart 13 of 61\n")
    let bar = TerminalProgress(columns: 100, write: terminal.write)
    bar.report(event)
    bar.report(.advanced(step: "f/A", done: 10, total: 40, unit: "tiles"))
    #expect(terminal.text.hasSuffix(" 10/40 tiles · chart 12 of 61, 4 min left"))
    JSONProgress(write: json.write).report(event)
    #expect(
      json.text
        == #"{"done":12,"event":"overall","secondsLeft":240,"step":"run","total":61,"unit":"chart"}"# + "\n")
  }

  @Test func `plain lines of overall progress are rare`() {
    let page = Page()
    let reporter = PlainProgress(write: page.write)
    for done in 1...60 { reporter.report(.overall(done: done, total: 61, unit: "chart", secondsLeft: 9)) }
    #expect(page.text.isEmpty)
  }

  @Test func `estimates the time left only from measured steps`() throws {
    let steps = (0..<6).map { Step.ID(product: "f/\($0)") }
    let join = Step.ID(product: "f/All")
    var unknown = OverallProgress(unit: "chart", steps, joins: [join]) { _ in nil }
    for step in steps {
      guard case .overall(_, 6, "chart", nil) = unknown.finished(step, seconds: 2) else {
        Issue.record("the mosaic was never measured, so no time is known")
        return
      }
    }
    var measured = OverallProgress(unit: "chart", steps, joins: [join]) { $0 == join ? 30 : nil }
    #expect(
      measured.finished(steps[0], seconds: 2) == .overall(done: 1, total: 6, unit: "chart", secondsLeft: nil))
    _ = measured.finished(steps[1], seconds: 4)
    #expect(
      measured.finished(steps[2], seconds: 3) == .overall(done: 3, total: 6, unit: "chart", secondsLeft: 39))
    #expect(measured.finished(join, seconds: 9) == .overall(done: 1, total: 1, unit: "join", secondsLeft: 9))
    #expect(measured.finished(steps[0], seconds: 2) == nil, "a step counts once")
  }

  @Test func `redraws the bar on a terminal`() {
    let page = Page()
    let progress = TerminalProgress(columns: 80, write: page.write)
    for event in Self.events { progress.report(event) }
    #expect(page.text.contains("\r\u{1B}[Kf/A █"))
    #expect(page.text.contains("10/40 tiles"))
    #expect(page.text.contains("\r\u{1B}[Kf/A: 40 tiles\n"))
  }

  @Test func `the bar shows the rate and the remaining time`() {
    let bar = ProgressBar(done: 250, total: 1000, unit: "tiles", seconds: 5)
    let line = bar.line(step: "f/A", columns: 100)
    #expect(line.hasSuffix(" 250/1000 tiles, 50/s, 15 s left"))
    #expect(line.filter { $0 == "█" }.count == 10)
    #expect(line.filter { $0 == "░" }.count == 30)
    #expect(line.count < 100)
  }

  @Test(arguments: [0, 5, 20, 40])
  func `the bar fits a narrow terminal`(columns: Int) {
    let bar = ProgressBar(done: 1, total: 2, unit: "tiles", seconds: 1)
    #expect(bar.line(step: "vfr-sectional/San_Francisco", columns: columns).count < max(1, columns))
  }

  @Test func `a long name fits a narrow terminal`() {
    let page = Page()
    TerminalProgress(columns: 12, write: page.write).report(.started(step: "vfr-sectional/San_Francisco"))
    #expect(page.text == "\r\u{1B}[Kvfr-section")
  }

  @Test(arguments: [(3.2, "4 s"), (59.0, "59 s"), (61, "1 min 1 s"), (3661, "1 h 1 min")])
  func `durations are short`(seconds: Double, text: String) { #expect(Counts.duration(seconds) == text) }

  @Test(arguments: [
    (0, "0.0 s"), (0.44, "0.4 s"), (0.96, "1.0 s"), (59.94, "59.9 s"), (59.96, "1 min 0 s"),
    (3661, "1 h 1 min"), (-1, "0.0 s"),
  ])
  func `measured times have tenths`(seconds: Double, text: String) {
    #expect(Counts.measured(seconds) == text)
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (12_449_000, "12.4 MB"), (1_250_000_000_000, "1,250.0 GB"),
  ])
  func `formats bytes with a unit`(count: Int, text: String) { #expect(Counts.bytes(count) == text) }

  @Test(arguments: [(0, "0"), (999, "999"), (1154, "1,154"), (-1_234_567, "-1,234,567")])
  func `groups digits`(number: Int, text: String) { #expect(Counts.grouped(number) == text) }
}
