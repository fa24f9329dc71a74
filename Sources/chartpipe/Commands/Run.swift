internal import Core
internal import Foundation

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
    ] + RunSettings.otherOptions + [.cache] + CycleRelease.options,
    examples: """
      chartpipe run sample-sectional sample-terminal sample-nasr --cycle 2304 --from samples
        builds the sample cycle and stages it in work/site
      chartpipe run vfr-sectional nasr --cycle next --publish s3://charts/vfr
        downloads the next cycle from the FAA, builds it and publishes it
      chartpipe run nasr --cycle next --from ~/Downloads --work /srv/chartpipe
        builds the next cycle's database from a subscription that you downloaded
      chartpipe run vfr-sectional nasr --cycle next --variant standard,webp
        builds the charts twice, as PNG and as WebP, and the database once
      """)

  private let settings: RunSettings
  private let release: CycleRelease

  init(_ arguments: ParsedArguments) throws {
    settings = try RunSettings(arguments)
    release = try CycleRelease(settings, arguments)
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    try release.run(Self.spec.name, console) { run in
      try run.fetch()
      return try run.build(settings.plan)
    }
  }
}
