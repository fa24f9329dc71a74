internal import Core
internal import Foundation

struct Correct: Subcommand {
  static let spec = CommandSpec(
    name: "correct",
    summary: "Checks the corrections of the FAA's data against a cycle.",
    operands: OperandSpec(
      name: "PIPELINE", help: "a definition that names a file of corrections, such as nasr", minimum: 1,
      maximum: 1),
    options: [.cycle, .from, .work, .pipelines, .json],
    examples: """
      chartpipe correct nasr --cycle next --from ~/Downloads
        prints the state of each correction; exit 4 if one no longer applies
      """)

  private let settings: RunSettings
  private let definition: NASRDefinition

  init(_ arguments: ParsedArguments) throws {
    settings = try RunSettings(arguments)
    guard let definition = settings.plan.subscription else {
      throw Self.usageError("\(arguments.operands[0]) is not a pipeline of the kind nasr")
    }
    self.definition = definition
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    guard let list = definition.corrections else {
      throw UserError(
        .badInput, operation: "looking for the corrections of", path: definition.name,
        reason: "its definition names no file of corrections",
        suggestion: "Add corrections: \"corrections.json5\" to the definition, and a file with [] beside it.")
    }
    let check = CorrectionCheck(source: try source(), definition: definition, cycle: settings.cycle)
    return try report(check.outcomes(list), console)
  }

  private func source() throws -> SourceFile {
    let names = definition.sourceNames(for: settings.cycle)
    if let file = try SourceFolder(settings.from).locate(names) { return file }
    throw UserError(
      .badInput, operation: "looking for", path: names.joined(separator: " or "),
      reason: "it is not in \(settings.from.path)",
      suggestion: "Download it with `chartpipe fetch`, or name its folder with --from.")
  }

  private func report(_ outcomes: [CorrectionOutcome], _ console: Console) throws -> UserError.Kind? {
    let isFine = outcomes.allSatisfy { $0.ending == .used }
    try console.result(outcomes, text: outcomes.map { "\($0.ending.rawValue): \($0.text)\n" }.joined())
    let (idle, all) = (outcomes.count { $0.ending != .used }, Counts.of(outcomes.count, "correction"))
    let cycle = settings.cycle.identifier
    console.note(
      isFine
        ? "\(all) checked: used in cycle \(cycle)."
        : "\(idle) of \(all) not used in cycle \(cycle): remove them, or change them.")
    return isFine ? nil : .refused
  }
}
