internal import Core
internal import Foundation

struct Due: Subcommand {
  static let spec = CommandSpec(
    name: "due", summary: "Reports which cycles can be built and are not yet published.",
    operands: RunSettings.operands,
    options: [
      OptionSpec(
        "--site", value: "TARGET",
        "the published site: an address, s3://bucket/prefix or a folder, which may be missing; without it, only "
          + "the calendar counts, as if nothing were published"
      ).taking(.site),
      SiteArguments.publicKey, SiteArguments.endpoint, .only, .variant,
      SiteMemory.option,
      OptionSpec("--cycles", "print only the identifiers of the cycles to build, one per line"),
      .pipelines, .json,
    ],
    examples: [
      (
        "chartpipe due vfr-sectional nasr --site https://charts.example.org/vfr",
        "exit 0 if a cycle can be built, 6 if there is nothing to do"
      ),
      (
        "chartpipe due nasr --site s3://charts/vfr --cycles",
        "prints 2612, for `chartpipe run nasr --cycle 2612 --publish s3://charts/vfr`"
      ),
      (
        "chartpipe due vfr-sectional nasr",
        "lists the cycles whose sources the FAA should have published by now"
      ),
    ])

  private let plan: BuildPlan
  /// Nil to use the calendar alone.
  private let site: String?
  private let endpoint: String?
  private let memory: SiteMemory?
  private let key: VerifyingKey?
  private let onlyCycles: Bool

  init(_ arguments: ParsedArguments) throws {
    plan = try BuildOrder.plan(arguments, command: Self.spec.name)
    site = arguments.value("--site")
    for option in [SiteArguments.endpoint.name, SiteArguments.publicKey.name, SiteMemory.option.name]
    where site == nil && arguments.value(option) != nil {
      throw ParsedArguments.usageError(Self.spec.name, "\(option) needs --site")
    }
    endpoint = arguments.value(SiteArguments.endpoint.name)
    memory = try SiteMemory(arguments)
    key = try SiteArguments.key(arguments, command: Self.spec.name)
    onlyCycles = arguments.has("--cycles")
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let now = SystemClock.now
    let read = try site.flatMap { site in
      try SiteArguments.site(site, endpoint: endpoint, command: Self.spec.name, mayBeMissing: true)
        .catalogue(signedBy: key, after: memory?.read(), from: memory?.file.url)
    }
    try memory?.write(read?.seen)
    let catalogue = read?.catalogue
    let calendar = DueCalendar(
      plan.expected, published: catalogue?.products ?? [], until: catalogue?.term, now: now)
    if console.json {
      try console.result(json: DueReport(site: site, checked: now.description, calendar))
    } else if onlyCycles {
      try console.result(calendar.cycles.map { "\($0)\n" }.joined())
    } else {
      try console.result(site == nil ? calendar.text(verb: "has") : calendar.text(verb: "lacks"))
    }
    return calendar.cycles.isEmpty ? .nothingToDo : nil
  }
}

extension DueCalendar {
  /// - Parameter verb: "lacks" for the products that a site lacks; "has" for those that can be built.
  fileprivate func text(verb: String) -> String {
    let next = nextDay.map { "Check again on \($0)." } ?? ""
    if cycles.isEmpty { return "There is nothing to do. \(next)\n" }
    let ending = expires.map { time in
      "The catalogue is valid until \(time): publish cycle \(current) again, or run `chartpipe publish --renew`.\n"
    }
    let lines = due.map { work in
      "Cycle \(work.cycle) (\(work.role.rawValue), effective \(work.effective.day)) \(verb) "
        + "\(Counts.of(work.products.count, "product")) of \(work.pipelines.joined(separator: ", ")).\n"
    }
    return lines.joined() + (ending ?? "") + next + "\n"
  }
}

/// The result of `chartpipe due --json`.
private struct DueReport: Encodable {
  /// Nil if only the calendar was used.
  var site: String?
  var checked: String
  var due: [DueWork]
  var nextDay: String?
  /// When the catalogue expires, if it has to be renewed.
  var expires: String?

  init(site: String?, checked: String, _ calendar: DueCalendar) {
    self.site = site
    self.checked = checked
    due = calendar.due
    nextDay = calendar.nextDay?.description
    expires = calendar.expires?.description
  }
}

extension BuildPlan {
  /// The products of this plan that a site should have, each with the day from which it can be built.
  var expected: [DueCalendar.Expected] {
    items.map {
      DueCalendar.Expected(
        product: $0.product, pipeline: $0.pipeline, schedule: $0.schedule, daysAhead: $0.daysAhead)
    }
  }
}
