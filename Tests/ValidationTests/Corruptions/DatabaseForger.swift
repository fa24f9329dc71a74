import CryptoIO
import Foundation
import Pipeline
import SQLiteIO
import TestSupport
import Testing
import Validation

/// Changes the sample's database or what is made of it, and makes all that is said of them true again.
extension CleanBuild {
  static let database = "sample-nasr/aviation"
  static let exports = [
    "sample-nasr/airports", "sample-nasr/identifiers", "sample-nasr/map", "sample-nasr/openefb",
  ]

  /// Leaves the database as the only product: what is made of it would tell of each change too.
  func keepDatabaseAlone() throws {
    try removeCharts()
    let pipeline = folder.appending(path: "sample-nasr")
    for name in try FileManager.default.contentsOfDirectory(atPath: pipeline.path)
    where !name.hasPrefix("aviation.") {
      try FileManager.default.removeItem(at: pipeline.appending(path: name))
    }
  }

  /// The charts have no part in it, and take time.
  func removeCharts() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != "sample-nasr" {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }

  /// Changes a database, its own counts and the description's with it.
  func forge(_ sql: String, in id: String = database) throws {
    let connection = try SQLiteConnection(try file(id, role: "database").path, mode: .create)
    try connection.execute(sql)
    if id == CleanBuild.database { try recount(connection) }
    try connection.close()
    try Forger(self, id).signFiles()
  }

  private func recount(_ connection: SQLiteConnection) throws {
    let told = try connection.prepare("SELECT key FROM metadata WHERE key LIKE 'counts.%'").map {
      $0.text(0) ?? ""
    }
    let tables = Set(
      try connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").map { $0.text(0) ?? "" })
    for name in told.map({ String($0.dropFirst("counts.".count)) }) where tables.contains(name) {
      let rows = try connection.prepare("SELECT count(*) FROM \(name)").map { $0.int(0) }.first ?? 0
      try connection.prepare("UPDATE metadata SET value = ? WHERE key = ?")
        .run([.text("\(rows)"), .text("counts.\(name)")])
      try describe(CleanBuild.database) { $0.build.counts[name] = rows }
    }
  }

  /// Changes a file of text, in one place that must be there.
  func edit(_ name: String, of id: String, _ old: String, to new: String) throws {
    let file = description(id).deletingLastPathComponent().appending(path: name)
    var text = try String(contentsOf: file, encoding: .utf8)
    let place = try #require(text.range(of: old))
    text.replaceSubrange(place, with: new)
    try Data(text.utf8).write(to: file)
    try Forger(self, id).signFiles()
  }

  /// Takes a product as it is for the last cycle's, with what was different then.
  func hold(against id: String = database, _ change: (inout Product) throws -> Void) throws {
    var before = try product(id)
    before.cycle = "2303"
    try change(&before)
    against = [PlacedProduct(before, in: description(id).deletingLastPathComponent())]
  }

  /// The same with another database of the last cycle.
  func holdAgainstDatabase(altered sql: String) throws {
    let copy = folder.deletingLastPathComponent().appending(path: "last")
    try? FileManager.default.removeItem(at: copy)
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    let file = copy.appending(path: "aviation.sqlite")
    try FileManager.default.copyItem(at: try self.file(CleanBuild.database, role: "database"), to: file)
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(sql)
    try connection.close()
    try hold { _ in }
    against[0].folder = copy
  }
}
