internal import Core
internal import Pipeline
internal import TileArchive

/// All that is asked of one archive.
struct ArchiveCheck {
  let archive: ArchiveUnderTest
  let jobs: Int
  let advanced: (_ done: Int, _ total: Int) -> Void

  /// These look at archives of any shape; the others need tiles and metadata that can be read.
  private static let mbtiles: [any MBTilesRule] = [ArchiveIntegrity(), ArchiveSchema()]
  private static let pmtiles: [any PMTilesRule] = [PMTilesStructure()]
  private static let contents: [any ArchiveRule] = [
    ArchiveMetadataRule(), ArchiveEdition(), NeatlinePixels(),
  ]
  private static let tiles: [any TileRule] = [
    TilesDecode(), TilesHaveParents(), TilesAgree(), TilesSharp(), TilesShowSheet(), TileHashRule(),
    TilesInsideBounds(),
  ]

  static var rules: [any Rule] { mbtiles + pmtiles + contents + tiles }

  func findings() throws -> [Finding] {
    if let span = PatchSpan(metadata: archive.metadata) { return [patchFinding(span)] }
    let basic = try foundations()
    guard let problem = archive.unreadable else {
      return try basic + contents() + tileFindings()
    }
    guard basic.allSatisfy({ $0.severity != .error }) else { return basic }
    return [Readable().error(archive.place, "its tiles cannot be read: \(reason(problem))")] + basic
  }

  /// A patch would pass for an archive with most of its tiles lost.
  private func patchFinding(_ span: PatchSpan) -> Finding {
    Readable().error(
      archive.place,
      "it is a patch, from tiles \(span.before) to \(span.after), and no archive; apply it with "
        + "`chartpipe patch apply`, and validate what comes out")
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
    var pass = try TilePass(ArchiveCheck.tiles, of: archive, jobs: jobs, advanced: advanced)
    do {
      try pass.run()
    } catch let cancelled as CancellationError {
      throw cancelled
    } catch {
      // Half of the tiles would only look as if the other half were missing.
      let problem = "reading the tiles ended after \(pass.done) of \(archive.summary.tiles): \(reason(error))"
      return [Readable().error(archive.place, problem)]
    }
    return try ArchiveCheck.tiles.indices.flatMap { index in
      try ArchiveCheck.tiles[index].run(archive.place) { try pass.findings(index) }
    }
  }
}

/// One pass over an archive's tiles for all the rules that look at them. The archive is read and the rules are asked here,
/// in the tiles' order; in between, other threads decode.
struct TilePass {
  let archive: ArchiveUnderTest
  let jobs: Int
  let advanced: (_ done: Int, _ total: Int) -> Void
  private var visitors: [any TileVisitor] = []
  private(set) var done = 0

  init(
    _ rules: [any TileRule], of archive: ArchiveUnderTest, jobs: Int,
    advanced: @escaping (_ done: Int, _ total: Int) -> Void
  ) throws {
    self.archive = archive
    self.jobs = jobs
    self.advanced = advanced
    visitors = try rules.map { try $0.visitor(of: archive) }
  }

  mutating func run() throws {
    let threads = ThreadPool<[SeenTile]>(width: jobs)
    var batch = TileBatch()
    try archive.reader.forEachStored { tile in
      batch.add(tile)
      guard batch.isFull else { return }
      hand(batch.take(), to: threads)
      while threads.isFull, let seen = threads.next() { try visit(seen) }
    }
    hand(batch.take(), to: threads)
    while let seen = threads.next() { try visit(seen) }
  }

  private func hand(_ tiles: [StoredTile], to threads: ThreadPool<[SeenTile]>) {
    threads.add { [reference = archive.reference] in tiles.map { SeenTile($0, reference: reference) } }
  }

  private mutating func visit(_ tiles: [SeenTile]) throws {
    for tile in tiles {
      for index in visitors.indices { try visitors[index].visit(tile) }
    }
    done += tiles.count
    try CancellationToken.current.check()
    advanced(done, archive.summary.tiles)
  }

  /// What the rule of this number found.
  mutating func findings(_ rule: Int) throws -> [Finding] { try visitors[rule].finish() }
}
