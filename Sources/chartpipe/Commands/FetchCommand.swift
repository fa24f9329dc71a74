internal import Core
internal import Foundation

extension CommandSpec {
  static let fetch = CommandSpec(
    name: "fetch", summary: "Downloads and checks the sources of a cycle, and records their hashes.",
    operands: RunSettings.operands,
    options: [
      .cycle, .fromAnywhere, .only,
      OptionSpec("--list", "only list present, missing and new files"),
      OptionSpec("--locked", "accept only files with the hashes in the cycle's lock file"),
      OptionSpec(
        "--jobs", value: "N",
        "the number of parallel downloads (default: 4); never more than 4 from one server"),
      BuildOrder.planOption, ShardAssignment.option, .cache, .work, .pipelines, .json,
    ],
    examples: """
      chartpipe fetch vfr-sectional nasr --cycle next --list
        lists the files of the next cycle that the FAA has published
      chartpipe fetch vfr-terminal --cycle current --only Denver
        downloads one zip into work/sources/, where `chartpipe build` and `chartpipe run` find it
      chartpipe fetch --plan plan.json --shard 2/3
        downloads only the sources of one shard of a plan
      """,
    action: runFetch)
}

private func runFetch(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let workspace = arguments.workspace
  let order = try BuildOrder(arguments)
  let cycle = try order.cycle ?? arguments.cycle()
  let shard = try ShardAssignment(order, cycle: cycle, arguments)
  var request = try FetchRequest(
    (shard?.products ?? order.plan).items, cycle,
    from: SourceOrigin(arguments.value("--from")),
    into: workspace, cache: arguments.value("--cache"))
  request.jobs = try arguments.downloads()
  request.isLocked = arguments.has("--locked")
  if arguments.has("--list") {
    let report = FetchReport(request, try SourceFetcher(request, progress: SilentProgress()).list())
    try console.result(report, text: report.table)
    // A file that is not published is a result; a server that does not respond is a failure.
    return report.sources.contains { $0.state == .failed } ? report.verdict : nil
  }
  if let folder = request.origin.localFolder { try SourceFolder.check(folder) }
  let lock = try workspace.lock()
  defer { withExtendedLifetime(lock) {} }
  let report = FetchReport(request, try SourceFetcher(request, progress: console.progress).fetch())
  try console.result(report, text: report.paths)
  if !report.sources.isEmpty { console.note(report.summary) }
  return report.verdict
}

/// The result of `chartpipe fetch`, as JSON and as text.
struct FetchReport: Encodable {
  struct Source: Encodable {
    var path: String
    var state: FetchedSource.State
    var bytes: Int?
    /// The bytes that were downloaded.
    var received: Int
    var sha256: String?
    var url: String?
    var products: [String]
    var problem: String?
  }

  var cycle: String
  var folder: String
  var sources: [Source]
  private let faults: [UserError]

  private enum CodingKeys: CodingKey {
    case cycle, folder, sources
  }

  init(_ request: FetchRequest, _ fetched: [FetchedSource]) {
    cycle = request.cycle.identifier
    folder = request.folder.path
    faults = fetched.compactMap(\.error)
    sources = fetched.map {
      Source(
        path: $0.path, state: $0.state, bytes: $0.bytes, received: $0.received, sha256: $0.sha256?.text,
        url: $0.url?.withoutPasswords, products: $0.products, problem: $0.error?.message)
    }
  }

  /// Nil on success; `partlyDone` if some files failed.
  var verdict: UserError.Kind? {
    guard let first = faults.first else { return nil }
    if faults.count < sources.count { return .partlyDone }
    return faults.allSatisfy { $0.kind == first.kind } ? first.kind : .failed
  }

  var summary: String {
    let had = sources.filter { [.here, .fetched].contains($0.state) }
    let received = sources.reduce(0) { $0 + $1.received }
    let failed = faults.isEmpty ? "" : ", \(faults.count) failed"
    return "\(Counts.of(had.count, "source")), \(Counts.bytes(had.reduce(0) { $0 + ($1.bytes ?? 0) }))"
      + "\(failed); \(Counts.bytes(received)) downloaded."
  }

  /// The files that are there.
  var paths: String {
    sources.filter { $0.sha256 != nil }.map { "\(folder)/\($0.path)\n" }.joined()
  }

  /// One line per file: the state, the size, the name, and its address or the error.
  var table: String {
    let width = sources.map(\.path.count).max() ?? 0
    return sources.map { source in
      let size = source.bytes.map(Counts.bytes) ?? "-"
      let about = source.problem?.prefix { $0 != "\n" } ?? source.url?[...] ?? ""
      return source.state.rawValue.padded(to: 8) + size.aligned(to: 9)
        + "  \(source.path.padded(to: width))  \(about)\n"
    }.joined()
  }
}
