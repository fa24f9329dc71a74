internal import Core
internal import Foundation

/// The settings of `build` and `run`, from their options.
struct RunSettings: Sendable {
  let plan: BuildPlan
  let cycle: AiracCycle
  let workspace: Workspace
  /// The value of `--from`.
  let place: SourceOrigin?
  /// Whether the products come from other machines, so that no source is needed.
  private(set) var isJoining = false
  let jobs: Int
  /// The largest size of the work folder in bytes; nil without a limit.
  private(set) var maxDisk: Int?
  /// The value of `--cache`; nil for the default cache.
  private(set) var cache: String?
  /// Whether to read all files instead of trusting their sizes and times.
  private(set) var rehashes = false

  static let options: [OptionSpec] = [.cycle, .from] + otherOptions
  static let otherOptions: [OptionSpec] =
    [.only, .variant, .rawTables, .jobs, .maxDisk, rehash, .work, .pipelines, .json]
  private static let rehash = OptionSpec(
    "--rehash", "read all files again, instead of trusting those whose size and times are unchanged")
  static let operands = OperandSpec(
    name: "PIPELINE", help: "a definition in the pipelines folder, or the path of one", maximum: nil)
}

extension RunSettings {
  init(_ arguments: ParsedArguments) throws { try self.init(BuildOrder(arguments), arguments) }

  /// - Parameter isJoining: whether the products of other machines take the place of sources.
  init(_ order: BuildOrder, _ arguments: ParsedArguments, isJoining: Bool = false) throws {
    self.isJoining = isJoining
    plan = order.plan
    cycle = try order.cycle ?? arguments.cycle()
    workspace = arguments.workspace
    place = try arguments.value("--from").map { try SourceOrigin($0) }
    jobs = try arguments.jobs()
    maxDisk = try arguments.maxDisk()
    cache = arguments.value(OptionSpec.cache.name)
    rehashes = arguments.has(RunSettings.rehash.name)
  }

  /// The folder with the sources: the one from `--from`, or the cycle's folder in the work folder, or, if only the user put
  /// files there, the whole sources folder.
  var from: URL {
    if let folder = place?.localFolder { return folder }
    return workspace.sources(cycle: cycle.identifier).kindOnDisk != .folder && hasLooseSources
      ? workspace.sources : workspace.sources(cycle: cycle.identifier)
  }

  /// The files of the sources folder. A shard for which no file was fetched has no folder: each of its products fails.
  func sourceFolder(_ hashes: FileHashes, isShard: Bool = false) throws -> SourceFolder {
    let isEmpty = isJoining || isShard && place == nil && from.kindOnDisk == nil
    return try isEmpty ? SourceFolder(empty: from) : SourceFolder(from, hashes: hashes)
  }

  /// The origin of downloads; nil if the run uses the files of a folder.
  var origin: SourceOrigin? {
    switch place {
    case .folder: nil
    case let mirror?: mirror
    case nil: isJoining || from.kindOnDisk == .folder && !isFetched ? nil : .publisher
    }
  }

  /// Whether the cycle's sources were downloaded, at least in part, rather than supplied by the user.
  private var isFetched: Bool {
    workspace.sources(cycle: cycle.identifier).appending(path: SourceLock.name).kindOnDisk == .file
  }

  /// Whether the sources folder contains files other than the folders of cycles.
  private var hasLooseSources: Bool { workspace.sources.names.contains { AiracCycle(identifier: $0) == nil } }

  static func folder(_ path: String) -> URL {
    URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
  }
}

extension ParsedArguments {
  /// The cycle from `--cycle`.
  func cycle() throws -> AiracCycle {
    guard let text = value(OptionSpec.cycle.name) else {
      throw usageError("\(OptionSpec.cycle.usage) is missing")
    }
    return try cycle(text)
  }

  func cycle(_ text: String) throws -> AiracCycle { try cycle(text, at: SystemClock.now) }

  func cycle(_ text: String, at now: Instant) throws -> AiracCycle {
    let relative = ["previous": -1, "current": 0, "next": 1]
    if let step = relative[text] { return AiracCycle(at: now).advanced(by: step) }
    let day = CalendarDay(text)
    guard day != nil || text.wholeMatch(of: /[0-9]{4}/) != nil else {
      throw usageError(
        "\"\(text)\" names no cycle",
        remedy: "Write current, next, previous, an effective date or an identifier such as 2612.")
    }
    let inForce = day.map { AiracCycle(at: Instant($0, hour: 9, minute: 1)) } ?? AiracCycle(identifier: text)
    guard let inForce, inForce.hasIdentifier else {
      throw usageError(
        "there is no AIRAC cycle \(text)",
        remedy: "A year has 13 or 14 cycles; `chartpipe cycle --list 14` shows them.")
    }
    // A day inside a cycle could mean either neighbour.
    guard let day, inForce.effectiveDay != day else { return inForce }
    throw usageError(
      "no cycle takes effect on \(day)",
      remedy: "In force on that day is \(inForce.dated); the next one is \(inForce.advanced(by: 1).dated).")
  }
}

extension FetchRequest {
  /// - Parameters:
  ///   - cache: the value of `--cache`; nil for the default cache.
  ///   - limit: the largest size of the work folder.
  init(
    _ items: [any PipelineItem], _ cycle: AiracCycle, from origin: SourceOrigin, into workspace: Workspace,
    cache: String? = nil, limit: Int? = nil
  ) {
    self.init(
      requirements: SourceRequirement.all(of: items, for: cycle), cycle: cycle, origin: origin,
      folder: workspace.sources(cycle: cycle.identifier), cache: SourceCache(named: cache),
      room: DiskSpace(workspace.root, limit: limit), now: SystemClock.now)
  }
}

extension SourceCache {
  /// - Parameter name: the value of `--cache`; nil for the default cache.
  init(named name: String?) {
    self.init(name.map(RunSettings.folder) ?? SourceCache.defaultFolder(ProcessInfo.processInfo.environment))
  }
}
