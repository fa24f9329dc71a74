internal import Core
internal import Foundation

extension CommandSpec {
  static let verify = CommandSpec(
    name: "verify", summary: "Checks whether a published site is complete, signed and current.",
    operands: OperandSpec(
      name: "SITE",
      help: "the folder of a site, or its address: https://charts.example.org/vfr, s3://charts/vfr",
      places: [.site]),
    options: [
      .publicKey,
      OptionSpec(
        "--at", value: "DATE", "check as of this date (its end, UTC) or ISO 8601 time instead of now"),
      OptionSpec("--live", "check the snapshots of live.json instead of the cycles of catalog.json"),
      OptionSpec("--quick", "check only the sizes of files, without reading them"),
      SiteMemory.option,
      OptionSpec(
        "--prometheus", value: "FILE",
        "write the results as metrics for node_exporter's textfile collector"
      ),
      JobPage.option, .endpoint, .downloads, .json,
    ],
    examples: """
      chartpipe verify work/site
        checks the hash of each file and the dates; exit 4 if it finds an error
      chartpipe verify work/site --at 2023-05-01
        checks the site of the sample cycle, which has expired
      chartpipe verify https://charts.example.org/vfr --public-key chartpipe.key.pub --state seen.json
        also checks the signature and the serial; exit 1 if the site cannot be reached
      chartpipe verify https://charts.example.org/vfr --live --public-key chartpipe.key.pub
        checks that the snapshots of TFRs and weather are complete and may be used now
      """,
    action: runVerify)
}

private func runVerify(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let operand = arguments.operands[0]
  let key = try arguments.publicKey()
  let memory = try SiteMemory(arguments)
  let metrics = try OutputFile("--prometheus", of: arguments, .metrics)
  let page = try JobPage(arguments)
  let jobs = try arguments.downloads()
  let time = try arguments.time("--at")
  if time != nil, metrics != nil {
    throw arguments.usageError("--prometheus cannot be given with --at: monitoring needs the state of now")
  }
  let (now, seen) = (time ?? SystemClock.now, try memory?.read())
  let report: HealthReport
  do {
    var health = SiteHealth(
      site: try arguments.site(operand), verifier: key, now: now, seen: seen,
      isQuick: arguments.has("--quick"), jobs: jobs)
    if arguments.has("--live") { health.channel = .live }
    report = try health.check(progress: console.progress)
  } catch let fault as UserError where [.failed, .badCall].contains(fault.kind) {
    // Otherwise the metrics would keep the values of an earlier check.
    try metrics?.write(HealthMetrics(site: operand, checked: now, report: nil).data)
    page.mark(.error, title: "verify", fault.message)
    try page.append(JobPage.unreachable(operand, fault))
    throw fault
  }
  try memory?.write(report.seen)
  try metrics?.write(HealthMetrics(site: report.site, checked: now, report: report).data)
  for finding in report.findings { page.mark(finding) }
  try page.append(JobPage.health(report))
  try console.result(report, text: report.text)
  return report.ok ? nil : .refused
}

/// The file that stores the highest serial of the catalogue so far.
struct SiteMemory {
  static let option = OptionSpec(
    "--state", value: "FILE", "remember the catalogue in FILE, and reject an older one at the next call")

  let file: OutputFile

  init?(_ arguments: ParsedArguments) throws {
    guard let file = try OutputFile(Self.option.name, of: arguments, .state) else { return nil }
    self.file = file
  }

  func read() throws -> SeenCatalogue? {
    guard file.url.kindOnDisk != nil else { return nil }
    return try UserError.wrapping(
      "reading", file.url.path, "it is not a state file of chartpipe",
      kind: .badInput, suggestion: "Name another file, or delete this one to start again."
    ) { try JSONDecoder().decode(SeenCatalogue.self, from: try Data(contentsOf: file.url)) }
  }

  func write(_ seen: SeenCatalogue?) throws {
    if let seen { try file.write(try CanonicalJSON.pretty(seen)) }
  }
}
