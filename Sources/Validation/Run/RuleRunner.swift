internal import Core
internal import CryptoIO
internal import Foundation

/// Opens one file and runs all rules that apply to it.
struct RuleRunner {
  let file: ProductScan.File
  let jobs: Int
  /// Where the results of rules that do not depend on the cycle are kept.
  let journal: Journal
  /// The tiles of the product's archives that were checked before.
  let checkedTiles: CheckedTiles
  /// The sources of the databases; nil if they are not known.
  let sources: SourceFolder?
  /// Called as tiles are read.
  let advanced: (_ done: Int, _ total: Int) -> Void

  func result() throws -> RuleResult {
    switch file.kind {
    case .archive:
      return try opened(
        try ArchiveUnderTest(file.url, place: file.place, of: file.owner?.description), archiveResult)
    case .database:
      return try databaseResult()
    case .airports:
      return try opened(try DatabaseUnderTest(file.url, place: file.place)) {
        try run([DatabaseIntegrity()] + RuleList.airportExports, on: $0)
      }
    case .lines:
      return try opened(try LinesUnderTest(file.url, place: file.place)) {
        try run(RuleList.documents, on: $0)
      }
    case .product:
      return try opened(
        try ProductUnderTest(file.url, place: file.place, hashes: journal.hashes), productResult)
    }
  }

  private func productResult(_ subject: ProductUnderTest) throws -> RuleResult {
    var result = try run(RuleList.datedProducts, on: subject)
    result += try journal.undatedResult(of: subject, in: file.url) {
      try run(RuleList.products, on: subject.undated)
    }
    return result
  }

  /// Checks a subject, unless it cannot be opened.
  private func opened<Subject>(
    _ open: @autoclosure () throws -> Subject, _ check: (Subject) throws -> RuleResult
  ) throws -> RuleResult {
    let subject: Subject
    do {
      subject = try open()
    } catch {
      return unreadable("it cannot be opened: \(reason(error))")
    }
    return try check(subject)
  }

  private func unreadable(_ message: String) -> RuleResult {
    RuleResult([unreadableFinding(message)])
  }

  private func unreadableFinding(_ message: String) -> Finding {
    Finding(rule: RuleList.readable.name, severity: .error, where: file.place, message: message)
  }

  private func run<Subject>(_ rules: [any Rule<Subject>], on subject: Subject) throws -> RuleResult {
    try rules.reduce(into: RuleResult()) { result, rule in result += try rule.run(on: subject) }
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
    let isAlone = (file.owner?.archives ?? 0) < 2
    result += try checkedTiles.result(of: archive, isAlone: isAlone) { try tileResult(archive, $0) }
    return result
  }

  /// Makes one pass over an archive's tiles for all rules about tiles. The calling thread reads the archive and runs the rules in the
  /// tiles' order; other threads decode.
  ///
  /// - Parameter digest: nil where the hash of the tiles is not needed.
  private func tileResult(_ archive: ArchiveUnderTest, _ digest: Digest?) throws -> RuleResult {
    let rules = archive.encoding?.isVector == true ? RuleList.vectorTiles : RuleList.tiles
    var visitors: [any RuleOutcome] = try rules.map { try $0.check(archive) }
    var done = 0
    do {
      try decode(archive) { tiles in
        for tile in tiles {
          try digest?.update(tile.stored)
          for index in visitors.indices { try visitors[index].visit(tile) }
        }
        done += tiles.count
        try CancellationToken.current.check()
        advanced(done, archive.summary.tiles)
      }
    } catch let cancelled as CancellationError {
      throw cancelled
    } catch {
      // Rules that saw half of the tiles would report the other half as missing.
      return unreadable("reading the tiles ended after \(done) of \(archive.summary.tiles): \(reason(error))")
    }
    return try rules.indices.reduce(into: RuleResult()) { result, index in
      result += try rules[index].result(at: archive.place) { try visitors[index].finish() }
    }
  }

  /// Calls `each` with batches of tiles in order.
  private func decode(_ archive: ArchiveUnderTest, _ each: ([DecodedTile]) throws -> Void) throws {
    // The rules take a third as long as decoding, and other files are checked at the same time.
    let threads = ThreadPool<[DecodedTile]>(width: min(jobs, 3))
    var (batch, bytes): ([StoredTile], Int) = ([], 0)
    func add() {
      threads.add { [reference = archive.reference, encoding = archive.encoding, batch] in
        batch.map { DecodedTile($0, encoding, reference: reference) }
      }
      (batch, bytes) = ([], 0)
    }
    try archive.reader.forEachStored { tile in
      batch.append(tile)
      bytes += tile.data.count
      // Few enough that several batches take little memory, even where the images are large.
      guard batch.count >= 64 || bytes >= 4 << 20 else { return }
      add()
      while threads.isFull, let tiles = threads.next() { try each(tiles) }
    }
    add()
    while let tiles = threads.next() { try each(tiles) }
  }

  // MARK: - Databases

  /// Chooses the rules by the application id in the database's header.
  private func databaseResult() throws -> RuleResult {
    let open = { @Sendable [file, sources] in
      try DatabaseUnderTest(
        file.url, place: file.place, of: ProductUnderTest.owner(of: file), from: sources)
    }
    return try opened(try open()) { database in
      if database.isOfIdentifiers {
        return try run([DatabaseIntegrity()] + RuleList.identifierExports, on: database)
      }
      if database.isOfOpenEFB {
        return try run([DatabaseIntegrity()] + RuleList.openEFBExports, on: database)
      }
      return try runInParallel(
        RuleList.databaseFiles + (database.missingTables.isEmpty ? RuleList.rules(of: database.kind) : []),
        open)
    }
  }

  /// Runs the rules on several threads, each with a connection of its own. The order of the findings is that of the rules.
  private func runInParallel(
    _ rules: [any Rule<DatabaseUnderTest>], _ open: @escaping @Sendable () throws -> DatabaseUnderTest
  ) throws -> RuleResult {
    var result = RuleResult()
    try processInOrder(rules, width: max(1, min(jobs, rules.count))) {
      try $0.run(on: open())
    } consume: {
      result += $0
    }
    return result
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
