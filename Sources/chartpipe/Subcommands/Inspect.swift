import Foundation
import Pipeline
import Validation

struct Inspect: Subcommand {
  static let spec = CommandSpec(
    name: "inspect", summary: "Shows what is in a tile archive or a database.",
    operands: OperandSpec(name: "FILE", help: "an .mbtiles or an .sqlite", minimum: 1, maximum: 1),
    options: [.json],
    examples: [
      (
        "chartpipe inspect work/build/2304/sample-nasr/aviation.sqlite",
        "its cycle, its tables and how many rows each has"
      )
    ])

  private let file: URL

  init(_ arguments: ParsedArguments) throws {
    file = URL(filePath: arguments.operands[0])
  }

  func run(_ console: Console) throws -> Fault.Kind? {
    let inspection = try FileInspection(of: file)
    if console.json {
      try console.result(json: inspection)
    } else {
      try console.result(inspection.text)
    }
    return nil
  }
}
