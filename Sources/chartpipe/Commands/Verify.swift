import Core
import Foundation
import Pipeline
import Site
import Validation

struct Verify: Subcommand {
  static let spec = CommandSpec(
    name: "verify", summary: "Tells whether what is published is whole, signed and current.",
    operands: OperandSpec(
      name: "SITE",
      help: "the folder of a site, or its address: https://charts.example.org/vfr, s3://charts/vfr",
      minimum: 1,
      maximum: 1),
    options: [
      SiteArguments.publicKey,
      OptionSpec("--quick", "ask only for the sizes of the files, and read none"),
      OptionSpec(
        "--state", value: "FILE", "remember the catalogue in FILE, and refuse an older one the next time"),
      OptionSpec(
        "--prometheus", value: "FILE",
        "write what was found as metrics, for node_exporter's textfile collector"
      ),
      JobPage.option, SiteArguments.endpoint, SiteArguments.jobs, .json,
    ],
    examples: [
      (
        "chartpipe verify work/site",
        "every file by its hash, every date by the clock; exit 4 when something is wrong"
      ),
      (
        "chartpipe verify https://charts.example.org/vfr --public-key chartpipe.key.pub --state seen.json",
        "the signature and the serial too; exit 1 when the site cannot be reached"
      ),
    ])

  private let operand: String
  private let endpoint: String?
  private let key: VerifyingKey?
  private let isQuick: Bool
  private let memory: SiteMemory?
  private let metrics: URL?
  private let page: JobPage
  private let jobs: Int

  init(_ arguments: ParsedArguments) throws {
    operand = arguments.operands[0]
    endpoint = arguments.value(SiteArguments.endpoint.name)
    key = try SiteArguments.key(arguments, command: Self.spec.name)
    isQuick = arguments.has("--quick")
    memory = arguments.value("--state").map { SiteMemory(file: URL(filePath: $0)) }
    metrics = arguments.value("--prometheus").map { URL(filePath: $0) }
    page = JobPage(arguments)
    jobs = try SiteArguments.jobs(arguments, command: Self.spec.name)
    _ = try SiteArguments.site(operand, endpoint: endpoint, command: Self.spec.name)
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let now = SystemClock.now
    let seen = try memory?.read()
    let report: HealthReport
    do {
      report = try examine(seen, now, console)
    } catch let fault as UserError where fault.kind == .failed {
      // Who watches from afar would otherwise go on believing what was true yesterday.
      try metrics?.writeAnswer(HealthMetrics(unreachable: operand, at: now).data)
      page.mark(.error, title: "verify", fault.message)
      try page.append(HealthPage.unreachable(operand, fault))
      throw fault
    }
    try memory?.write(report.seen)
    try metrics?.writeAnswer(HealthMetrics(report, at: now).data)
    for finding in report.findings { page.mark(finding) }
    try page.append(HealthPage.text(report))
    if console.json {
      try console.result(json: report)
    } else {
      try console.result(report.text)
    }
    return report.ok ? nil : .refused
  }

  private func examine(
    _ seen: SeenCatalogue?, _ now: Instant, _ console: Console
  ) throws -> HealthReport {
    let site = try SiteArguments.site(operand, endpoint: endpoint, command: Self.spec.name)
    let request = SiteHealth.Request(signedBy: key, now: now, seen: seen, isQuick: isQuick, jobs: jobs)
    return try SiteHealth(site, request).examine(progress: console.progress)
  }
}

/// The file in which the highest serial that was seen is kept.
private struct SiteMemory {
  let file: URL

  func read() throws -> SeenCatalogue? {
    guard file.kindOnDisk != nil else { return nil }
    do {
      return try JSONDecoder().decode(SeenCatalogue.self, from: try Data(contentsOf: file))
    } catch {
      throw UserError(
        .badInput, operation: "reading", path: file.path, reason: "it is not what an earlier call wrote",
        suggestion: "Name another file, or remove this one to start again.", causes: [error])
    }
  }

  func write(_ seen: SeenCatalogue?) throws {
    if let seen { try file.writeAnswer(try CanonicalJSON.pretty(seen)) }
  }
}
