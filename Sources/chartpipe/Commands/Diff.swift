import Aero
import Core
import Foundation
import Pipeline
import Site

struct Diff: Subcommand {
  static let spec = CommandSpec(
    name: "diff", summary: "Tells what changed between two cycles' aviation databases.",
    operands: OperandSpec(
      name: "OLD NEW",
      help:
        "an aviation.sqlite, its .product.json, or the build folder that holds it",
      minimum: 2, maximum: 2),
    options: [
      OptionSpec("--html", value: "F", "write it as a page to look through, and show the summary only"),
      .json,
    ],
    examples: [
      (
        "chartpipe diff work/build/2611/nasr work/build/2612/nasr",
        "airports opened and closed, runways, frequencies ..., the most important first; no moves below 15 cm"
      ),
      (
        "chartpipe diff old.sqlite new.sqlite --html changes.html",
        "one page, by state and with a search, that opens from disk"
      ),
    ])

  private let old: URL
  private let new: URL
  private let page: URL?

  init(_ arguments: ParsedArguments) throws {
    old = URL(filePath: arguments.operands[0])
    new = URL(filePath: arguments.operands[1])
    page = arguments.value("--html").map { URL(filePath: $0) }
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let files = [try DatabaseFile.find(old), try DatabaseFile.find(new)]
    if let page { try refuse(page, among: files) }
    let difference = try DatabaseComparison.compare(files[0], with: files[1])
    if let page { try page.writeAnswer(DifferencePage(difference).data) }
    if console.json {
      try console.result(json: difference)
    } else if let page {
      try console.result(DifferenceText.summary(difference) + "\n" + page.relativePath + "\n")
    } else {
      try console.result(DifferenceText.render(difference))
    }
    return nil
  }

  private func refuse(_ page: URL, among files: [URL]) throws {
    if files.contains(where: page.isSameFile) {
      throw Self.usageError("--html would overwrite a database that is compared")
    }
  }
}
