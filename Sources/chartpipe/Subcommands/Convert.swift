import Core
import Foundation
import Pipeline
import TileArchive

struct Convert: Subcommand {
  static let spec = CommandSpec(
    name: "convert", summary: "Writes the tiles of an MBTiles archive as PMTiles, or the other way round.",
    operands: OperandSpec(
      name: "FILE OUT", help: "an archive, and the .pmtiles or .mbtiles to be written", minimum: 2, maximum: 2
    ),
    options: [.json],
    examples: [
      (
        "chartpipe convert work/build/2304/sample-terminal/Sample_Bay.mbtiles Sample_Bay.pmtiles",
        "one file that a map view reads piece by piece from any web server"
      ),
      (
        "chartpipe convert Sample_Bay.pmtiles Sample_Bay.mbtiles",
        "and back: the same tiles, with the same agg_tiles_hash"
      ),
    ])

  private let file: URL
  private let out: URL
  private let kind: ArchiveKind

  init(_ arguments: ParsedArguments) throws {
    file = URL(filePath: arguments.operands[0])
    out = URL(filePath: arguments.operands[1])
    guard let kind = ArchiveKind(rawValue: out.pathExtension.lowercased()) else {
      throw Self.fault("OUT must end in .pmtiles or .mbtiles, not \"\(out.lastPathComponent)\"")
    }
    guard out.resolvingSymlinksInPath().path != file.resolvingSymlinksInPath().path else {
      throw Self.fault("FILE and OUT are the same file")
    }
    self.kind = kind
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    guard ArchiveKind(contentsOf: file) != kind else {
      throw Self.fault("\(file.relativePath) is \(kind.title) already")
    }
    let step = "convert \(file.lastPathComponent)"
    let progress = console.progress
    progress.report(.started(step: step))
    let source = try ArchiveKind.open(file)
    let summary = try out.makeAnswer { scratch in
      try ArchiveConversion.write(source, as: kind, to: scratch) { done, total in
        try CancellationToken.current.check()
        progress.report(.advanced(step: step, done: done, total: total, unit: "tiles"))
      }
    }
    let answer = ConvertAnswer(file: out.relativePath, kind: kind, bytes: out.fileSize, summary)
    progress.report(.finished(step: step, detail: answer.detail))
    if console.json { try console.result(json: answer) } else { try console.result(out.relativePath + "\n") }
    return nil
  }
}

/// The answer of `chartpipe convert --json`.
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

extension URL {
  /// Of a file that is there.
  var fileSize: Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int).flatMap(\.self) ?? 0
  }
}
