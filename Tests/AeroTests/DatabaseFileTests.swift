import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The database for a path.
struct DatabaseFileTests {
  let folder = TemporaryFolder()

  private func database(_ name: String, id: Int = DatabaseSchema.applicationID) throws {
    let connection = try SQLiteConnection(folder.file(name).path, mode: .create)
    try connection.execute("PRAGMA application_id = \(id); CREATE TABLE t (a)")
    try connection.close()
  }

  private func fault(_ name: String) throws -> UserError {
    try #require(throws: UserError.self) { try DatabaseFile.find(folder.file(name)) }
  }

  @Test func `finds the file, its product or its folder`() throws {
    let build = folder.file("build")
    try build.appending(path: "nasr").makeFolder()
    let subscription = try Subscription("2304")
    let built = try subscription.build(
      subscription.bare(in: folder), in: folder, name: "build/nasr/aviation.sqlite")
    let product = build.appending(path: "nasr/aviation.product.json")
    try CanonicalJSON.pretty(built.outcome.product).write(to: product)
    try database("build/nasr/identifiers.sqlite", id: 5)
    for path in [built.file, product, build, build.appending(path: "nasr")] {
      #expect(try DatabaseFile.find(path).standardizedFileURL.path == built.file.standardizedFileURL.path)
    }
    try database("build/second.sqlite")
    let several = try fault("build")
    #expect(
      several.kind == .badCall && several.reason == "there are several: nasr/aviation.sqlite, second.sqlite")
  }

  @Test func `rejects other files and names their kind`() throws {
    try database("a.mbtiles", id: 0x4d50_4258)
    try database("other.sqlite", id: 0)
    try folder.file("a.pmtiles").put("PMTiles\u{3}")
    try folder.file("page.sqlite").put("<html>")
    try Data().write(to: folder.file("empty.sqlite"))
    try folder.file("a.product.json").put("{}")
    let expected: [(String, UserError.Kind, String)] = [
      ("a.mbtiles", .badCall, "it is a tile archive"), ("a.pmtiles", .badCall, "it is a tile archive"),
      ("other.sqlite", .badCall, "it is a database of another kind"),
      ("page.sqlite", .badInput, "it is no SQLite database"),
      ("empty.sqlite", .badInput, "it is no SQLite database"),
      ("a.product.json", .badInput, "it is no description of a product"),
      ("nothing", .badCall, "there is no such file or folder"), ("", .badInput, "this folder holds none"),
    ]
    for (name, kind, problem) in expected {
      let fault = try fault(name)
      #expect(fault.kind == kind && fault.reason == problem, "\(name): \(fault.message)")
    }
  }

  @Test func `names a damaged file`() throws {
    let good = try Subscription("2304").build(in: folder).file
    let bytes = try good.data
    let cut = folder.file("cut.sqlite")
    try bytes.prefix(bytes.count / 2).write(to: cut)
    let fault = #expect(throws: UserError.self) { try DatabaseComparison.compare(good, with: cut) }
    #expect(fault?.kind == .badInput && fault?.path?.hasSuffix("cut.sqlite") == true)
    var odd = bytes
    for index in stride(from: 4096, to: odd.count, by: 37) { odd[index] ^= 0x5A }
    try odd.write(to: cut)
    try expectFault(kind: .badInput) { try DatabaseComparison.compare(cut, with: good) }
  }
}
