internal import Core
internal import Foundation
internal import Synchronization

/// Opens one file and runs all rules that apply to it.
struct RuleRunner {
  let file: ProductScan.File
  let jobs: Int
  /// Where the results of rules that do not depend on the cycle are kept.
  let journal: Journal
  /// The tiles of the archives that were checked before.
  let checkedTiles: CheckedTiles
  /// The sources of the databases; nil if they are not known.
  let sources: SourceFolder?
  /// Called as tiles are read.
  let advanced: (_ done: Int, _ total: Int) -> Void

  func result() throws -> RuleResult {
    do {
      switch file.kind {
      case .archive:
        return try archiveResult(
          try opening { try ArchiveUnderTest(file.url, place: file.place, of: file.owner?.description) })
      case .database:
        return try databaseResult()
      case .airports:
        let database = try opening { try DatabaseUnderTest(file.url, place: file.place) }
        return try run([DatabaseIntegrity()] + RuleList.airportExports, on: database)
      case .lines:
        return try run(
          RuleList.documents, on: opening { try LinesUnderTest(file.url, place: file.place) })
      case .product:
        return try productResult()
      }
    } catch let unopened as Unopened {
      return unreadable("it cannot be opened: \(reason(unopened.cause))")
    }
  }

  private func productResult() throws -> RuleResult {
    let subject = try opening { try ProductUnderTest(file.url, place: file.place, hashes: journal.hashes) }
    var result = try run(RuleList.datedProducts, on: subject)
    result += try journal.undatedResult(of: subject, in: file.url) {
      try run(RuleList.products, on: subject.undated)
    }
    return result
  }

  private func unreadable(_ message: String) -> RuleResult {
    RuleResult([unreadableFinding(message)])
  }

  private func unreadableFinding(_ message: String) -> Finding {
    Finding(rule: RuleSummary.readable.name, severity: .error, where: file.place, message: message)
  }

  private func run<Subject>(_ rules: [any Rule<Subject>], on subject: Subject) throws -> RuleResult {
    try rules.reduce(into: RuleResult()) { result, rule in result += try rule.run(on: subject) }
  }

  private func opening<T>(_ body: () throws -> T) throws -> T {
    return try explaining({ Unopened(cause: $0) }) { try body() }
  }

  private struct Unopened: Error {
    let cause: any Error
  }

  // MARK: - Archives

  private func archiveResult(_ archive: ArchiveUnderTest) throws -> RuleResult {
    var result = try run(RuleList.archiveFiles, on: archive)
    if let problem = archive.unreadable {
      guard result.findings.allSatisfy({ $0.severity != .error }) else { return result }
      result.findings.insert(
        unreadableFinding("its tiles cannot be read: \(reason(problem))"), at: 0)
      return result
    }
    result += try run(RuleList.archives, on: archive)
    result += try checkedTiles.result(of: archive, in: file.owner) { try tileResult(archive, $0) }
    return result
  }

  private func tileResult(_ archive: ArchiveUnderTest, _ digest: TilesDigest?) throws -> RuleResult {
    let rules = archive.encoding?.isVector == true ? RuleList.vectorTiles : RuleList.tiles
    var pass = try TilePass(rules, of: archive, jobs: jobs, digest: digest, advanced: advanced)
    do {
      try pass.run()
    } catch let cancelled as CancellationError {
      throw cancelled
    } catch {
      // Rules that saw half of the tiles would report the other half as missing.
      return unreadable(
        "reading the tiles ended after \(pass.done) of \(archive.summary.tiles): \(reason(error))")
    }
    return try pass.result()
  }

  // MARK: - Databases

  /// Chooses the rules by the application id in the database's header.
  private func databaseResult() throws -> RuleResult {
    let open = { @Sendable [file, sources] in
      try DatabaseUnderTest(
        file.url, place: file.place, of: ProductUnderTest.owner(of: file), from: sources)
    }
    let database = try opening(open)
    if database.isOfIdentifiers {
      return try run([DatabaseIntegrity()] + RuleList.identifierExports, on: database)
    }
    if database.isOfOpenEFB {
      return try run([DatabaseIntegrity()] + RuleList.openEFBExports, on: database)
    }
    let own = database.isOfAirports ? RuleList.aviation : RuleList.obstacles
    return try runInParallel(
      RuleList.databaseFiles + (database.missingTables.isEmpty ? own + RuleList.tables : []), open)
  }

  /// Runs the rules on several threads, each with its own connection. The order of the findings is that of the rules.
  private func runInParallel(
    _ rules: [any Rule<DatabaseUnderTest>], _ open: @escaping @Sendable () throws -> DatabaseUnderTest
  ) throws -> RuleResult {
    let width = max(1, min(jobs, rules.count))
    // Starts with the last rules, which take longest.
    let left = Mutex(rules.count)
    var found = [RuleResult](repeating: RuleResult(), count: rules.count)
    try processInOrder(Array(0..<width), width: width) { _ in
      let database = try open()
      var results: [(rule: Int, result: RuleResult)] = []
      while let index = left.withLock({ left in
        left -= 1
        return left < 0 ? nil : left
      }) {
        try CancellationToken.current.check()
        results.append((index, try rules[index].run(on: database)))
      }
      return results
    } consume: { results in
      for result in results { found[result.rule] = result.result }
    }
    return found.reduce(into: RuleResult(), +=)
  }
}

extension CycleUnderTest {
  /// Runs the rules about a cycle in order, unless the journal has their results.
  func result(in journal: Journal, jobs: Int) throws -> RuleResult {
    var result = try withoutCharts.result(of: RuleList.databaseCycles, in: journal, as: "database-rules")
    try processInOrder(charts, width: jobs) { chart in
      try chart.result(of: RuleList.chartCycles, in: journal, as: "chart-rules")
    } consume: { found in
      result += found
    }
    var cycle = self
    cycle.facts.add(result.facts)
    result += try cycle.result(of: RuleList.cycles, in: journal, as: "cycle-rules")
    return result
  }

  private func result(
    of rules: [any Rule<CycleUnderTest>], in journal: Journal, as kind: String
  ) throws -> RuleResult {
    try journal.result(kind, of: self) { try result(of: rules) }
  }

  private func result(of rules: [any Rule<CycleUnderTest>]) throws -> RuleResult {
    var (cycle, result) = (self, RuleResult())
    for rule in rules {
      let found = try rule.run(on: cycle)
      cycle.facts.add(found.facts)
      result += found
    }
    return result
  }
}

/// One pass over an archive's tiles for all rules about tiles. The calling thread reads the archive and runs the rules in the
/// tiles' order; other threads decode.
private struct TilePass {
  private let rules: [any Rule<ArchiveUnderTest>]
  private let archive: ArchiveUnderTest
  private let jobs: Int
  /// Nil where the hash of the tiles is not needed.
  private let digest: TilesDigest?
  private let advanced: (_ done: Int, _ total: Int) -> Void
  /// One for each rule.
  private var visitors: [any RuleOutcome]
  private(set) var done = 0

  init(
    _ rules: [any Rule<ArchiveUnderTest>], of archive: ArchiveUnderTest, jobs: Int, digest: TilesDigest?,
    advanced: @escaping (_ done: Int, _ total: Int) -> Void
  ) throws {
    (self.rules, self.archive, self.jobs, self.digest) = (rules, archive, jobs, digest)
    self.advanced = advanced
    visitors = try rules.map { try $0.check(archive) }
  }

  mutating func run() throws {
    let threads = ThreadPool<[DecodedTile]>(width: jobs)
    var batch = TileBatch()
    try archive.reader.forEachStored { tile in
      batch.add(tile)
      guard batch.isFull else { return }
      decode(batch.removeAll(), on: threads)
      while threads.isFull, let tiles = threads.next() { try visit(tiles) }
    }
    decode(batch.removeAll(), on: threads)
    while let tiles = threads.next() { try visit(tiles) }
  }

  private func decode(_ tiles: [StoredTile], on threads: ThreadPool<[DecodedTile]>) {
    threads.add { [reference = archive.reference, encoding = archive.encoding] in
      tiles.map { DecodedTile($0, encoding, reference: reference) }
    }
  }

  private mutating func visit(_ tiles: [DecodedTile]) throws {
    for tile in tiles {
      try digest?.update(tile.stored)
      for index in visitors.indices { try visitors[index].visit(tile) }
    }
    done += tiles.count
    try CancellationToken.current.check()
    advanced(done, archive.summary.tiles)
  }

  mutating func result() throws -> RuleResult {
    var all = RuleResult()
    for index in rules.indices {
      all += try rules[index].result(at: archive.place) { try visitors[index].finish() }
    }
    return all
  }
}

/// Tiles that one thread decodes at once.
private struct TileBatch {
  private var tiles: [StoredTile] = []
  private var bytes = 0

  /// Few enough that several batches take little memory, even where the images are large.
  var isFull: Bool { tiles.count >= 64 || bytes >= 4 << 20 }

  mutating func add(_ tile: StoredTile) {
    tiles.append(tile)
    bytes += tile.data.count
  }

  mutating func removeAll() -> [StoredTile] {
    defer { self = TileBatch() }
    return tiles
  }
}
