internal import Core
internal import Foundation

struct Cycle: Subcommand {
  static let spec = CommandSpec(
    name: "cycle", summary: "Prints the previous, current and next AIRAC cycle.",
    options: [
      OptionSpec("--date", value: "D", "the date (its end, UTC) or ISO 8601 time to use instead of now"),
      OptionSpec("--list", value: "N", "list N cycles, from the current one"),
      .json,
    ],
    examples: """
      chartpipe cycle
        prints the cycles of today
      chartpipe cycle --date 2026-12-24T09:00:59Z --json
        prints the cycles one second before a change, as JSON
      """)

  private let moment: Instant
  private let listed: Int

  init(_ arguments: ParsedArguments) throws {
    moment = try arguments.time("--date") ?? SystemClock.now
    listed = try arguments.count("--list") ?? 0
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let report = CycleReport(at: moment, listed: listed)
    try console.result(report, text: report.text)
    return nil
  }
}

/// The result of `chartpipe cycle`, as JSON and as a table.
struct CycleReport: Codable, Equatable {
  struct Entry: Codable, Equatable {
    var id: String
    var effective: String
    var expires: String
    var major: Bool

    init(_ edition: Edition) {
      id = edition.id
      effective = edition.effective.description
      expires = edition.expires.description
      major = AiracCycle(at: edition.effective).isMajor
    }
  }

  struct Series: Codable, Equatable {
    var previous: Entry
    var current: Entry
    var next: Entry

    init(at moment: Instant, _ schedule: Schedule) {
      let edition = schedule.edition(at: moment)
      previous = Entry(schedule.edition(before: edition))
      current = Entry(edition)
      next = Entry(schedule.edition(at: edition.expires))
    }
  }

  var date: String
  var nasr: Series
  var charts: Series
  var list: [Entry]?

  init(at moment: Instant, listed: Int) {
    date = moment.description
    nasr = Series(at: moment, .every28Days)
    charts = Series(at: moment, .every56Days)
    if listed > 0 {
      let first = AiracCycle(at: moment)
      list = (0..<listed).map { Entry(first.advanced(by: $0).edition(.every28Days)) }
    }
  }

  var text: String {
    var lines = ["As of \(date)", "", "            cycle  effective              expires"]
    for (title, series) in [("NASR", nasr), ("Charts", charts)] {
      for (role, entry) in [
        ("previous", series.previous), ("current", series.current), ("next", series.next),
      ] {
        lines.append("\(pad(role == "previous" ? title : "", 7))\(row(role, entry))")
      }
      lines.append("")
    }
    for entry in list ?? [] {
      lines.append("\(entry.id)  \(entry.effective)  \(entry.major ? "charts and NASR" : "NASR")")
    }
    return lines.joined(separator: "\n").trimmingSuffix("\n") + "\n"
  }

  private func row(_ role: String, _ entry: Entry) -> String {
    "\(pad(role, 9))\(entry.id)   \(entry.effective)   \(entry.expires)"
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: Character) -> String {
    var text = self
    while text.last == suffix { text.removeLast() }
    return text
  }
}
