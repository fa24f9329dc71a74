import Delivery
import Pipeline
import Validation

struct Run: Subcommand {
  static let spec = CommandSpec(
    name: "run", summary: "Builds, validates and stages a cycle, doing only what is missing.",
    operands: RunSettings.operands,
    options: [
      .cycle,
      OptionSpec(
        "--from", value: "DIR|URL",
        "the folder that holds the FAA's files, or a mirror to fetch them from (default: the work folder's sources/; where there are none, they are fetched as `chartpipe fetch` does)"
      ),
    ] + RunSettings.otherOptions + [.accept, SigningSecret.option, SiteArguments.siteURL],
    examples: [
      (
        "chartpipe run sample-sectional sample-terminal sample-nasr --cycle 2304 --from samples",
        "the whole sample cycle, staged in work/site"
      ),
      (
        "chartpipe run nasr --cycle next --from ~/Downloads --work /srv/chartpipe",
        "next cycle's database from a subscription that was downloaded by hand"
      ),
    ])

  private let settings: RunSettings
  private let accepted: [Acceptance]
  private let key: SigningKey?
  private let siteURL: String?

  init(_ arguments: ParsedArguments) throws {
    settings = try RunSettings(arguments, command: Self.spec.name)
    key = try SigningSecret.key(arguments)
    siteURL = try SiteArguments.siteURL(arguments, command: Self.spec.name)
    accepted = try arguments.acceptances(command: Self.spec.name)
  }

  func run(_ console: Console) async throws -> Fault.Kind? {
    try Stager.checkKey(key, site: settings.workspace.site)
    let flight = try Flight(settings, console)
    try await flight.fetch()
    let outcome = try await flight.build(settings.plan)
    guard !outcome.outputs.isEmpty else { return flight.close(outcome) }
    let staged = try flight.stage(outcome, accepting: accepted, key: key, siteURL: siteURL)
    try console.show(staged)
    return flight.close(outcome)
  }
}
