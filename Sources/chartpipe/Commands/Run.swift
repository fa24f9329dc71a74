import Core
import Foundation
import Pipeline
import Site
import Validation

struct Run: Subcommand {
  static let spec = CommandSpec(
    name: "run",
    summary: "Fetches, builds, validates, stages and publishes a cycle; skips steps that are up to date.",
    operands: RunSettings.operands,
    options: [
      .cycle,
      OptionSpec(
        "--from", value: "DIR|URL",
        "the folder with the FAA's files, or the address of a mirror (default: sources/ in the work folder, into which `run` downloads missing files)"
      ),
    ] + RunSettings.otherOptions + [
      .cache, .accept, .strict, SigningSecret.option,
      OptionSpec(
        "--publish", value: "TARGET",
        "publish the site like `chartpipe publish`: to a folder or s3://bucket/prefix"),
      SiteArguments.endpoint, SiteArguments.siteURL, JobPage.option, prune,
    ],
    examples: [
      (
        "chartpipe run sample-sectional sample-terminal sample-nasr --cycle 2304 --from samples",
        "builds the sample cycle and stages it in work/site"
      ),
      (
        "chartpipe run vfr-sectional nasr --cycle next --publish s3://charts/vfr",
        "downloads the next cycle from the FAA, builds it and publishes it"
      ),
      (
        "chartpipe run nasr --cycle next --from ~/Downloads --work /srv/chartpipe",
        "builds the next cycle's database from a subscription that you downloaded"
      ),
      (
        "chartpipe run vfr-sectional nasr --cycle next --variant standard,webp",
        "builds the charts twice, as PNG and as WebP, and the database once"
      ),
    ])

  private static let prune = OptionSpec(
    "--prune",
    "after a run without errors, delete old data: cycles that took effect \(Cleanup.daysKept) days ago or earlier, files that the catalogue of the work folder's site does not name, and downloads that no cycle needs"
  )

  private let settings: RunSettings
  private let staging: StagingOptions
  private let publication: PublishSettings?
  private let page: JobPage
  private let prunes: Bool

  init(_ arguments: ParsedArguments) throws {
    settings = try RunSettings(arguments, command: Self.spec.name)
    publication = try arguments.value("--publish").map {
      try PublishSettings(arguments, target: $0, command: Self.spec.name)
    }
    page = JobPage(arguments)
    prunes = arguments.has(Self.prune.name)
    staging = StagingOptions(
      accepted: try arguments.acceptances(command: Self.spec.name),
      isStrict: arguments.has(OptionSpec.strict.name), key: try SigningSecret.key(arguments),
      siteURL: try SiteArguments.siteURL(arguments, command: Self.spec.name))
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    do {
      return try work(console)
    } catch let error as UserError {
      page.mark(.error, title: "run", error.message)
      try page.append(RunPage.ended(settings.cycle, by: error))
      throw error
    }
  }

  private func work(_ console: Console) throws -> UserError.Kind? {
    try Stager.checkKey(staging.key, site: settings.workspace.site)
    let run = try PipelineRun(settings, console, stages: true)
    try publication?.preflight()
    try run.fetch()
    var outcome = try run.build(settings.plan)
    for failure in outcome.failures {
      page.mark(.error, title: failure.step.description, failure.error.message)
    }
    guard !outcome.results.isEmpty else {
      try page.append(RunPage.text(settings.cycle, outcome, run.figures()))
      return try run.close(outcome)
    }
    let staged = try run.stage(&outcome, staging)
    try console.show(staged)
    for held in staged.held { page.mark(.error, title: held.id, "held back: \(held.message)") }
    var published: PublishReport?
    if let publication { published = try run.publish(staged.site, as: publication) }
    if let published { try console.show(published) }
    for message in published?.warnings ?? [] { page.mark(.warning, title: "publish", message) }
    try page.append(
      RunPage.text(settings.cycle, outcome, run.figures(), staged: staged, published: published))
    if prunes, outcome.verdict == nil, staged.held.isEmpty {
      try Cleanup(
        workspace: settings.workspace, cache: Fetching.cache(settings.cache), cycle: settings.cycle,
        now: SystemClock.now
      ).run(console)
    }
    return try run.close(outcome, held: staged.held, published: published)
  }
}
