internal import Foundation
internal import SQLiteIO

/// The difference between two files that should be the same.
struct FileDifference {
  /// A description of the first difference, or a count of all.
  let words: String
  /// Whether readers get the same from both files: the same pixels, or the same rows.
  let isSameContent: Bool

  init(_ words: String, isSameContent: Bool = false) {
    (self.words, self.isSameContent) = (words, isSameContent)
  }

  init(from old: URL, to new: URL) {
    do {
      switch ArchiveKind(contentsOf: old) {
      case .pmtiles: self = try FileDifference.tiles(ArchiveKind.open(old), ArchiveKind.open(new))
      case .mbtiles:
        // Other databases have no tiles.
        guard let difference = try? ArchiveDifference(from: old, to: new) else {
          self = try TableDifference(old, new).difference()
          return
        }
        let hasSameTiles = difference.changed + difference.removed + difference.added == 0
        self =
          try hasSameTiles
          ? TableDifference(old, new).difference()
          : FileDifference.tiles(ArchiveKind.open(old), ArchiveKind.open(new))
      case nil: self = FileDifference(try FileDifference.contents(old, new))
      }
    } catch {
      self.init("it cannot be compared: \(error)")
    }
  }

  private static func contents(_ old: URL, _ new: URL) throws -> String {
    let (left, right) = (try FileHandle(forReadingFrom: old), try FileHandle(forReadingFrom: new))
    var (bytes, lines) = (0, 0)
    while true {
      let (own, other) = (try piece(left), try piece(right))
      let same = own.elementsEqual(other) ? own[...] : own.prefix(zip(own, other).prefix { $0 == $1 }.count)
      bytes += same.count
      lines += same.count { $0 == UInt8(ascii: "\n") }
      if same.isEmpty || same.count < max(own.count, other.count) { break }
    }
    let isText = ["json", "geojson"].contains(new.pathExtension)
    return isText ? "it differs from line \(lines + 1) on" : "it differs from byte \(bytes + 1) on"
  }

  private static func piece(_ file: FileHandle) throws -> Data { try file.read(upToCount: 1 << 20) ?? Data() }
}

/// Lists the tables of two databases whose rows differ.
struct TableDifference {
  private let connection: SQLiteConnection

  init(_ old: URL, _ new: URL) throws {
    connection = try SQLiteConnection(new.path, mode: .readOnly)
    try connection.prepare("ATTACH ? AS old").run([.text(old.path)])
  }

  func difference() throws -> FileDifference {
    let (own, others) = (try tables("main"), try tables("old"))
    let shared = try own.filter(others.contains).compactMap(change)
    let gone = others.filter { !own.contains($0) }.map { "\($0) is missing" }
    let new = own.filter { !others.contains($0) }.map { "\($0) is added" }
    let all = shared + gone + new
    if all.isEmpty {
      return FileDifference("the same rows in all tables, stored differently", isSameContent: true)
    }
    let shown = all.prefix(TableDifference.limit).joined(separator: ", ")
    return FileDifference(
      all.count > TableDifference.limit
        ? "\(shown) and \(all.count - TableDifference.limit) more tables" : shown)
  }

  private static let limit = 6

  /// Leaves out the internal tables of R-tree and full-text indexes, which depend on the others.
  private func tables(_ database: String) throws -> [String] {
    try connection.prepare(
      """
      SELECT name FROM \(database).sqlite_schema t
      WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' AND sql NOT LIKE 'CREATE VIRTUAL%'
        AND NOT EXISTS (SELECT 1 FROM \(database).sqlite_schema v
          WHERE v.sql LIKE 'CREATE VIRTUAL%' AND substr(t.name, 1, length(v.name) + 1) = v.name || '_')
      ORDER BY name
      """
    ).map { $0.text(0) ?? "" }
  }

  /// `airports (3 rows)`; nil for a table with the same rows.
  private func change(_ table: String) throws -> String? {
    let name = "\"\(table.replacing("\"", with: "\"\""))\""
    func rows(of one: String, butNot other: String) throws -> Int {
      try connection.prepare(
        "SELECT count(*) FROM (SELECT * FROM \(one).\(name) EXCEPT SELECT * FROM \(other).\(name))"
      ).map { $0.int(0) }.first ?? 0
    }
    do {
      let count = max(try rows(of: "main", butNot: "old"), try rows(of: "old", butNot: "main"))
      return count == 0 ? nil : "\(table) (\(count == 1 ? "1 row" : "\(count) rows"))"
    } catch is SQLiteError {
      return "\(table) (different columns)"
    }
  }
}
