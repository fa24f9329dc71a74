internal import Core
internal import Foundation

extension CommandSpec {
  static let validate = CommandSpec(
    name: "validate", summary: "Checks archives, databases and whole folders by named rules.",
    operands: OperandSpec(
      name: "PATH", help: "an .mbtiles, .pmtiles, .sqlite or .product.json file, or a folder of them",
      minimum: 0, maximum: nil),
    options: [
      OptionSpec("--strict", "treat warnings as errors"),
      OptionSpec(
        "--against", value: "OLD",
        "compare products with an earlier cycle: a site, a build folder or a product"),
      OptionSpec(
        "--from", value: "DIR",
        "compare each value of the databases with the FAA's files in this folder, from which they were made"),
      .accept,
      OptionSpec(
        "--html", value: "F", "also write the report: one HTML page with pictures, that opens from disk"),
      .jobs,
      OptionSpec("--list", "list the rules and what each one guarantees"),
      .json,
    ],
    examples: """
      chartpipe validate work/build/2304
        exit 0 without errors, 4 if a rule finds an error
      chartpipe validate work/build/2304 --against work/site
        also reports lost and moved data since the last cycle
      chartpipe validate work/build/2304 --from work/sources/2304
        also audits the databases: compares each value with its source
      chartpipe validate work/build/2304 --html report.html
        writes the report page of `stage` before staging
      chartpipe validate --list
        lists the rules
      """,
    action: runValidate)
}

private func runValidate(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let paths = arguments.operands.map { URL(filePath: $0) }
  let old = arguments.value("--against").map { URL(filePath: $0) }
  let sources = arguments.value("--from").map { URL(filePath: $0) }
  let page = try OutputFile(
    "--html", of: arguments, .page, inputs: paths + [old, sources].compactMap(\.self))
  let accepted = try arguments.acceptances()
  let jobs = try arguments.jobs()
  if arguments.has("--list") { return try list(arguments, console) }
  if paths.isEmpty { throw arguments.usageError("PATH... is missing") }
  let request = ValidationRequest(
    paths, against: try old.map(ProductSearch.products) ?? [],
    from: try sources.map { try SourceFolder($0) })
  let found = try Validator(jobs: jobs).validate(request, progress: console.progress).accepting(accepted)
  for acceptance in accepted where !found.findings.contains(where: acceptance.covers) {
    acceptance.warnUnused("validate", among: found.facts.keys.sorted(), console.progress)
  }
  let report = arguments.has("--strict") ? found.strict() : found
  try page?.write(ValidationPage.data(request, report, progress: console.progress))
  try console.result(report, text: ValidationText.render(report))
  return report.ok ? nil : .refused
}

private func list(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let others = arguments.operands + ["--against", "--from", "--html"].filter { arguments.value($0) != nil }
  if let other = others.first {
    throw arguments.usageError("\(other) cannot be given with --list, which validates nothing")
  }
  let rules = Validator.rules
  try console.result(
    rules.map { ["name": $0.name, "guarantees": $0.protects] },
    text: rules.map { "\($0.name)\n    \($0.protects)\n" }.joined())
  return nil
}
