internal import Foundation
internal import SQLiteIO
internal import TileArchive

/// Describes the first difference between two files that should be the same.
enum FileDifference {
  static func text(from old: URL?, to new: URL?) -> String? {
    guard let old, let new else { return nil }
    do {
      switch ArchiveKind(contentsOf: old) {
      case .pmtiles: return try packedTiles(old, new)
      case .mbtiles: return try tiles(old, new) ?? TableDifference(old, new).text()
      case nil: return try contents(old, new)
      }
    } catch {
      return "it cannot be compared: \(error)"
    }
  }

  /// Returns nil for a database that is not an archive, and for an archive with the same tiles.
  private static func tiles(_ old: URL, _ new: URL) throws -> String? {
    guard let difference = try ArchiveDifference(from: old, to: new) else { return nil }
    let all = difference.before.values.reduce(0, +)
    let parts = [
      (difference.changed, "changed"), (difference.removed, "missing"), (difference.added, "added"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? nil : "of \(all) tiles \(parts.joined(separator: ", "))"
  }

  private static func packedTiles(_ old: URL, _ new: URL) throws -> String {
    let hashes = try [old, new].map { try ArchiveKind.open($0).aggregateHash() }
    return hashes[0] == hashes[1] ? "the same tiles, packed differently" : "different tiles"
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

  func text() throws -> String {
    let (own, others) = (try tables("main"), try tables("old"))
    let shared = try own.filter(others.contains).compactMap(change)
    let gone = others.filter { !own.contains($0) }.map { "\($0) is missing" }
    let new = own.filter { !others.contains($0) }.map { "\($0) is added" }
    let all = shared + gone + new
    guard !all.isEmpty else { return "the same rows in all tables, stored differently" }
    let shown = all.prefix(TableDifference.limit).joined(separator: ", ")
    return all.count > TableDifference.limit
      ? "\(shown) and \(all.count - TableDifference.limit) more tables" : shown
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
