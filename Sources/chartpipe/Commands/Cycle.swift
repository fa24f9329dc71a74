internal import Core

extension CommandSpec {
  static let cycle = CommandSpec(
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
      """,
    action: runCycle)
}

private func runCycle(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let moment = try arguments.time("--date") ?? SystemClock.now
  let report = CycleReport(at: moment, listed: try arguments.count("--list") ?? 0)
  try console.result(report, text: report.text)
  return nil
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
    let all = [("NASR", nasr), ("Charts", charts)].map { title, series in
      row(title, "previous", series.previous) + row("", "current", series.current)
        + row("", "next", series.next)
    }
    let listed = (list ?? []).map { "\($0.id)  \($0.effective)  \($0.major ? "charts and NASR" : "NASR")\n" }
    return "As of \(date)\n\n            cycle  effective              expires\n"
      + all.joined(separator: "\n")
      + (listed.isEmpty ? "" : "\n" + listed.joined())
  }

  private func row(_ title: String, _ role: String, _ entry: Entry) -> String {
    "\(title.padded(to: 7))\(role.padded(to: 9))\(entry.id)   \(entry.effective)   \(entry.expires)\n"
  }
}
