import Core
import Foundation
import Pipeline
import Site

struct Rollback: Subcommand {
  static let spec = CommandSpec(
    name: "rollback", summary: "Offers again what a target offered before, in one write.",
    operands: OperandSpec(
      name: "TARGET", help: "where a site was published to: a folder, or s3://bucket/prefix", minimum: 1,
      maximum: 1),
    options: [
      OptionSpec(
        "--to", value: "C", "withdraw every cycle after this one, and change nothing else: 2612, or a date"),
      .dryRun,
    ] + PublishSettings.options,
    examples: [
      ("chartpipe rollback /srv/charts --dry-run", "what would be offered again"),
      ("chartpipe rollback /srv/charts --to 2612", "2613 was published too early, or is not as it should be"),
    ])

  private let cycle: AiracCycle?
  private let settings: PublishSettings

  init(_ arguments: ParsedArguments) throws {
    cycle = try arguments.value("--to").map { try RunSettings.cycle($0, command: Self.spec.name) }
    settings = try PublishSettings(arguments, target: arguments.operands[0], command: Self.spec.name)
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let report = try Publisher.rollBack(
      settings.target, to: cycle, settings.terms, progress: console.progress)
    try console.show(report)
    return nil
  }
}
