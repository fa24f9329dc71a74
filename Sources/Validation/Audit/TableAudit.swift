public import Core
public import Foundation
internal import SQLiteIO

/// Compares the rows of a table with those that its source gives, as sets of rows.
///
/// It keeps a hash of each row. Only where the sets differ does it read both sides again, to pair the rows that are left.
struct TableAudit {
  typealias Rows = (_ each: (AuditRow, AuditContext) throws -> Bool) throws -> Void

  let table: String
  /// The names of the compared columns, and their values of a row of the source.
  let columns: [(name: String, value: AuditExpectation.Value)]
  /// Groups of columns of which a row needs at least one value, and groups of columns that no two rows share.
  var required: [[Int]] = []
  var unique: [[Int]] = []
  /// The rows of the database: a label, then the columns.
  let query: String
  /// Passes on the rows of the source. The closure returns whether the row is expected in the database.
  let rows: Rows

  /// The hash of a row and its number.
  private typealias Entry = (hash: UInt64, number: Int)

  func result(_ database: SQLiteConnection) throws -> AuditResult {
    var expected = try expected()
    var found = try found(database)
    // In place, since a full obstacle file has 600,000 rows.
    expected.sort { $0 < $1 }
    found.sort { $0 < $1 }
    var result = AuditResult(values: expected.count * columns.count)
    let (missing, added) = Self.difference(expected, found)
    guard !missing.isEmpty || !added.isEmpty else { return result }
    result.differences = try details(missing, added, database)
    result.more = max(0, max(missing.count, added.count) - result.differences.count)
    return result
  }

  private func expected() throws -> [Entry] {
    var entries: [Entry] = []
    try forEachExpected { entries.append((Self.hash($2), entries.count)) }
    return entries
  }

  /// Passes on the rows that the database must have, with the hashes of their values.
  private func forEachExpected(_ each: (AuditRow, AuditContext, _ hashes: [UInt64]) -> Void) throws {
    var seen: Set<UInt64> = []
    try rows { row, context in
      guard let hashes = expected(row, context), unique.allSatisfy({ insert($0, hashes, into: &seen) }) else {
        return false
      }
      each(row, context, hashes)
      return true
    }
  }

  /// The hashes of a row's values; nil if it lacks a required one.
  private func expected(_ row: AuditRow, _ context: AuditContext) -> [UInt64]? {
    var hashes: [UInt64] = []
    hashes.reserveCapacity(columns.count)
    for column in columns { hashes.append(column.value(row, context).hash) }
    let null = AuditValue.null.hash
    return required.allSatisfy { group in group.contains { hashes[$0] != null } } ? hashes : nil
  }

  private func insert(_ places: [Int], _ hashes: [UInt64], into seen: inout Set<UInt64>) -> Bool {
    let key = places.map { hashes[$0] }
    return key.contains(AuditValue.null.hash) || seen.insert(Self.hash(key)).inserted
  }

  private static func hash(_ hashes: [UInt64]) -> UInt64 {
    hashes.reduce(into: UInt64(hashes.count)) { AuditHash.add($1, to: &$0) }
  }

  private func found(_ database: SQLiteConnection) throws -> [Entry] {
    var entries: [Entry] = []
    try database.prepare(query).rows { row in
      var hash = UInt64(columns.count)
      for column in columns.indices { AuditHash.add(row.auditHash(column + 1), to: &hash) }
      entries.append((hash, entries.count))
    }
    return entries
  }

  /// The numbers of the rows that only one of two sorted lists has.
  private static func difference(_ one: [Entry], _ other: [Entry]) -> (missing: [Int], added: [Int]) {
    var (missing, added): ([Int], [Int]) = ([], [])
    var (i, j) = (0, 0)
    while i < one.count || j < other.count {
      if j == other.count || (i < one.count && one[i].hash < other[j].hash) {
        missing.append(one[i].number)
        i += 1
      } else if i == one.count || other[j].hash < one[i].hash {
        added.append(other[j].number)
        j += 1
      } else {
        (i, j) = (i + 1, j + 1)
      }
    }
    return (missing.sorted(), added.sorted())
  }

  // MARK: - Details

  /// The rows that are paired with each other are few, since each is compared with all that are left of the other side.
  private static let mostDetails = 3

  private struct Pairing {
    let line: Int
    let hashes: [UInt64]
    let shown: [String]
    var likeness = 0
    var partner: (label: String, hashes: [UInt64], shown: [String])?
  }

  private func details(
    _ missing: [Int], _ added: [Int], _ database: SQLiteConnection
  ) throws -> [Difference] {
    var pairings = try pairings(Set(missing.prefix(Self.mostDetails)))
    var strangers: [String] = []
    let (added, isFew) = (Set(added), missing.count <= Self.mostDetails)
    var number = -1
    try database.prepare(query).rows { row in
      number += 1
      guard added.contains(number) else { return }
      let hashes = columns.indices.map { row.auditHash($0 + 1) }
      var isLike = false
      for index in pairings.indices {
        let likeness = zip(pairings[index].hashes, hashes).count { $0 == $1 }
        if likeness * 2 >= columns.count { isLike = true }
        guard likeness > pairings[index].likeness else { continue }
        pairings[index].likeness = likeness
        pairings[index].partner = (
          row.text(0) ?? "", hashes, columns.indices.map { row.auditValue($0 + 1).shown }
        )
      }
      if isFew, !isLike, strangers.count < Self.mostDetails { strangers.append(row.text(0) ?? "") }
    }
    return pairings.map(difference)
      + strangers.map { Difference("\(table) \($0)", "it is not in the source") }
      + (missing.isEmpty && strangers.isEmpty ? [Difference(table, "a row is there twice")] : [])
  }

  private func pairings(_ missing: Set<Int>) throws -> [Pairing] {
    var pairings: [Pairing] = []
    var number = 0
    try forEachExpected { row, context, hashes in
      if missing.contains(number) {
        let shown = columns.map { $0.value(row, context).shown }
        pairings.append(Pairing(line: row.line, hashes: hashes, shown: shown))
      }
      number += 1
    }
    return pairings
  }

  private func difference(_ pairing: Pairing) -> Difference {
    guard let partner = pairing.partner, pairing.likeness * 2 >= columns.count else {
      let texts = zip(columns, pairing.shown).prefix(4).map { "\($0.name) \($1)" }
      return Difference(
        table, "the row of line \(pairing.line) of the source (\(texts.joined(separator: ", "))) is missing")
    }
    let texts = columns.indices.filter { pairing.hashes[$0] != partner.hashes[$0] }.prefix(3).map { index in
      "\(columns[index].name) is \(partner.shown[index]), and in the source \(pairing.shown[index])"
    }
    return Difference(
      "\(table) \(partner.label)", "\(texts.joined(separator: "; ")) (line \(pairing.line))")
  }
}

/// What an audit found.
public struct AuditResult: Sendable {
  /// How many values were compared.
  public internal(set) var values = 0
  var differences: [Difference] = []
  /// How many more rows differ.
  var more = 0
  /// The columns and tables that are not compared with the sources.
  var unaudited: [String] = []

  /// How many differences there are. A row with several of them counts once.
  public var differ: Int { differences.count + more }

  /// How many differences of a kind are kept as texts.
  private static let shown = 5

  mutating func add(_ table: String, _ row: String, _ text: String) {
    if differences.count < Self.shown {
      differences.append(Difference("\(table) \(row)", text))
    } else {
      more += 1
    }
  }

  static func += (result: inout AuditResult, other: AuditResult) {
    result.values += other.values
    result.differences += other.differences
    result.more += other.more
  }

  /// For the description of the product.
  public func evidence(of database: SHA256Hex) -> Product.Audit {
    Product.Audit(sha256: database, values: values, differ: differ, unaudited: unaudited.count)
  }

  /// Throws an error that names some of the differences.
  public func check(_ database: URL) throws {
    guard differ > 0 else { return }
    let shown = differences.prefix(Self.shown).map { "\($0.place): \($0.text)" }
    let more = differ > shown.count ? "; and \(Counts.grouped(differ - shown.count)) more" : ""
    throw UserError(
      .refused, operation: "auditing the database", path: database.path,
      reason: "it differs from its sources: \(shown.joined(separator: "; "))\(more)",
      suggestion: "Nothing was built from it. Build it again; if that does not help, report it.")
  }
}
