internal import TileArchive

/// All that is asked of one archive.
struct ArchiveCheck {
  let archive: ArchiveUnderTest
  let advanced: (_ done: Int, _ total: Int) -> Void

  /// These look at archives of any shape; the others need tiles and metadata that can be read.
  private static let mbtiles: [any MBTilesRule] = [ArchiveIntegrity(), ArchiveSchema()]
  private static let pmtiles: [any PMTilesRule] = [PMTilesStructure()]
  private static let contents: [any ArchiveRule] = [ArchiveMetadataRule()]
  private static let tiles: [any TileRule] = [
    TilesDecode(), TilesHaveParents(), TileHashRule(), TilesInsideBounds(),
  ]

  static var rules: [any Rule] { mbtiles + pmtiles + contents + tiles }

  func findings() throws -> [Finding] {
    let basic = try foundations()
    guard let problem = archive.unreadable else {
      return try basic + contents() + tileFindings()
    }
    guard basic.allSatisfy({ $0.severity != .error }) else { return basic }
    return [Readable().error(archive.place, "its tiles cannot be read: \(reason(problem))")] + basic
  }

  private func foundations() throws -> [Finding] {
    switch archive.storage {
    case .mbtiles(let database):
      try ArchiveCheck.mbtiles.flatMap { rule in
        try rule.run(archive.place) { try rule.check(archive, database) }
      }
    case .pmtiles(let file):
      try ArchiveCheck.pmtiles.flatMap { rule in
        try rule.run(archive.place) { try rule.check(archive, file) }
      }
    }
  }

  private func contents() throws -> [Finding] {
    try ArchiveCheck.contents.flatMap { rule in try rule.run(archive.place) { try rule.check(archive) } }
  }

  /// One pass over the tiles for all the rules that look at them.
  private func tileFindings() throws -> [Finding] {
    var visitors = try ArchiveCheck.tiles.map { try $0.visitor(of: archive) }
    var done = 0
    do {
      try archive.reader.forEachStored { tile in
        for index in visitors.indices { try visitors[index].visit(tile) }
        done += 1
        guard done.isMultiple(of: 256) else { return }
        try Task.checkCancellation()
        advanced(done, archive.summary.tiles)
      }
    } catch let cancelled as CancellationError {
      throw cancelled
    } catch {
      // What the visitors have seen by now stands, but the rest of the tiles is nobody's to judge.
      let problem = "reading the tiles ended after \(done) of \(archive.summary.tiles): \(reason(error))"
      return [Readable().error(archive.place, problem)]
    }
    return try ArchiveCheck.tiles.indices.flatMap { index in
      try ArchiveCheck.tiles[index].run(archive.place) { try visitors[index].finish() }
    }
  }
}
