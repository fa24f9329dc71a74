internal import Core

extension CommandSpec {
  static let correct = CommandSpec(
    name: "correct",
    summary: "Checks the corrections of the FAA's data against a cycle.",
    operands: OperandSpec(
      name: "PIPELINE", help: "a definition that names a file of corrections, such as nasr or obstacles"),
    options: [.cycle, .from, .work, .pipelines, .json],
    examples: """
      chartpipe correct nasr --cycle next --from ~/Downloads
        prints the state of each correction; exit 4 if one no longer applies
      """,
    action: runCorrect)
}

private func runCorrect(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let settings = try RunSettings(arguments)
  guard let item = settings.plan.items.first(where: { $0.corrections != nil }) else {
    throw UserError(
      .badInput, operation: "looking for the corrections of", path: arguments.operands[0],
      reason: "its definition names no file of corrections",
      suggestion:
        "Add corrections: \"corrections.json5\" to the definition of a database, and a file with [] beside it."
    )
  }
  let outcomes = try item.correctionOutcomes(SourceFolder(settings.from), settings.cycle)
  try console.result(outcomes, text: outcomes.map { "\($0.ending.rawValue): \($0.text)\n" }.joined())
  let (idle, all) = (outcomes.count { $0.ending != .used }, Counts.of(outcomes.count, "correction"))
  let cycle = settings.cycle.identifier
  console.note(
    idle == 0
      ? "\(all) checked: used in cycle \(cycle)."
      : "\(idle) of \(all) not used in cycle \(cycle): remove them, or change them.")
  return idle == 0 ? nil : .refused
}
