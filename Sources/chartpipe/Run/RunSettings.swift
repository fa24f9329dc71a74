internal import Core
internal import Foundation

/// The settings of `build` and `run`, from their options.
struct RunSettings: Sendable {
  let plan: BuildPlan
  /// The clock is read once, so that a run builds one edition of each product.
  let date: RunDate
  let workspace: Workspace
  /// The value of `--from`.
  private let place: Place?
  let jobs: Int
  let engine: WarpEngine
  /// The largest size of the work folder in bytes; nil without a limit.
  private(set) var maxDisk: Int?
  /// The value of `--cache`; nil for the default cache.
  private(set) var cache: String?
  /// Whether to read all files instead of trusting their sizes and times.
  private(set) var rehashes = false

  private enum Place {
    case folder(URL)
    case mirror(SourceOrigin)
    /// The products come from other machines.
    case parts
  }

  static let options: [OptionSpec] = [.cycle, .from] + otherOptions
  static let otherOptions: [OptionSpec] =
    [
      .only, .variant, .rawTables, .jobs, .engine,
    ] + [.maxDisk, rehash, .work, .pipelines, .json]
  private static let rehash = OptionSpec(
    "--rehash", "read all files again, instead of trusting those whose size and times are unchanged")
  static let operands = OperandSpec(
    name: "PIPELINE", help: "a definition in the pipelines folder, or the path of one", minimum: 1)

  /// - Parameter from: the folder with the sources; nil to fetch them.
  init(
    plan: BuildPlan, date: RunDate, from: URL?, workspace: Workspace, jobs: Int, engine: WarpEngine,
    cache: String? = nil
  ) {
    self.plan = plan
    self.date = date
    self.cache = cache
    place = from.map { .folder($0) }
    self.workspace = workspace
    self.jobs = jobs
    self.engine = engine
  }

  /// The settings of `join`, which has the products of other machines instead of sources.
  init(joining order: BuildOrder, cycle: AiracCycle, _ arguments: ParsedArguments, command: String) throws {
    plan = order.plan
    date = RunDate(cycle: cycle, now: SystemClock.now)
    workspace = arguments.workspace
    place = .parts
    jobs = try arguments.jobs(command: command)
    engine = try RunSettings.engine(order.selection.engine, command: command)
    maxDisk = try arguments.maxDisk(command: command)
    cache = arguments.value(OptionSpec.cache.name)
  }

  init(_ arguments: ParsedArguments, command: String) throws {
    try self.init(BuildOrder(arguments, command: command), arguments, command: command)
  }

  init(_ order: BuildOrder, _ arguments: ParsedArguments, command: String) throws {
    plan = order.plan
    date = RunDate(
      cycle: try order.cycle ?? RunSettings.cycle(arguments, command: command), now: SystemClock.now)
    workspace = Workspace(RunSettings.folder(arguments.value("--work") ?? "work"))
    place = try arguments.value("--from").map {
      SourceOrigin.isAddress($0) ? .mirror(try SourceOrigin($0)) : .folder(RunSettings.folder($0))
    }
    jobs = try arguments.jobs(command: command)
    engine = try RunSettings.engine(order.selection.engine, command: command)
    maxDisk = try arguments.maxDisk(command: command)
    cache = arguments.value(OptionSpec.cache.name)
    rehashes = arguments.has(RunSettings.rehash.name)
  }

  var cycle: AiracCycle { date.cycle }

  /// The folder with the sources: the one from `--from`, or the cycle's folder in the work folder, or, if only the user put
  /// files there, the whole sources folder.
  var from: URL {
    if case .folder(let folder) = place { return folder }
    return workspace.sources(cycle: cycle.identifier).kindOnDisk != .folder && hasLooseSources
      ? workspace.sources : workspace.sources(cycle: cycle.identifier)
  }

  /// Throws an error if the folder of `--from` cannot be read. Without this check, a run would create its work folder first.
  func checkSources() throws {
    if case .folder(let folder) = place { try SourceFolder.check(folder) }
  }

  /// The files of the sources folder.
  func sourceFolder(_ hashes: FileHashes) throws -> SourceFolder {
    if case .parts = place { return SourceFolder(empty: from) }
    return try SourceFolder(from, hashes: hashes)
  }

  /// The origin of downloads; nil if the run uses the files of a folder.
  var origin: SourceOrigin? {
    switch place {
    case .folder, .parts: nil
    case .mirror(let mirror): mirror
    case nil: from.kindOnDisk == .folder && !isFetched ? nil : .publisher
    }
  }

  /// Whether the cycle's sources were downloaded, at least in part, rather than supplied by the user.
  private var isFetched: Bool {
    workspace.sources(cycle: cycle.identifier).appending(path: SourceLock.name).kindOnDisk == .file
  }

  /// Whether the sources folder contains files other than the folders of cycles.
  private var hasLooseSources: Bool {
    workspace.sources.names.contains { AiracCycle(identifier: $0) == nil }
  }

  static func engine(_ name: String?, command: String) throws -> WarpEngine {
    guard let name else { return .kernel }
    if let engine = WarpEngine(rawValue: name) { return engine }
    throw ParsedArguments.usageError(
      command,
      "--engine takes \(WarpEngine.allCases.map(\.rawValue).joined(separator: " or ")), not \"\(name)\"")
  }

  static func folder(_ path: String) -> URL {
    URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
  }

  static func cycle(_ arguments: ParsedArguments, command: String) throws -> AiracCycle {
    try cycle(arguments.value("--cycle") ?? "", command: command)
  }

  static func cycle(_ text: String, command: String) throws -> AiracCycle {
    do {
      return try CycleSelector(text).cycle(at: SystemClock.now)
    } catch {
      throw ParsedArguments.usageError(command, error.problem, remedy: error.remedy)
    }
  }
}

extension CycleSelector.Misreading {
  var problem: String {
    switch self {
    case .notAnEffectiveDay(let day, _, _): "no cycle takes effect on \(day)"
    case .noSuchIdentifier(let text): "there is no AIRAC cycle \(text)"
    case .unreadable(let text): "\"\(text)\" names no cycle"
    }
  }

  var remedy: String {
    switch self {
    case .notAnEffectiveDay(_, let inForce, let following):
      "In force on that day is \(inForce.dated); the next one is \(following.dated)."
    case .noSuchIdentifier: "A year has 13 or 14 cycles; `chartpipe cycle --list 14` shows them."
    case .unreadable: "Write current, next, previous, an effective date or an identifier such as 2612."
    }
  }
}

/// The folder of definitions: the one from `--pipelines`, or ./pipelines, or the installed folder.
enum DefinitionsFolder {
  static func url(_ named: String?) -> URL {
    if let named { return RunSettings.folder(named) }
    let here = RunSettings.folder("pipelines")
    guard here.kindOnDisk != .folder, let installed, installed.kindOnDisk == .folder else { return here }
    return installed
  }

  /// `/usr/local/share/chartpipe/pipelines` for `/usr/local/bin/chartpipe`.
  private static var installed: URL? {
    Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "share/chartpipe/pipelines")
  }
}

extension FetchRequest {
  /// - Parameters:
  ///   - cache: the value of `--cache`; nil for the default cache.
  ///   - limit: the largest size of the work folder.
  init(
    _ items: [any PipelineItem], _ date: RunDate, from origin: SourceOrigin, into workspace: Workspace,
    cache: String? = nil, limit: Int? = nil
  ) {
    self.init(
      requirements: SourceRequirement.all(of: items, for: date), cycle: date.cycle, origin: origin,
      folder: workspace.sources(cycle: date.cycle.identifier), cache: SourceCache(named: cache),
      room: DiskSpace(workspace.root, limit: limit), now: date.now)
  }
}

extension SourceCache {
  /// - Parameter name: the value of `--cache`; nil for the default cache.
  init(named name: String?) {
    self.init(name.map(RunSettings.folder) ?? SourceCache.defaultFolder(ProcessInfo.processInfo.environment))
  }
}
