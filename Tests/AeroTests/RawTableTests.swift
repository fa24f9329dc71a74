import Foundation
import Pipeline
import SQLiteIO
import TestSupport
import Testing

@testable import Aero

struct RawTableTests {
  let folder: TemporaryFolder
  var subscription: Subscription

  init() throws {
    folder = try TemporaryFolder()
    subscription = try Subscription("2602-tables")
    subscription.definition.rawTables = true
  }

  @Test func `every table of the cycle is there as it is`() throws {
    var subscription = subscription
    subscription.tables["PFR_RMT_FMT"] = Array("Orig,Route String,Dest\nABE, ABE FJC ,ACY\n".utf8)
    subscription.tables["APT_CSV_DATA_STRUCTURE"] = Array("CSV File,Column Name\nAPT_BASE,SITE_NO\n".utf8)
    let built = try subscription.build(in: folder)
    let names = try built.column(
      "SELECT name FROM sqlite_master WHERE name LIKE 'raw!_%' ESCAPE '!' ORDER BY 1")
    #expect(
      names == subscription.tables.keys.filter { !$0.hasSuffix("STRUCTURE") }.map { "raw_" + $0 }.sorted())
    #expect(
      try built.rows("SELECT \"Orig\", \"Route String\" FROM raw_PFR_RMT_FMT") == [["ABE", " ABE FJC "]])
    #expect(
      try built.rows("SELECT SITE_NO, SKED_SEQ_NO, MONTH, DAY, typeof(SKED_SEQ_NO) FROM raw_APT_ATT LIMIT 1")
        == [
          ["00103.", "1", "UNATNDD", "NULL", "text"]
        ])
    for (name, bytes) in subscription.tables where !name.hasSuffix("STRUCTURE") {
      let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).count - 1
      #expect(try built.column("SELECT COUNT(*) FROM raw_\(name)") == ["\(lines)"], "\(name)")
    }
  }

  @Test func `without the wish there is none`() throws {
    var subscription = subscription
    subscription.definition.rawTables = nil
    let built = try subscription.build(in: folder)
    #expect(try built.column("SELECT name FROM sqlite_master WHERE name LIKE 'raw!_%' ESCAPE '!'").isEmpty)
  }

  @Test func `odd headers and rows harm nothing but themselves`() throws {
    var subscription = subscription
    subscription.tables["CDR"] =
      Array(
        "A,\"B\"\"C\",a,,\"x);DROP TABLE airports;--\"\r\n1,2,3,4,5\r\nshort\r\n\"open,2,3,4,5\r\n6,\"7\"\"\",8,9,caf"
          .utf8
      ) + [0xE9]
    let built = try subscription.build(in: folder)
    #expect(
      try built.rows("SELECT * FROM raw_CDR") == [
        ["1", "2", "3", "4", "5"], ["6", "7\"", "8", "9", "café"],
      ])
    #expect(
      try built.column("SELECT name FROM pragma_table_info('raw_CDR')") == [
        "A", "B\"C", "a_3", "_4", "x);DROP TABLE airports;--",
      ])
    #expect(built.problems(.rowDropped, of: "raw_CDR").map(\.line) == [3, 4])
    #expect(try built.column("SELECT COUNT(*) > 5 FROM airports") == ["1"])
  }

  @Test func `the same input gives the same bytes`() throws {
    let source = try subscription.bare(in: folder)
    let first = try Data(contentsOf: subscription.build(source, in: folder, name: "1.sqlite").file)
    let second = try Data(contentsOf: subscription.build(source, in: folder, name: "2.sqlite").file)
    #expect(first == second)
  }
}
