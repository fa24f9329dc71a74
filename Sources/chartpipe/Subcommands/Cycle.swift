import Core
import Foundation
import Pipeline

struct Cycle: Subcommand {
  static let spec = CommandSpec(
    name: "cycle", summary: "Shows which AIRAC cycles are current, next and previous.",
    options: [
      OptionSpec("--date", value: "D", "as of a date (that day's end, UTC) or an ISO 8601 time"),
      OptionSpec("--list", value: "N", "list the N cycles from the current one on"),
      .json,
    ],
    examples: [
      ("chartpipe cycle", "the cycles of today"),
      ("chartpipe cycle --date 2026-12-24T09:00:59Z --json", "a second before a change, for a machine"),
    ])

  private let moment: Instant
  private let listed: Int

  init(_ arguments: ParsedArguments) throws {
    if let text = arguments.value("--date") {
      guard let moment = Instant(text) else {
        throw Self.fault("\"\(text)\" is no date", remedy: "Write 2026-11-26 or 2026-11-26T09:01:00Z.")
      }
      self.moment = moment
    } else {
      moment = SystemClock.now
    }
    listed = try arguments.count("--list", command: Self.spec.name) ?? 0
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let report = CycleReport(at: moment, listed: listed)
    if console.json { try console.result(json: report) } else { try console.result(report.text) }
    return nil
  }
}
