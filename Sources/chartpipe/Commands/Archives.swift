internal import Core
internal import Foundation

extension CommandSpec {
  static let convert = CommandSpec(
    name: "convert", summary: "Converts a tile archive from MBTiles to PMTiles or back.",
    operands: OperandSpec(
      name: "FILE OUT", help: "an archive, and the .pmtiles or .mbtiles file to write", minimum: 2, maximum: 2
    ),
    options: [.json],
    examples: """
      chartpipe convert work/build/2304/sample-terminal/Sample_Bay.mbtiles Sample_Bay.pmtiles
        writes one file that a map view reads by range requests from any web server
      chartpipe convert Sample_Bay.pmtiles Sample_Bay.mbtiles
        converts back: the same tiles with the same agg_tiles_hash
      """,
    action: runConvert)
}

private func runConvert(_ arguments: ParsedArguments, _ console: Console) throws -> UserError.Kind? {
  let file = URL(filePath: arguments.operands[0])
  let target = URL(filePath: arguments.operands[1])
  let kind = try arguments.archiveKind(target, "OUT")
  let out = try OutputFile(target, "OUT", .archive(kind), inputs: [file])
  guard ArchiveKind(contentsOf: file) != kind else {
    throw arguments.usageError("\(file.relativePath) is \(kind.title) already")
  }
  let step = "convert \(file.lastPathComponent)"
  let progress = console.progress
  progress.report(.started(step: step))
  let source = try ArchiveKind.open(file)
  let summary = try out.make { scratch in
    try ArchiveConversion.write(source, as: kind, to: scratch, advanced: progress.advance(step, "tiles"))
  }
  let answer = ArchiveAnswer(out, kind, summary)
  let distinct = Counts.grouped(answer.distinctTiles)
  let detail =
    "\(Counts.of(answer.tiles, "tile")), \(distinct) of them different, \(Counts.bytes(answer.bytes))"
  progress.finish(step, detail)
  try console.result(answer, text: answer.file + "\n")
  return nil
}

/// The result of `chartpipe convert --json`, and of `chartpipe tile --json` with more values.
struct ArchiveAnswer: Encodable {
  var file: String
  var kind: String
  var bytes: Int
  var tiles: Int
  var distinctTiles: Int
  var minZoom: Int?
  var maxZoom: Int?
  var format: String?
  var tileSize: Int?
  /// West, south, east and north.
  var bounds: [Double]?
  /// The size of the image.
  var width: Int?
  var height: Int?

  init(_ out: OutputFile, _ kind: ArchiveKind, _ summary: ArchiveSummary) {
    (file, bytes, self.kind) = (out.url.relativePath, out.url.byteCount ?? 0, kind.rawValue)
    (tiles, distinctTiles) = (summary.tiles, summary.distinctTiles)
  }
}
