internal import Core
internal import Foundation

extension SiteFolder {
  /// Writes `changes.html` and `changes.json` beside a cycle's report, and removes outdated ones.
  ///
  /// - Returns: the digests for the report, by product.
  func write(_ changes: [DatabaseChange], of cycle: AiracCycle) throws -> [String: ChangeDigest] {
    let folder = folder(of: cycle)
    var digests: [String: ChangeDigest] = [:]
    var written: Set<String> = []
    for change in changes {
      var digest = change.digest
      if case .success(let difference) = change.difference {
        let name = changes.count == 1 ? "changes" : SiteFolder.changesName(change.product.id)
        try write(DifferencePage(difference: difference).data, to: folder.appending(path: "\(name).html"))
        try write(CanonicalJSON.pretty(difference), to: folder.appending(path: "\(name).json"))
        written.formUnion(["\(name).html", "\(name).json"])
        digest.link = "\(name).html"
      }
      digests[change.product.id] = digest
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix("changes") && !written.contains(name) {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
    return digests
  }

  /// Returns the file name for one of several databases, without the extension.
  private static func changesName(_ id: String) -> String {
    "changes-" + String(id.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }
}

/// The changes of a database since the previous known cycle.
struct DatabaseChange {
  let product: Product
  let difference: Result<DatabaseDifference, any Error>

  var digest: ChangeDigest {
    switch difference {
    case .success(let difference): ChangeDigest(difference)
    case .failure(let error): ChangeDigest(failure: (error as? UserError)?.reason ?? error.fileErrorReason)
    }
  }

  /// - Parameters:
  ///   - earlier: the latest cycle's first.
  ///   - journal: where the comparisons of unchanged databases are kept.
  /// - Returns: the changes of each database with an earlier version, by id. A failed comparison does not stop the others.
  static func all(
    of products: [PlacedProduct], against earlier: [PlacedProduct], _ journal: Journal
  ) throws -> [DatabaseChange] {
    try products.filter { $0.product.kind == .database }.compactMap { new in
      try CancellationToken.current.check()
      let same = earlier.filter { $0.product.id == new.product.id }
      let old = same.first { $0.product.cycle < new.product.cycle } ?? same.first
      guard let old = old.flatMap(database), let new = database(new).map({ (product: new.product, file: $0) })
      else { return nil }
      return DatabaseChange(
        product: new.product, difference: try compare(old, with: new.file, of: new.product.id, journal))
    }
  }

  private static func compare(
    _ old: URL, with new: URL, of id: String, _ journal: Journal
  ) throws -> Result<DatabaseDifference, any Error> {
    do {
      let inputs = try [old, new].flatMap { [$0.relativePath, try journal.hashes.sha256(of: $0).text] }
      return .success(
        try journal.value(of: "changes/\(id)", for: inputs) { try DatabaseComparison.compare(old, with: new) }
      )
    } catch let cancelled as CancellationError {
      throw cancelled
    } catch {
      return .failure(error)
    }
  }

  /// Returns a URL relative to the product's folder, so that the comparison does not contain the folder.
  private static func database(_ placed: PlacedProduct) -> URL? {
    placed.product.files.first { $0.role == .database }.map {
      URL(filePath: $0.path, relativeTo: URL(filePath: placed.folder.path, directoryHint: .isDirectory))
    }
  }
}

/// The summary of a difference between two databases for the report: the counts, and the most important items of each group.
struct ChangeDigest: Equatable {
  struct Group: Equatable {
    let title: String
    let count: Int
    /// HTML, the most important first.
    let lines: [String]
  }

  /// `2304 (2023-04-20) → 2305 (2023-05-18)`; empty where the comparison failed.
  let title: String
  let groups: [Group]
  /// The reason of a failed comparison.
  let failure: String?
  /// The link to the page with all changes.
  var link: String?

  private static let shown = 12

  init(failure: String) {
    (title, groups, self.failure) = ("", [], failure)
  }

  init(_ difference: DatabaseDifference) {
    title = difference.title.replacing("->", with: "→")
    failure = nil
    groups = (ChangeDigest.airports(difference.airports) + ChangeDigest.items(difference)).filter {
      $0.count > 0
    }
  }

  /// The groups are ordered by importance.
  private static func airports(_ airports: [AirportDifference]) -> [Group] {
    let group = { (title: String, lines: (AirportDifference) -> [String]?) in
      let items = airports.compactMap { airport in lines(airport).map { ChangeDigest.line(airport, $0) } }
      return Group(title: title, count: items.count, lines: Array(items.prefix(shown)))
    }
    let fields = { (airport: AirportDifference, names: [String]) -> [String]? in
      let texts = airport.fields.filter { names.contains($0.field) }.map(\.text)
      return texts.isEmpty ? nil : texts
    }
    return [
      group("Opened") {
        $0.change == .added || $0.change == .reopened ? $0.description.map { [$0] } ?? [] : nil
      },
      group("Closed") {
        $0.change == .removed || $0.change == .closed ? $0.description.map { [$0] } ?? [] : nil
      },
      group("Renamed") { fields($0, ["icao", "faaID", "name"]) },
      group("Moved") { fields($0, ["position"]) },
      group("Runways") { $0.runways.isEmpty ? nil : $0.runways.map(\.line) },
      group("Frequencies") { $0.frequencies.isEmpty ? nil : $0.frequencies.map(\.line) },
    ]
  }

  private static func line(_ airport: AirportDifference, _ lines: [String]) -> String {
    let words = lines.prefix(3).map(arrows) + (lines.count > 3 ? ["and \(lines.count - 3) more"] : [])
    return "<strong>\(escaped(airport.icao))</strong> \(escaped(airport.heading))"
      + (words.isEmpty ? "" : "<br>\(words.joined(separator: "; "))")
  }

  private static func items(_ difference: DatabaseDifference) -> [Group] {
    let kinds = [
      ("Airspace", difference.airspaces), ("Navaids", difference.navaids), ("Fixes", difference.fixes),
      ("Procedures", difference.procedures), ("Holds", difference.holds), ("Routes", difference.routes),
    ]
    let groups = kinds.map { title, items in
      Group(
        title: title, count: items.count,
        lines: items.prefix(shown).map { item in
          arrows(item.line) + (item.kind.isEmpty ? "" : " <small>\(escaped(item.kind))</small>")
        })
    }
    return groups + [obstacles(difference.obstacles)]
  }

  private static func obstacles(_ states: [ObstacleTally]) -> Group {
    let count = { (state: ObstacleTally) in state.added + state.removed + state.changed }
    let most = states.enumerated().sorted {
      (-count($0.element), $0.offset) < (-count($1.element), $1.offset)
    }
    let lines = most.prefix(shown).map { _, state in
      "<strong>\(escaped(state.state))</strong> \(Counts.grouped(state.added)) added, "
        + "\(Counts.grouped(state.removed)) removed, \(Counts.grouped(state.changed)) changed"
    }
    return Group(title: "Obstacles", count: states.map(count).reduce(0, +), lines: lines)
  }
}

/// Escapes the text of a difference and converts its arrows.
func arrows(_ text: String) -> String { escaped(text).replacing("-&gt;", with: "→") }
