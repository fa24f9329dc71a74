internal import Core
internal import Foundation
internal import SQLiteIO

/// The difference between two files that should be the same.
struct FileDifference {
  /// A description of the first difference, or a count of all.
  let words: String
  /// Whether readers get the same from both files: the same pixels, or the same rows.
  var isSameContent = false
}

extension FileDifference {
  init(from old: URL, to new: URL) {
    do {
      switch ArchiveKind(contentsOf: old) {
      case .pmtiles: self = try FileDifference.tiles(ArchiveKind.open(old), ArchiveKind.open(new))
      case .mbtiles:
        // Other databases have no tiles.
        let tiles = try? ArchiveDifference(from: old, to: new)
        let hasOtherTiles = tiles.map { $0.changed + $0.removed + $0.added > 0 } ?? false
        self =
          try hasOtherTiles
          ? FileDifference.tiles(ArchiveKind.open(old), ArchiveKind.open(new))
          : FileDifference.rows(old, new)
      case nil: self = FileDifference(words: try FileDifference.contents(old, new))
      }
    } catch {
      self.init(words: "it cannot be compared: \(error)")
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

  /// Lists the tables of two databases whose rows differ.
  private static func rows(_ old: URL, _ new: URL) throws -> FileDifference {
    let connection = try SQLiteConnection(new.path, mode: .readOnly)
    try connection.prepare("ATTACH ? AS old").run([.text(old.path)])
    let (own, others) = (try tables("main", connection), try tables("old", connection))
    let shared = try own.filter(others.contains).compactMap { try change($0, connection) }
    let gone = others.filter { !own.contains($0) }.map { "\($0) is missing" }
    let new = own.filter { !others.contains($0) }.map { "\($0) is added" }
    let all = shared + gone + new
    if all.isEmpty {
      return FileDifference(words: "the same rows in all tables, stored differently", isSameContent: true)
    }
    return FileDifference(words: Counts.some(all, atMost: 6) + (all.count > 6 ? " tables" : ""))
  }

  /// Leaves out the internal tables of R-tree and full-text indexes, which depend on the others.
  private static func tables(_ database: String, _ connection: SQLiteConnection) throws -> [String] {
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
  private static func change(_ table: String, _ connection: SQLiteConnection) throws -> String? {
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
