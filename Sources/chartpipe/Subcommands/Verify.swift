import Delivery
import Foundation
import Pipeline

struct Verify: Subcommand {
  static let spec = CommandSpec(
    name: "verify", summary: "Tells whether what is published is whole, signed and current.",
    operands: OperandSpec(name: "SITE", help: "the folder of a site", minimum: 1, maximum: 1),
    options: [
      OptionSpec(
        "--public-key", value: "KEY",
        "whose signature the catalogue must bear: a .pub file, or its second line"),
      .json,
    ],
    examples: [
      (
        "chartpipe verify work/site",
        "every file by its hash, every date by the clock; exit 4 when something is wrong"
      ),
      ("chartpipe verify /srv/charts --public-key chartpipe.key.pub", "the signature too"),
    ])

  private let site: URL
  private let key: VerifyingKey?

  init(_ arguments: ParsedArguments) throws {
    site = RunSettings.folder(arguments.operands[0])
    key = try arguments.value("--public-key").map(Verify.key)
    guard site.kindOnDisk == .folder else {
      throw Fault(
        .badCall, doing: "verifying", subject: site.path, problem: "there is no such folder",
        remedy: "Name the folder that `chartpipe stage` wrote.")
    }
  }

  private static func key(_ text: String) throws -> VerifyingKey {
    if let key = VerifyingKey((try? String(contentsOfFile: text, encoding: .utf8)) ?? text) { return key }
    throw Self.fault(
      "--public-key takes a file that minisign or `chartpipe keygen` wrote, or the key itself, not \"\(text)\""
    )
  }

  func run(_ console: Console) throws -> Fault.Kind? {
    let health = SiteHealth(folder: site, signedBy: key, now: SystemClock.now)
    let report = try health.examine(progress: console.progress)
    if console.json {
      try console.result(json: report)
    } else {
      try console.result(report.text)
    }
    return report.ok ? nil : .refused
  }
}
