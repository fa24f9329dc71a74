internal import Core

extension CommandSpec {
  static let due = CommandSpec(
    name: "due", summary: "Reports which cycles can be built and are not yet published.",
    operands: RunSettings.operands,
    options: [
      OptionSpec(
        "--site", value: "TARGET", naming: .site,
        "the published site: an address, s3://bucket/prefix or a folder, which may be missing; without it, only the calendar counts, as if nothing were published"
      ),
      .publicKey, .endpoint, .only, .variant, SiteMemory.option,
      OptionSpec("--cycles", "print only the identifiers of the cycles to build, one per line"),
      .pipelines, .json,
    ],
    examples: """
      chartpipe due vfr-sectional nasr --site https://charts.example.org/vfr
        exit 0 if a cycle can be built, 6 if there is nothing to do
      chartpipe due nasr --site s3://charts/vfr --cycles
        prints 2612, for `chartpipe run nasr --cycle 2612 --publish s3://charts/vfr`
      chartpipe due vfr-sectional nasr
        lists the cycles whose sources the FAA should have published by now
      """,
    action: runDue)
}

private func runDue(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let plan = try BuildOrder.plan(ProductSelection(arguments), arguments)
  let options: [OptionSpec] = [.endpoint, .publicKey, SiteMemory.option]
  for option in options where arguments.value("--site") == nil && arguments.value(option.name) != nil {
    throw arguments.usageError("\(option.name) needs --site")
  }
  // Without a site, the calendar alone counts.
  let site = arguments.value("--site")
  let memory = try SiteMemory(arguments)
  let key = try arguments.publicKey()
  let now = SystemClock.now
  let read = try site.flatMap { site in
    try arguments.site(site, mayBeMissing: true)
      .catalogue(signedBy: key, after: memory?.read(), from: memory?.file.url)
  }
  try memory?.write(read?.seen)
  let catalogue = read?.catalogue
  let calendar = DueCalendar(
    plan.expected, published: catalogue?.products ?? [], until: catalogue?.term, now: now)
  let text =
    arguments.has("--cycles")
    ? calendar.cycles.map { "\($0)\n" }.joined() : calendar.text(verb: site == nil ? "has" : "lacks")
  let report = DueReport(
    site: site, checked: now, due: calendar.due, nextDay: calendar.nextDay, expires: calendar.expires)
  try console.result(report, text: text)
  return calendar.cycles.isEmpty ? .nothingToDo : nil
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
  var checked: Instant
  var due: [DueWork]
  var nextDay: CalendarDay?
  /// When the catalogue expires, if it has to be renewed.
  var expires: Instant?
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
