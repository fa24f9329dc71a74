import Core
import Foundation
import ImageIO
import Pipeline
import TileArchive
import Validation

struct Inspect: Subcommand {
  static let spec = CommandSpec(
    name: "inspect", summary: "Shows what is in a tile archive or a database.",
    operands: OperandSpec(
      name: "FILE", help: "an .mbtiles, a .pmtiles or an .sqlite", minimum: 1, maximum: 1),
    options: [
      OptionSpec(
        "--image", value: "PNG", "draw an archive too: the whole chart, and its edges and corners enlarged"),
      OptionSpec(
        "--columns",
        "print what each column of a database looks like, as JSON for `columns` of a pipeline's definition"),
      .json,
    ],
    examples: [
      (
        "chartpipe inspect work/build/2304/sample-nasr/aviation.sqlite",
        "its cycle, its tables and how many rows each has"
      ),
      (
        "chartpipe inspect work/build/2304/sample-terminal/Sample_Bay.mbtiles --image Sample_Bay.png",
        "its zooms, and a picture that shows at a look whether it is rightly cut"
      ),
      (
        "chartpipe inspect work/build/2304/nasr/aviation.sqlite --columns > pipelines/nasr-columns.json5",
        "a good cycle's columns, with which later cycles are compared"
      ),
    ])

  private let file: URL
  private let picture: URL?
  private let wantsColumns: Bool

  init(_ arguments: ParsedArguments) throws {
    file = URL(filePath: arguments.operands[0])
    picture = arguments.value("--image").map { URL(filePath: $0) }
    wantsColumns = arguments.has("--columns")
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    let inspection = try FileInspection(of: file)
    if wantsColumns {
      try console.result(json: DatabaseColumnProfiles.of(file))
      return nil
    }
    if let picture { try draw(inspection, to: picture) }
    if console.json {
      try console.result(json: inspection)
    } else {
      try console.result(inspection.text)
    }
    return nil
  }

  private func draw(_ inspection: FileInspection, to picture: URL) throws {
    guard inspection.kind != .sqlite else {
      throw Self.usageError("--image draws tile archives, and \(inspection.file) is a database")
    }
    guard inspection.patch == nil else {
      throw Self.usageError("--image draws tile archives, and \(inspection.file) is a patch")
    }
    guard !picture.isSameFile(as: file) else {
      throw Self.usageError("FILE and --image are the same file")
    }
    let sheet = try ContactSheet(of: ArchiveKind.open(file), bytes: inspection.bytes)
    try picture.writeAnswer(Data(PNG.encode(sheet.image)))
  }
}
