internal import Core
internal import Pipeline
internal import TileArchive

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
