internal import Core
internal import Foundation

extension CommandSpec {
  static let correct = CommandSpec(
    name: "correct",
    summary: "Checks the corrections of the FAA's data against a cycle.",
    operands: OperandSpec(
      name: "PIPELINE", help: "a definition that names a file of corrections, such as nasr"),
    options: [.cycle, .from, .work, .pipelines, .json],
    examples: """
      chartpipe correct nasr --cycle next --from ~/Downloads
        prints the state of each correction; exit 4 if one no longer applies
      """,
    action: runCorrect)
}

private func runCorrect(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let settings = try RunSettings(arguments)
  guard let definition = settings.plan.subscription else {
    throw arguments.usageError("\(arguments.operands[0]) is not a pipeline of the kind nasr")
  }
  guard let list = definition.corrections else {
    throw UserError(
      .badInput, operation: "looking for the corrections of", path: definition.name,
      reason: "its definition names no file of corrections",
      suggestion: "Add corrections: \"corrections.json5\" to the definition, and a file with [] beside it.")
  }
  let names = definition.sourceNames(for: settings.cycle)
  guard let source = try SourceFolder(settings.from).locate(names) else {
    throw UserError(
      .badInput, operation: "looking for", path: names.joined(separator: " or "),
      reason: "it is not in \(settings.from.path)",
      suggestion: "Download it with `chartpipe fetch`, or name its folder with --from.")
  }
  let outcomes = try CorrectionCheck(source: source, definition: definition, cycle: settings.cycle)
    .outcomes(list)
  try console.result(outcomes, text: outcomes.map { "\($0.ending.rawValue): \($0.text)\n" }.joined())
  let (idle, all) = (outcomes.count { $0.ending != .used }, Counts.of(outcomes.count, "correction"))
  let cycle = settings.cycle.identifier
  console.note(
    idle == 0
      ? "\(all) checked: used in cycle \(cycle)."
      : "\(idle) of \(all) not used in cycle \(cycle): remove them, or change them.")
  return idle == 0 ? nil : .refused
}
