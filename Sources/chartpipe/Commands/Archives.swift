import Core
import Foundation
import Pipeline
import TileArchive

struct Convert: Subcommand {
  static let spec = CommandSpec(
    name: "convert", summary: "Converts a tile archive from MBTiles to PMTiles or back.",
    operands: OperandSpec(
      name: "FILE OUT", help: "an archive, and the .pmtiles or .mbtiles file to write", minimum: 2, maximum: 2
    ),
    options: [.json],
    examples: [
      (
        "chartpipe convert work/build/2304/sample-terminal/Sample_Bay.mbtiles Sample_Bay.pmtiles",
        "writes one file that a map view reads by range requests from any web server"
      ),
      (
        "chartpipe convert Sample_Bay.pmtiles Sample_Bay.mbtiles",
        "converts back: the same tiles with the same agg_tiles_hash"
      ),
    ])

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
      file: out.url.relativePath, kind: kind, bytes: out.url.fileSize, summary)
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

extension URL {
  /// Of a file that is there.
  var fileSize: Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int).flatMap(\.self) ?? 0
  }
}

struct Patch: Subcommand {
  static let spec = CommandSpec(
    name: "patch", summary: "Makes or applies a patch between two MBTiles archives.",
    operands: OperandSpec(
      name: "(make OLD NEW | apply BASE PATCH) OUT",
      help:
        "two archives and the patch to write, or an archive, its patch and the archive to write",
      minimum: 4, maximum: 4),
    options: [.json],
    examples: [
      (
        "chartpipe patch make old/Seattle.mbtiles new/Seattle.mbtiles Seattle.patch",
        "writes the added, changed and removed tiles as MBTiles; a few lines of SQL apply them"
      ),
      (
        "chartpipe patch apply old/Seattle.mbtiles Seattle.patch Seattle.mbtiles",
        "writes the new archive, byte for byte; writes nothing if a hash differs"
      ),
    ])

  private enum Verb: String, CaseIterable {
    case make
    case apply
  }

  private let verb: Verb
  private let inputs: [URL]
  private let out: OutputFile

  init(_ arguments: ParsedArguments) throws {
    let words = arguments.operands
    guard let verb = Verb(rawValue: words[0]) else {
      throw Self.usageError("\"\(words[0])\" is neither make nor apply")
    }
    self.verb = verb
    inputs = words[1...2].map { URL(filePath: $0) }
    out = try OutputFile(
      URL(filePath: words[3]), "OUT", verb == .make ? .patch : .archive(.mbtiles), inputs: inputs)
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    for file in inputs where ArchiveKind(contentsOf: file) == .pmtiles {
      throw Self.usageError(
        "\(file.relativePath) is PMTiles, but patches are for MBTiles",
        remedy: "Convert it first: chartpipe convert.")
    }
    let step = "\(verb.rawValue) \(out.url.lastPathComponent)"
    let progress = console.progress
    progress.report(.started(step: step))
    let answer = try answer { done, total in
      try CancellationToken.current.check()
      progress.report(.advanced(step: step, done: done, total: total, unit: "tiles"))
    }
    progress.report(.finished(step: step, detail: answer.detail))
    try console.result(answer, text: out.url.relativePath + "\n")
    return nil
  }

  private func answer(_ advanced: (_ done: Int, _ total: Int) throws -> Void) throws -> PatchAnswer {
    switch verb {
    case .make:
      let made = try out.make { scratch in
        try ArchivePatch.make(from: inputs[0], to: inputs[1], at: scratch, advanced: advanced)
      }
      return PatchAnswer(
        file: out.url.relativePath, bytes: out.url.fileSize, wholeBytes: inputs[1].fileSize,
        changed: made.changed,
        removed: made.removed, before: made.span.before, after: made.span.after)
    case .apply:
      let summary = try out.make { scratch in
        try ArchivePatch.apply(inputs[1], to: inputs[0], at: scratch, advanced: advanced)
      }
      return PatchAnswer(file: out.url.relativePath, bytes: out.url.fileSize, tiles: summary.tiles)
    }
  }
}

/// The result of `chartpipe patch --json`, for a new patch or for a patched archive.
struct PatchAnswer: Encodable {
  var file: String
  var bytes: Int
  var wholeBytes: Int?
  var changed: Int?
  var removed: Int?
  var before: String?
  var after: String?
  var tiles: Int?

  var detail: String {
    guard let changed, let removed, let wholeBytes else {
      return "\(Counts.of(tiles ?? 0, "tile")), \(Counts.bytes(bytes))"
    }
    return "\(Counts.of(changed, "tile")) to write and \(Counts.grouped(removed)) to delete, "
      + "\(Counts.bytes(bytes)) instead of \(Counts.bytes(wholeBytes))"
  }
}
