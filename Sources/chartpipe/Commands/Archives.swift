internal import Core
internal import Foundation

struct Convert: Subcommand {
  static let spec = CommandSpec(
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
      """)

  private let file: URL
  private let out: OutputFile
  private let kind: ArchiveKind

  init(_ arguments: ParsedArguments) throws {
    file = URL(filePath: arguments.operands[0])
    let out = URL(filePath: arguments.operands[1])
    guard let kind = ArchiveKind(rawValue: out.pathExtension.lowercased()) else {
      throw Self.usageError("OUT must end in .pmtiles or .mbtiles, not \"\(out.lastPathComponent)\"")
    }
    self.out = try OutputFile(out, "OUT", .archive(kind), inputs: [file])
    self.kind = kind
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    guard ArchiveKind(contentsOf: file) != kind else {
      throw Self.usageError("\(file.relativePath) is \(kind.title) already")
    }
    let step = "convert \(file.lastPathComponent)"
    let progress = console.progress
    progress.report(.started(step: step))
    let source = try ArchiveKind.open(file)
    let summary = try out.make { scratch in
      try ArchiveConversion.write(source, as: kind, to: scratch) { done, total in
        try CancellationToken.current.check()
        progress.report(.advanced(step: step, done: done, total: total, unit: "tiles"))
      }
    }
    let answer = ConvertAnswer(
      file: out.url.relativePath, kind: kind, bytes: out.url.byteCount ?? 0, summary)
    progress.report(.finished(step: step, detail: answer.detail))
    try console.result(answer, text: out.url.relativePath + "\n")
    return nil
  }
}

/// The result of `chartpipe convert --json`.
struct ConvertAnswer: Encodable {
  var file: String
  var kind: String
  var bytes: Int
  var tiles: Int
  var distinctTiles: Int

  init(file: String, kind: ArchiveKind, bytes: Int, _ summary: ArchiveSummary) {
    self.file = file
    self.kind = kind.rawValue
    self.bytes = bytes
    (tiles, distinctTiles) = (summary.tiles, summary.distinctTiles)
  }

  var detail: String {
    "\(Counts.of(tiles, "tile")), \(Counts.grouped(distinctTiles)) of them different, \(Counts.bytes(bytes))"
  }
}
