import Aero
import Core
import Fetch
import Foundation
import Pipeline

struct Correct: Subcommand {
  static let spec = CommandSpec(
    name: "correct",
    summary: "Checks the corrections of the FAA's data against a cycle, or adds a correction.",
    operands: OperandSpec(
      name: "PIPELINE", help: "a definition that names a file of corrections, such as nasr", minimum: 1,
      maximum: 1),
    options: [
      .cycle, .from,
      OptionSpec("--table", value: "T", "add a correction to this table of the FAA, such as APT_BASE"),
      OptionSpec(
        "--row", value: "COLUMN=VALUE", repeatable: true,
        "a column that identifies the row; repeat the option until exactly one row matches"),
      OptionSpec("--set", value: "COLUMN=VALUE", "the wrong column and its correct value"),
      OptionSpec("--why", value: "TEXT", "the evidence for the correct value"),
      OptionSpec(
        "--reported", value: "DAY", "the day of the report to the FAA, such as 2026-10-01"),
      OptionSpec("--until", value: "C", "the last cycle that uses the correction, such as 2613"),
      .work, .pipelines, .json,
    ],
    examples: [
      (
        "chartpipe correct nasr --cycle next --from ~/Downloads",
        "prints the state of each correction; exit 4 if one no longer applies"
      ),
      (
        "chartpipe correct nasr --cycle 2612 --table APT_BASE --row ARPT_ID=PAO --set ELEV=7.0 --why \"survey\"",
        "adds a correction to corrections.json5, with the FAA's current value"
      ),
    ])

  private let settings: RunSettings
  private let definition: NASRDefinition
  private let folder: URL
  private let draft: Correction?

  init(_ arguments: ParsedArguments) throws {
    settings = try RunSettings(arguments, command: Self.spec.name)
    let definitions = settings.plan.items.compactMap { item in
      if case .nasr(let definition) = item.content { definition } else { nil }
    }
    guard let definition = definitions.first else {
      throw Self.usageError("\(arguments.operands[0]) is not a pipeline of the kind nasr")
    }
    self.definition = definition
    let library = PipelineLibrary(folder: DefinitionsFolder.url(arguments.value("--pipelines")))
    folder = library.file(arguments.operands[0]).deletingLastPathComponent()
    draft = try Correct.draft(arguments)
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    guard let list = definition.corrections else {
      throw UserError(
        .badInput, operation: "looking for the corrections of", path: definition.name,
        reason: "its definition names no file of corrections",
        suggestion: "Add corrections: \"corrections.json5\" to the definition, and a file with [] beside it.")
    }
    let check = CorrectionCheck(try source(), of: definition, cycle: settings.cycle)
    guard let draft else { return try report(check.outcomes(list), console) }
    let correction = try check.completed(draft, in: list.file)
    let longer = try list.adding(correction, in: folder)
    let outcomes = try check.outcomes(longer)
    guard let outcome = outcomes.last, outcome.ending == .used else {
      throw UserError(
        .badInput, operation: "adding a correction to", path: list.file,
        reason: outcomes.last?.text ?? "it is not used",
        suggestion: outcomes.last?.ending == .expired
          ? "Name a later cycle with --until."
          : "Give --set the column that counts, and a value in the form of the FAA's own values of it.")
    }
    try longer.appendLast(in: folder)
    console.note("Added to \(folder.appending(path: list.file).path).")
    return try report([outcome], console)
  }

  private func source() throws -> SourceFile {
    let names = definition.sourceNames(for: settings.cycle)
    if let file = try SourceFolder(settings.from).locate(names) { return file }
    throw UserError(
      .badInput, operation: "looking for", path: names.joined(separator: " or "),
      reason: "it is not in \(settings.from.path)",
      suggestion: "Download it with `chartpipe fetch`, or name its folder with --from.")
  }

  private func report(_ outcomes: some Sequence<CorrectionOutcome>, _ console: Console) throws -> UserError
    .Kind?
  {
    let outcomes = Array(outcomes)
    let isFine = outcomes.allSatisfy { $0.ending == .used }
    if console.json {
      try console.result(json: outcomes)
    } else {
      try console.result(outcomes.map { "\($0.ending.rawValue): \($0.text)\n" }.joined())
      let (idle, all) = (outcomes.count { $0.ending != .used }, Counts.of(outcomes.count, "correction"))
      let cycle = settings.cycle.identifier
      console.note(
        isFine
          ? "\(all) checked: used in cycle \(cycle)."
          : "\(idle) of \(all) not used in cycle \(cycle): remove them, or change them.")
    }
    return isFine ? nil : .refused
  }

  /// The correction to add; nil if the options do not describe one.
  private static func draft(_ arguments: ParsedArguments) throws -> Correction? {
    let needed = ["--table", "--set", "--why"]
    let given = needed + ["--row", "--reported", "--until"]
    guard given.contains(where: { !arguments.values($0).isEmpty }) else { return nil }
    if let missing = (needed + ["--row"]).first(where: { arguments.values($0).isEmpty }) {
      throw usageError("\(missing) is missing; a new correction requires it")
    }
    let rows = try arguments.values("--row").map { try pair($0, of: "--row") }
    let change = try pair(arguments.value("--set") ?? "", of: "--set")
    guard Set(rows.map(\.column)).count == rows.count else { throw usageError("--row repeats a column") }
    return Correction(
      table: (arguments.value("--table") ?? "").uppercased(),
      row: Dictionary(rows.map { ($0.column, $0.value) }) { first, _ in first }, column: change.column,
      faa: "", right: change.value, why: arguments.value("--why") ?? "",
      reported: arguments.value("--reported"), until: arguments.value("--until"))
  }

  /// Parses `ELEV=7.0`. The value may be empty.
  private static func pair(_ text: String, of option: String) throws -> (column: String, value: String) {
    guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
      throw usageError("\(option) takes COLUMN=VALUE, not \"\(text)\"")
    }
    return (text[..<sign].uppercased(), String(text[text.index(after: sign)...]))
  }
}
