internal import Core
internal import Foundation

extension CommandSpec {
  static let stage = CommandSpec(
    name: "stage", summary: "Validates built products and writes them into a site with a catalogue.",
    operands: OperandSpec(name: "BUILD", help: "a build folder, or a product of one", maximum: nil),
    options: [
      OptionSpec(
        "--site", value: "DIR", required: true, "the folder of the site, which is created or extended"),
      .accept, .strict, .key, .siteURL, .json,
    ],
    examples: """
      chartpipe stage work/build/2304 --site work/site
        stages all products except those with an error (exit 5)
      chartpipe stage work/build/2304 --site work/site --accept "database-rows:400 strips were closed"
        accepts the findings of one rule, and shows the reason in the report
      """,
    action: runStage)
}

private func runStage(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let request = try StageRequest(
    builds: arguments.operands.map { URL(filePath: $0).standardizedFileURL },
    site: RunSettings.folder(arguments.value("--site") ?? ""), arguments)
  let staged = try Stager.stage(request, progress: console.progress)
  try console.show(staged)
  return staged.held.isEmpty ? nil : .partlyDone
}

extension Console {
  /// Prints the result of staging and the places of its files.
  func show(_ staged: StagedSite) throws {
    try result(
      staged,
      text: """
        Cycle \(staged.cycle) is staged: \(Counts.of(staged.products, "product")), \(Counts.bytes(staged.bytes)).\(staged.heldBack)\(staged.currency)
          site       \(staged.site)
          catalogue  \(staged.catalogue)
          report     \(staged.report)

        """)
  }
}

extension StagedSite {
  fileprivate var heldBack: String {
    held.isEmpty
      ? ""
      : " \(Counts.of(held.count, "product")) held back: \(held.map(\.id).joined(separator: ", "))."
  }

  /// A sentence for a cycle that is not in force; else empty.
  fileprivate var currency: String {
    let inForce = AiracCycle(at: SystemClock.now)
    if cycle == inForce { return "" }
    return cycle < inForce
      ? " It expired on \(cycle.expires.day)." : " It takes effect on \(cycle.effectiveDay)."
  }
}
