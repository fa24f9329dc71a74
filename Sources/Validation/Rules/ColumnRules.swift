internal import Core
internal import SQLiteIO

/// Compares each column of numbers with the same column of the last cycle, for errors in the FAA's files: the audit finds those of a
/// build.
struct ColumnsChanged: Rule {
  let name = "columns-changed"
  let protects = "No column whose unit or meaning the FAA changed since the last cycle reaches an app."

  /// Fewer values change by chance.
  private static let fewest = 20.0
  /// The largest ratio of two shares of rows, and the largest difference of two averages in standard deviations.
  private static let ratio = 1.5
  private static let shift = 0.3

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    try cycle.compared { $0.kind == .database }.flatMap { subject, before -> [Finding] in
      guard let new = try subject.database, let old = try before.database else { return [] }
      let known = try old.columns()
      return try new.known.flatMap { table -> [Finding] in
        let columns = table.columns.filter {
          $0.holdsNumbers && table.quantity(of: $0)?.unit != nil || $0.isFlag
        }.filter { known[table.name]?.contains($0.name) == true }
        guard !columns.isEmpty else { return [] }
        let (now, then) = (
          try new.profiles(of: columns, in: table.name), try old.profiles(of: columns, in: table.name)
        )
        return zip(columns, zip(now, then)).compactMap { column, pair in
          problem(column, pair.0, pair.1).map {
            finding(.error, subject, "\(table.name).\(column.name)", "\($0) in cycle \(before.product.cycle)")
          }
        }
      }
    }
  }

  private func problem(_ column: TableSchema.Column, _ now: NumberProfile, _ then: NumberProfile) -> String? {
    guard now.rows >= Self.fewest, then.values >= Self.fewest else { return nil }
    let filled = (now.values / now.rows, then.values / then.rows)
    if !Self.isNear(filled.0, filled.1) {
      return "it has values in \(Self.percent(filled.0)) of the rows, and in \(Self.percent(filled.1))"
    }
    if column.isFlag {
      guard then.mean * then.values >= Self.fewest, !Self.isNear(now.mean, then.mean) else {
        return nil
      }
      return "it is 1 in \(Self.percent(now.mean)) of the rows, and in \(Self.percent(then.mean))"
    }
    guard abs(now.mean - then.mean) > Self.shift * then.spread else { return nil }
    return "its average is \(now.mean.rounded()), and \(then.mean.rounded())"
  }

  private static func isNear(_ one: Double, _ other: Double) -> Bool {
    max(one, other) <= ratio * min(one, other)
  }

  private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}

/// The rows of a table, and the values of a column of numbers.
private typealias NumberProfile = (rows: Double, values: Double, mean: Double, spread: Double)

extension DatabaseUnderTest {
  fileprivate func profiles(
    of columns: [TableSchema.Column], in table: String
  ) throws -> [NumberProfile] {
    let parts = columns.map {
      "count(\"\($0.name)\"), avg(\"\($0.name)\"), avg(\"\($0.name)\" * \"\($0.name)\")"
    }
    return try connection.prepare("SELECT count(*), \(parts.joined(separator: ", ")) FROM \(table)").map {
      row in
      columns.indices.map { index -> NumberProfile in
        let (mean, square) = (row.double(3 * index + 2), row.double(3 * index + 3))
        return (
          row.double(0), row.double(3 * index + 1), mean, max(0, square - mean * mean).squareRoot()
        )
      }
    }.first ?? []
  }
}

extension TableSchema.Column {
  fileprivate var isFlag: Bool {
    type.hasPrefix("INTEGER") && (name.hasPrefix("is") || name.hasPrefix("has"))
  }
}

extension ProductUnderTest {
  /// Nil where the database is missing or cannot be opened, which other rules report.
  fileprivate var database: DatabaseUnderTest? {
    get throws {
      guard let file = file(role: .database), let database = try? DatabaseUnderTest(file, place: place),
        database.missingTables.isEmpty
      else { return nil }
      return database
    }
  }
}
