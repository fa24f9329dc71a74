internal import Core
internal import Foundation

/// What follows the build of a cycle in `run` and `join`: validation, staging, publishing and the summary.
struct CycleRelease: Sendable {
  static let options: [OptionSpec] = [
    .accept, .strict, .key,
    OptionSpec(
      "--publish", value: "TARGET",
      "publish the site like `chartpipe publish`: to a folder or s3://bucket/prefix"),
    .validFor, .endpoint, .siteURL,
    JobPage.option, prune,
  ]

  private static let prune = OptionSpec(
    "--prune",
    "after a run without errors, delete old data: cycles that took effect \(RunSettings.daysKept) days ago or earlier, files that the catalogue of the work folder's site does not name, and downloads that no cycle needs"
  )

  private let command: String
  private let settings: RunSettings
  /// The options of staging, without products.
  private let staging: StageRequest
  private let publication: (target: PublishTarget, options: PublishOptions)?
  private let page: JobPage
  private let prunes: Bool

  init(_ settings: RunSettings, _ arguments: ParsedArguments) throws {
    (self.settings, command) = (settings, arguments.command)
    let key = try arguments.signingKey()
    publication = try arguments.value("--publish").map {
      (try arguments.publishTarget($0), try arguments.publishOptions(key: key))
    }
    page = try JobPage(arguments)
    prunes = arguments.has(Self.prune.name)
    staging = try StageRequest(builds: [], site: settings.workspace.site, key: key, arguments)
  }

  /// - Parameter build: builds the products in the work folder.
  func run(_ console: Console, build: (PipelineRun) throws -> RunOutcome) throws -> UserError.Kind? {
    var answer = RunAnswer(cycle: settings.cycle)
    do {
      let verdict = try work(console, &answer, build)
      if console.json { try console.result(json: answer) }
      return verdict
    } catch let error as UserError {
      answer.error = error.message
      if console.json { try console.result(json: answer) }
      page.mark(.error, title: command, error.message)
      try page.append(JobPage.ended(settings.cycle, by: error))
      throw error
    }
  }

  private func work(
    _ console: Console, _ answer: inout RunAnswer, _ build: (PipelineRun) throws -> RunOutcome
  ) throws -> UserError.Kind? {
    try Stager.checkKey(staging.key, site: settings.workspace.site)
    let run = try PipelineRun(settings, console)
    let workspace = settings.workspace
    for folder in [workspace.site, workspace.build, workspace.sources, workspace.journal, workspace.scratch] {
      try publication?.target.checkOutside(of: folder)
    }
    var staging = staging
    if let publication {
      staging.published = try Publisher.preflight(
        publication.target, publication.options, before: settings.cycle, progress: console.progress)
    }
    var outcome = try build(run)
    answer.outcome = outcome
    for failure in outcome.failures {
      page.mark(.error, title: failure.step.description, failure.error.message)
    }
    // Steps without a product can succeed while every product fails, as on a full disk.
    guard outcome.results.contains(where: { $0.description != nil }) else {
      try page.append(JobPage.run(settings.cycle, outcome, run.figures()))
      return try run.close(outcome)
    }
    let staged = try run.stage(&outcome, staging)
    (answer.outcome, answer.staged) = (outcome, staged)
    if !console.json { try console.show(staged) }
    for held in staged.held { page.mark(.error, title: held.id, "held back: \(held.message)") }
    let published = try publication.map { try run.publish(workspace.site, to: $0.target, $0.options) }
    answer.published = published
    if let published, !console.json { try console.result(published.text) }
    for message in published?.warnings ?? [] { page.mark(.warning, title: "publish", message) }
    try page.append(JobPage.run(settings.cycle, outcome, run.figures(), staged: staged, published: published))
    if prunes, outcome.verdict == nil, staged.held.isEmpty {
      try settings.removeOldCycles(console)
    }
    return try run.close(outcome, held: staged.held, published: published)
  }
}

/// The result of `run` and `join` as JSON, also of one that ended with an error.
private struct RunAnswer: Encodable {
  let cycle: AiracCycle
  var outcome: RunOutcome?
  var staged: StagedSite?
  var published: PublishReport?
  var error: String?

  private enum CodingKeys: CodingKey { case cycle, failed, published, error }

  /// The keys of a staging are beside the others.
  func encode(to encoder: any Encoder) throws {
    try staged?.encode(to: encoder)
    var keys = encoder.container(keyedBy: CodingKeys.self)
    try keys.encode(cycle, forKey: .cycle)
    let failures = (outcome?.failures ?? []).map {
      ["step": $0.step.description, "message": $0.error.message]
    }
    try keys.encode(failures, forKey: .failed)
    try keys.encodeIfPresent(published, forKey: .published)
    try keys.encodeIfPresent(error, forKey: .error)
  }
}

extension StageRequest {
  /// - Parameter key: signs the catalogue. It may come through a pipe, which can be read once; nil to read it here.
  init(builds: [URL], site: URL, key: SigningKey? = nil, _ arguments: ParsedArguments) throws {
    self.init(
      builds: builds, site: site, now: SystemClock.now, accepted: try arguments.acceptances(),
      isStrict: arguments.has(OptionSpec.strict.name), key: try key ?? arguments.signingKey(),
      siteURL: try arguments.siteURL())
  }
}
