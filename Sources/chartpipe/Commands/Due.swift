import Core
import Foundation
import Pipeline
import Site

struct Due: Subcommand {
  static let spec = CommandSpec(
    name: "due", summary: "Tells whether there is something to do today.",
    operands: RunSettings.operands,
    options: [
      OptionSpec(
        "--site", value: "TARGET", required: true,
        "where the cycles are published: an address, s3://bucket/prefix or a folder, also one that is not there yet"
      ),
      SiteArguments.endpoint, .only, .variant,
      OptionSpec("--cycles", "print only the cycles to be made, as --cycle takes them, one a line"),
      .pipelines, .json,
    ],
    examples: [
      (
        "chartpipe due vfr-sectional nasr --site https://charts.example.org/vfr",
        "exit 0 when a cycle is to be made, and 6 when there is nothing to do"
      ),
      (
        "chartpipe due nasr --site s3://charts/vfr --cycles",
        "2612, for `chartpipe run nasr --cycle 2612 --publish s3://charts/vfr`"
      ),
    ])

  private let plan: BuildPlan
  private let site: String
  private let endpoint: String?
  private let onlyCycles: Bool

  init(_ arguments: ParsedArguments) throws {
    plan = try RunSettings.plan(arguments, command: Self.spec.name)
    site = arguments.value("--site") ?? ""
    endpoint = arguments.value(SiteArguments.endpoint.name)
    onlyCycles = arguments.has("--cycles")
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let now = SystemClock.now
    let catalogue = try SiteArguments.site(
      site, endpoint: endpoint, command: Self.spec.name, mayBeMissing: true
    ).catalogue()
    let calendar = DueCalendar(plan.expected, published: catalogue?.products ?? [], now: now)
    if console.json {
      try console.result(json: DueReport(site: site, checked: now.description, calendar))
    } else if onlyCycles {
      try console.result(calendar.due.map { $0.cycle + "\n" }.joined())
    } else {
      try console.result(calendar.text)
    }
    return calendar.due.isEmpty ? .nothingToDo : nil
  }
}

extension DueCalendar {
  fileprivate var text: String {
    let next = nextDay.map { "The next look that may find more is on \($0)." } ?? ""
    if due.isEmpty { return "There is nothing to do. \(next)\n" }
    let lines = due.map { work in
      "Cycle \(work.cycle) (\(work.role.rawValue), effective \(work.effective.prefix(10))) lacks "
        + "\(Counts.of(work.products.count, "product")) of \(work.pipelines.joined(separator: ", ")).\n"
    }
    return lines.joined() + next + "\n"
  }
}

/// The answer of `chartpipe due --json`.
private struct DueReport: Encodable {
  var site: String
  var checked: String
  var due: [DueWork]
  var nextDay: String?

  init(site: String, checked: String, _ calendar: DueCalendar) {
    self.site = site
    self.checked = checked
    due = calendar.due
    nextDay = calendar.nextDay?.description
  }
}

extension BuildPlan {
  /// What a site should have of this plan, and from when on it can be made.
  var expected: [DueCalendar.Expected] { items.map(\.expected) }
}

extension PipelineItem {
  /// How many days before an issue takes effect the FAA brings it out: charts some twenty, the subscription a whole cycle.
  private static let (chartDays, dataDays) = (20, 28)

  fileprivate var expected: DueCalendar.Expected {
    let (cadence, days) =
      switch content {
      case .chart(_, let family), .mosaic(_, let family): (family.cadence, PipelineItem.chartDays)
      case .nasr(let definition): (definition.cadence, PipelineItem.dataDays)
      case .obstacles(let definition): (definition.cadence, PipelineItem.dataDays)
      case .export(_, let origin): (origin.cadence, PipelineItem.dataDays)
      }
    return DueCalendar.Expected(product: product, pipeline: pipeline, cadence: cadence, daysAhead: days)
  }
}
