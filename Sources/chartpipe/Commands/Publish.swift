import Core
import Foundation
import Pipeline
import Site

struct Publish: Subcommand {
  static let spec = CommandSpec(
    name: "publish", summary: "Sends a staged site to where clients get it, and flips the catalogue last.",
    operands: OperandSpec(
      name: "SITE TARGET",
      help: "the folder of a site, and where it is published to: a folder, or s3://bucket/prefix", minimum: 2,
      maximum: 2),
    options: [
      OptionSpec(
        "--replace", "make the site's cycles exactly the site's: what the target alone has of them goes"),
      OptionSpec(
        "--reinstate", value: "C", repeatable: true,
        "publish a cycle again although `rollback` withdrew it: 2613, or a date; its bytes may be the same"),
      .dryRun,
      OptionSpec("--check", "read and prove what is there already, too"),
    ] + PublishSettings.options,
    examples: [
      (
        "chartpipe publish work/site /srv/charts --dry-run",
        "each file that would be sent or removed, and which cycles would be offered"
      ),
      (
        "chartpipe publish work/site s3://charts/vfr", "the keys are in the environment, as AWS_ACCESS_KEY_ID"
      ),
      (
        "chartpipe publish work/site /srv/charts --key chartpipe.key",
        "files, catalogue, and then the removal of what is no longer named; killed, it goes on where it was"
      ),
    ])

  private let site: URL
  private let isReplacing: Bool
  private let settings: PublishSettings

  init(_ arguments: ParsedArguments) throws {
    site = RunSettings.folder(arguments.operands[0])
    isReplacing = arguments.has("--replace")
    var settings = try PublishSettings(arguments, target: arguments.operands[1], command: Self.spec.name)
    settings.terms.reinstated = Set(
      try arguments.values("--reinstate").map { try RunSettings.cycle($0, command: Self.spec.name) })
    self.settings = settings
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let report = try settings.publish(site, isReplacing: isReplacing, progress: console.progress)
    try console.show(report)
    if console.json { console.warn(of: report) }
    return report.unsent.contains(where: \.needsAttention) ? .partlyDone : nil
  }
}

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
