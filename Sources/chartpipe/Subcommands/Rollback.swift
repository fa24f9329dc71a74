import Airac
import Delivery
import Foundation
import Pipeline

struct Rollback: Subcommand {
  static let spec = CommandSpec(
    name: "rollback", summary: "Offers again what a target offered before, in one write.",
    operands: OperandSpec(
      name: "TARGET", help: "the folder that a site was published to", minimum: 1, maximum: 1),
    options: [
      OptionSpec(
        "--to", value: "C", "withdraw every cycle after this one, and change nothing else: 2612, or a date"),
      .dryRun,
    ] + PublishSettings.options,
    examples: [
      ("chartpipe rollback /srv/charts --dry-run", "what would be offered again"),
      ("chartpipe rollback /srv/charts --to 2612", "2613 was published too early, or is not as it should be"),
    ])

  private let target: PublishTarget
  private let cycle: AiracCycle?
  private let terms: PublishTerms

  init(_ arguments: ParsedArguments) throws {
    target = try PublishSettings.target(arguments.operands[0], arguments, command: Self.spec.name)
    cycle = try arguments.value("--to").map { try RunSettings.cycle($0, command: Self.spec.name) }
    terms = try PublishSettings.terms(arguments, command: Self.spec.name)
  }

  func run(_ console: Console) throws -> Fault.Kind? {
    try console.show(try Publisher.rollBack(target, to: cycle, terms, progress: console.progress))
    return nil
  }
}
