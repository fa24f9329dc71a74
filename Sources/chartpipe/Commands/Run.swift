internal import Core

extension CommandSpec {
  static let run = CommandSpec(
    name: "run",
    summary: "Fetches, builds, validates, stages and publishes a cycle; skips steps that are up to date.",
    operands: RunSettings.operands,
    options: [
      // The run of a cycle requires it.
      OptionSpec("--cycle", value: "C", "\(OptionSpec.cycle.help); required except for snapshots"),
      OptionSpec(
        "--from", value: "DIR|URL",
        "the folder with the FAA's files, or the address of a mirror (default: sources/ in the work folder, into which `run` downloads missing files)"
      ),
    ] + RunSettings.otherOptions + [.cache] + LiveRun.options + CycleRelease.options,
    examples: """
      chartpipe run sample-sectional sample-terminal sample-nasr --cycle 2304 --from samples
        builds the sample cycle and stages it in work/site
      chartpipe run vfr-sectional nasr --cycle next --publish s3://charts/vfr
        downloads the next cycle from the FAA, builds it and publishes it
      chartpipe run nasr --cycle next --from ~/Downloads --work /srv/chartpipe
        builds the next cycle's database from a subscription that you downloaded
      chartpipe run vfr-sectional nasr --cycle next --variant standard,webp
        builds the charts twice, as PNG and as WebP, and the database once
      chartpipe run tfr weather --every 5m --key chartpipe.key --publish s3://charts/vfr
        publishes the snapshots of TFRs and weather in live.json every five minutes, until Ctrl-C
      """,
    action: runRun)
}

private func runRun(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  if let live = try LiveRun(arguments) { return try live.run(console) }
  let settings = try RunSettings(arguments)
  return try CycleRelease(settings, arguments).run(console) { run in
    try run.fetch()
    return try run.build(settings.plan)
  }
}
