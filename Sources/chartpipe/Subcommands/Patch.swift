import Core
import Foundation
import Pipeline
import TileArchive

struct Patch: Subcommand {
  static let spec = CommandSpec(
    name: "patch", summary: "Makes what differs between two MBTiles archives, or applies it.",
    operands: OperandSpec(
      name: "(make OLD NEW | apply BASE PATCH) OUT",
      help:
        "two archives and the patch to be written, or an archive, its patch and the archive to be written",
      minimum: 4, maximum: 4),
    options: [.json],
    examples: [
      (
        "chartpipe patch make old/Seattle.mbtiles new/Seattle.mbtiles Seattle.patch",
        "the tiles that are new, other ones or gone, as MBTiles that a few lines of SQL apply"
      ),
      (
        "chartpipe patch apply old/Seattle.mbtiles Seattle.patch Seattle.mbtiles",
        "byte for byte the new archive; nothing is written unless all hashes are as they should"
      ),
    ])

  private enum Verb: String, CaseIterable {
    case make
    case apply
  }

  private let verb: Verb
  private let inputs: [URL]
  private let out: URL

  init(_ arguments: ParsedArguments) throws {
    let words = arguments.operands
    guard let verb = Verb(rawValue: words[0]) else {
      throw Self.fault("\"\(words[0])\" is neither make nor apply")
    }
    self.verb = verb
    inputs = words[1...2].map { URL(filePath: $0) }
    out = URL(filePath: words[3])
    // The base of a patch may be replaced by what comes out, since that is only put there when it is whole.
    let kept = verb == .make ? inputs : [inputs[1]]
    if kept.contains(where: out.isSameFile) {
      throw Self.fault("OUT would overwrite \(out.relativePath), from which it is made")
    }
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    for file in inputs where ArchiveKind(contentsOf: file) == .pmtiles {
      throw Self.fault(
        "\(file.relativePath) is PMTiles, and patches are of MBTiles",
        remedy: "Convert it first: chartpipe convert.")
    }
    let step = "\(verb.rawValue) \(out.lastPathComponent)"
    let progress = console.progress
    progress.report(.started(step: step))
    let answer = try answer { done, total in
      try CancellationToken.current.check()
      progress.report(.advanced(step: step, done: done, total: total, unit: "tiles"))
    }
    progress.report(.finished(step: step, detail: answer.detail))
    if console.json { try console.result(json: answer) } else { try console.result(out.relativePath + "\n") }
    return nil
  }

  private func answer(_ advanced: (_ done: Int, _ total: Int) throws -> Void) throws -> PatchAnswer {
    switch verb {
    case .make:
      let made = try out.makeAnswer { scratch in
        try ArchivePatch.make(from: inputs[0], to: inputs[1], at: scratch, advanced: advanced)
      }
      return PatchAnswer(
        file: out.relativePath, bytes: out.fileSize, wholeBytes: inputs[1].fileSize, changed: made.changed,
        removed: made.removed, before: made.span.before, after: made.span.after)
    case .apply:
      let summary = try out.makeAnswer { scratch in
        try ArchivePatch.apply(inputs[1], to: inputs[0], at: scratch, advanced: advanced)
      }
      return PatchAnswer(file: out.relativePath, bytes: out.fileSize, tiles: summary.tiles)
    }
  }
}

/// The answer of `chartpipe patch --json`: of a patch that was made, or of an archive that came of one.
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
    return "\(Counts.of(changed, "tile")) to be put in and \(Counts.grouped(removed)) to be taken away, "
      + "\(Counts.bytes(bytes)) in place of \(Counts.bytes(wholeBytes))"
  }
}
