import CryptoIO
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Aero

struct ProductTests {
  @Test func `the product and the metadata say what the file is`() throws {
    let folder = try TemporaryFolder()
    let built = try Subscription("2304").build(in: folder)
    let product = built.outcome.product
    #expect(product.id == "nasr/aviation")
    #expect(product.kind == .database)
    #expect(product.format == "sqlite")
    #expect(product.edition == "2023-04-20")
    #expect(product.effectiveDate == "2023-04-20T09:01:00Z")
    #expect(product.expirationDate == "2023-05-18T09:01:00Z")
    let file = try #require(product.files.first)
    #expect(file.path == "aviation.sqlite")
    #expect(file.mediaType == "application/vnd.sqlite3")
    #expect(file.bytes == (try Data(contentsOf: built.file)).count)
    #expect(product.sources.map(\.url) == ["tables.zip"])
    #expect(product.build.libraries.keys.sorted() == ["gdal", "geos", "libc", "libzip", "sqlite", "swift"])
    let metadata = Dictionary(
      uniqueKeysWithValues: try built.rows("SELECT * FROM metadata").map { ($0[0], $0[1]) })
    #expect(metadata["cycle"] == "2304")
    #expect(metadata["expires"] == "2023-05-18T09:01:00Z")
    #expect(
      metadata["edition_56_day"] == "2023-04-20" && metadata["expires_56_day"] == "2023-06-15T09:01:00Z")
    #expect(metadata["schema_version"] == "3")
    #expect(metadata["counts.airports"] == "21")
    #expect(metadata["source_sha256"] == product.sources.first?.sha256.text)
    #expect(metadata["disclaimer"]?.contains("Not for navigation") == true)
  }

  @Test func `the file is marked, needs no write and leaves nothing beside it`() throws {
    let folder = try TemporaryFolder()
    let built = try Subscription("2304").build(in: folder)
    #expect(try built.column("PRAGMA user_version") == ["3"])
    #expect(try built.column("PRAGMA application_id") == [String(0x4156_4e31)])
    #expect(try built.column("PRAGMA journal_mode") == ["delete"])
    #expect(try built.column("PRAGMA freelist_count") == ["0"])
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(files == ["out.sqlite", "tables.zip"])
  }

  @Test
  func `the same input gives the same bytes, and airports the same order whatever the order of their rows`()
    throws
  {
    let folder = try TemporaryFolder()
    var subscription = try Subscription("2304")
    let first = try Data(contentsOf: subscription.build(in: folder).file)
    let source = try subscription.bare(in: folder)
    let second = try Data(contentsOf: subscription.build(source, in: folder, name: "second.sqlite").file)
    #expect(first == second)
    for table in ["APT_BASE", "APT_RWY", "APT_RWY_END", "FRQ"] {
      subscription.edit(table) { text in
        let lines = text.split(whereSeparator: \.isNewline)
        return ([lines[0]] + lines.dropFirst().reversed()).joined(separator: "\r\n")
      }
    }
    let third = try Data(contentsOf: subscription.build(source, in: folder, name: "third.sqlite").file)
    #expect(first == third)
    let turned = try subscription.bare(in: folder, name: "turned.zip")
    let other = try subscription.build(turned, in: folder, name: "fourth.sqlite")
    let tables = ["airports", "runways", "frequencies"]
    for table in tables {
      #expect(
        try other.rows("SELECT * FROM \(table)")
          == Built(outcome: other.outcome, file: folder.file("second.sqlite")).rows("SELECT * FROM \(table)"))
    }
  }

  @Test func `progress is told, table by table`() throws {
    let folder = try TemporaryFolder()
    let log = ProgressLog()
    let subscription = try Subscription("2304")
    _ = try DatabaseBuilder.build(
      subscription.request(subscription.bare(in: folder)), to: folder.file("a.sqlite"), progress: log,
      step: "nasr")
    let total = DatabaseSchema.sourceTables.count + 4
    #expect(
      log.events == (1...total).map { .advanced(step: "nasr", done: $0, total: total, unit: "tables") })
  }
}
