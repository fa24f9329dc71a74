import ArchiveIO
import Core
import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Aero

/// Each way in which a subscription can be the wrong one or broken is told apart, with what to do.
struct BadSourceTests {
  let folder: TemporaryFolder
  var subscription: Subscription

  init() throws {
    folder = try TemporaryFolder()
    subscription = try Subscription("2304")
  }

  private func expect(_ fault: UserError, _ words: [String]) {
    #expect(fault.kind == .badInput)
    for word in words { #expect(fault.message.contains(word), "\(fault.message)") }
  }

  @Test func `the subscription zip gives what the bare zip gives`() throws {
    let readme = "AIS subscriber files effective date April 20, 2023.\r\n\r\nThe rest."
    let delta = (name: "CSV_Data/23_Mar_2023-20_Apr_2023_CSV.zip", bytes: [UInt8]("no zip".utf8))
    let whole = try subscription.build(
      subscription.whole(in: folder, readme: readme, beside: [delta]), in: folder, name: "whole.sqlite")
    let bare = try subscription.build(in: folder)
    #expect(try whole.rows("SELECT * FROM airports") == bare.rows("SELECT * FROM airports"))
  }

  @Test func `a file that is no zip`() throws {
    try Data("<html>404</html>".utf8).write(to: folder.file("page.zip"))
    let fault = try subscription.fault(SourceFolder.file(folder.file("page.zip")), in: folder)
    expect(fault, ["page.zip", "not a zip archive", "28DaySubscription_Effective_"])
  }

  @Test func `a zip that was cut short`() throws {
    let whole = try subscription.bare(in: folder)
    let bytes = try Data(contentsOf: whole.url)
    try bytes.prefix(bytes.count / 2).write(to: folder.file("half.zip"))
    let fault = try subscription.fault(SourceFolder.file(folder.file("half.zip")), in: folder)
    expect(fault, ["half.zip", "cut short or damaged", "Get it again"])
  }

  @Test func `an inner zip that was cut short`() throws {
    let bytes = [UInt8](try Data(contentsOf: subscription.bare(in: folder).url))
    let source = try zip(
      [("CSV_Data/20_Apr_2023_CSV.zip", Array(bytes.prefix(bytes.count / 2)))], in: folder, name: "outer.zip")
    expect(try subscription.fault(source, in: folder), ["20_Apr_2023_CSV.zip in it is damaged"])
  }

  @Test func `the delta zip, alone or in the subscription`() throws {
    let report = [(name: "APT_BASE_CHG_RPT.csv", bytes: Array("A,B\r\n".utf8))]
    let alone = try zip(report, in: folder, name: "23_Mar_2023-20_Apr_2023_CSV.zip")
    expect(try subscription.fault(alone, in: folder), ["report of changes", "with one date in its name"])
    let renamed = try zip(report, in: folder, name: "20_Apr_2023_CSV.zip")
    expect(try subscription.fault(renamed, in: folder), ["report of changes"])
    let only = try subscription.whole(in: folder, inner: "23_Mar_2023-20_Apr_2023_CSV.zip")
    expect(try subscription.fault(only, in: folder), ["report of changes"])
  }

  @Test func `two inner zips of one name`() throws {
    let tables = [UInt8](try Data(contentsOf: try subscription.bare(in: folder).url))
    let source = try zip(
      ["CSV_Data", "Old"].map { ("\($0)/20_Apr_2023_CSV.zip", tables) }, in: folder, name: "two.zip")
    expect(try subscription.fault(source, in: folder), ["20_Apr_2023_CSV.zip is in it 2 times", "Old/"])
  }

  @Test(arguments: ["APT_BASE", "APT_RMK", "FIX_BASE", "NAV_BASE"])
  func `a table that ends in the middle of a row was cut short`(table: String) throws {
    var subscription = subscription
    subscription.tables[table]?.removeLast(20)
    expect(try subscription.fault(in: folder), ["\(table).csv ends in the middle of line", "cut short"])
  }

  @Test func `a zip of something else`() throws {
    let source = try zip([(name: "San_Francisco.tif", bytes: [1, 2, 3])], in: folder, name: "sf.zip")
    expect(try subscription.fault(source, in: folder), ["no NASR tables", "DD_Mon_YYYY_CSV.zip"])
  }

  @Test func `the subscription of another cycle, by its inner zip and by its README`() throws {
    let inner = try subscription.whole(in: folder, inner: "23_Mar_2023_CSV.zip")
    expect(
      try subscription.fault(inner, in: folder), ["23_Mar_2023_CSV.zip", "20_Apr_2023_CSV.zip", "--cycle"])
    let readme = try subscription.whole(
      in: folder, readme: "AIS subscriber files effective date March 23, 2023.\n")
    expect(
      try subscription.fault(readme, in: folder), ["March 23, 2023", "April 20, 2023", "2304", "--cycle"])
  }

  @Test func `a README that is damaged, so that nobody knows what it says`() throws {
    let text = "AIS subscriber files effective date April 20, 2023.\n"
    let source = try subscription.whole(in: folder, readme: text)
    var bytes = [UInt8](try Data(contentsOf: source.url))
    let name = try #require(bytes.firstRange(of: Array("README.txt".utf8)))
    bytes[name.upperBound + 8] ^= 0xFF
    try Data(bytes).write(to: source.url)
    expect(try subscription.fault(source, in: folder), ["README.txt cannot be read"])
  }

  @Test(arguments: Subscription.neededTables)
  func `a row of another cycle condemns the table`(table: String) throws {
    var subscription = subscription
    subscription.edit(table) { text in
      guard let last = text.range(of: "\"2023/04/20\"", options: .backwards) else { return text }
      return text.replacingCharacters(in: last, with: "\"2023/03/23\"")
    }
    expect(try subscription.fault(in: folder), ["\(table).csv", "2023-03-23", "2023-04-20", "--cycle"])
  }

  @Test(arguments: Subscription.neededTables)
  func `a table that is missing, empty or there twice`(table: String) throws {
    var subscription = subscription
    let bytes = subscription.tables[table] ?? []
    let doubled = try zip(
      subscription.members + [("copy/\(table.lowercased()).csv", bytes)], in: folder, name: "doubled.zip")
    expect(try subscription.fault(doubled, in: folder), ["\(table).csv", "there 2 times", "copy/"])
    subscription.tables[table] = []
    expect(try subscription.fault(in: folder), ["\(table).csv is empty"])
    subscription.tables[table] = nil
    expect(try subscription.fault(in: folder), ["\(table).csv is missing"])
  }

  @Test(arguments: [
    ("APT_BASE", "ELEV"), ("APT_RWY", "RWY_LEN"), ("APT_RWY_END", "RWY_END_ID"), ("FRQ", "FREQ_USE"),
    ("NAV_BASE", "EFF_DATE"),
  ])
  func `a column that is missing`(table: String, column: String) throws {
    var subscription = subscription
    try subscription.replace("\"\(column)\"", with: "\"RENAMED\"", in: table)
    expect(try subscription.fault(in: folder), ["\(table).csv", column])
  }

  @Test func `a table in an encoding that is never used`() throws {
    var subscription = subscription
    subscription.tables["FIX_BASE"] = subscription.text("FIX_BASE").utf16.flatMap {
      [UInt8($0 & 0xFF), UInt8($0 >> 8)]
    }
    expect(try subscription.fault(in: folder), ["FIX_BASE.csv cannot be read", "UTF-16"])
  }

  @Test func `a folder into which the tables were unpacked gives what their zip gives`() throws {
    let tables = folder.file("20_Apr_2023_CSV")
    try FileManager.default.createDirectory(at: tables, withIntermediateDirectories: false)
    for (name, bytes) in subscription.members { try Data(bytes).write(to: tables.appending(path: name)) }
    let unpacked = try subscription.build(SourceFolder.file(tables), in: folder, name: "unpacked.sqlite")
    let zipped = try subscription.build(in: folder)
    #expect(try unpacked.rows("SELECT * FROM frequencies") == zipped.rows("SELECT * FROM frequencies"))
    #expect(try unpacked.rows("SELECT value FROM metadata WHERE key = 'source'") == [["20_Apr_2023_CSV"]])
  }
}
