import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Wrong and broken subscriptions: each has its own error with a next step.
struct BadSourceTests {
  let folder = TemporaryFolder()
  let subscription: Subscription

  init() throws { subscription = try Subscription("2304") }

  private func expect(_ fault: UserError, _ words: [String]) {
    #expect(fault.kind == .badInput)
    for word in words { #expect(fault.message.contains(word), "\(fault.message)") }
  }

  @Test func `builds the same database from the subscription zip and the bare zip`() throws {
    let readme = "AIS subscriber files effective date April 20, 2023.\r\n\r\nThe rest."
    let delta = (name: "CSV_Data/23_Mar_2023-20_Apr_2023_CSV.zip", bytes: [UInt8]("no zip".utf8))
    let whole = try subscription.build(
      subscription.whole(in: folder, readme: readme, beside: [delta]), in: folder, name: "whole.sqlite")
    let bare = try subscription.build(in: folder)
    #expect(try whole.rows("SELECT * FROM airports") == bare.rows("SELECT * FROM airports"))
  }

  @Test func `rejects a file that is not a zip`() throws {
    try folder.file("page.zip").put("<html>404</html>")
    let fault = try subscription.fault(SourceFolder.file(folder.file("page.zip")), in: folder)
    expect(fault, ["page.zip", "not a zip archive", "28DaySubscription_Effective_"])
  }

  @Test func `rejects a truncated zip`() throws {
    let whole = try subscription.bare(in: folder)
    let bytes = try whole.url.data
    try bytes.prefix(bytes.count / 2).write(to: folder.file("half.zip"))
    let fault = try subscription.fault(SourceFolder.file(folder.file("half.zip")), in: folder)
    expect(fault, ["half.zip", "cut short or damaged", "Get it again"])
  }

  @Test func `rejects a truncated inner zip`() throws {
    let bytes = [UInt8](try subscription.bare(in: folder).url.data)
    let source = try zip(
      [("CSV_Data/20_Apr_2023_CSV.zip", Array(bytes.prefix(bytes.count / 2)))], in: folder, name: "outer.zip")
    expect(try subscription.fault(source, in: folder), ["20_Apr_2023_CSV.zip in it is damaged"])
  }

  @Test func `rejects the delta zip, alone or in the subscription`() throws {
    let report = [(name: "APT_BASE_CHG_RPT.csv", bytes: Array("A,B\r\n".utf8))]
    let alone = try zip(report, in: folder, name: "23_Mar_2023-20_Apr_2023_CSV.zip")
    expect(try subscription.fault(alone, in: folder), ["report of changes", "with one date in its name"])
    let renamed = try zip(report, in: folder, name: "20_Apr_2023_CSV.zip")
    expect(try subscription.fault(renamed, in: folder), ["report of changes"])
    let only = try subscription.whole(in: folder, inner: "23_Mar_2023-20_Apr_2023_CSV.zip")
    expect(try subscription.fault(only, in: folder), ["report of changes"])
  }

  @Test func `rejects two inner zips of one name`() throws {
    let tables = [UInt8](try subscription.bare(in: folder).url.data)
    let source = try zip(
      ["CSV_Data", "Old"].map { ("\($0)/20_Apr_2023_CSV.zip", tables) }, in: folder, name: "two.zip")
    expect(try subscription.fault(source, in: folder), ["20_Apr_2023_CSV.zip is in it 2 times", "Old/"])
  }

  @Test(arguments: ["APT_BASE", "APT_RMK", "FIX_BASE", "NAV_BASE"])
  func `rejects a table that ends in the middle of a row`(table: String) throws {
    subscription.tables[table]?.removeLast(20)
    expect(try subscription.fault(in: folder), ["\(table).csv ends in the middle of line", "cut short"])
  }

  @Test func `rejects a zip of other files`() throws {
    let source = try zip([(name: "San_Francisco.tif", bytes: [1, 2, 3])], in: folder, name: "sf.zip")
    expect(try subscription.fault(source, in: folder), ["no NASR tables", "DD_Mon_YYYY_CSV.zip"])
  }

  @Test func `recognizes the subscription of another cycle by its inner zip and its README`() throws {
    let inner = try subscription.whole(in: folder, inner: "23_Mar_2023_CSV.zip")
    expect(
      try subscription.fault(inner, in: folder), ["23_Mar_2023_CSV.zip", "20_Apr_2023_CSV.zip", "--cycle"])
    let readme = try subscription.whole(
      in: folder, readme: "AIS subscriber files effective date March 23, 2023.\n")
    expect(
      try subscription.fault(readme, in: folder), ["March 23, 2023", "April 20, 2023", "2304", "--cycle"])
  }

  @Test func `rejects a damaged README`() throws {
    let text = "AIS subscriber files effective date April 20, 2023.\n"
    let source = try subscription.whole(in: folder, readme: text)
    var bytes = [UInt8](try source.url.data)
    let name = try #require(bytes.firstRange(of: Array("README.txt".utf8)))
    bytes[name.upperBound + 8] ^= 0xFF
    try Data(bytes).write(to: source.url)
    expect(try subscription.fault(source, in: folder), ["README.txt cannot be read"])
  }

  @Test(arguments: Subscription.neededTables)
  func `rejects a table with a row of another cycle`(table: String) throws {
    subscription.edit(table) { text in
      guard let last = text.range(of: "\"2023/04/20\"", options: .backwards) else { return text }
      return text.replacingCharacters(in: last, with: "\"2023/03/23\"")
    }
    expect(try subscription.fault(in: folder), ["\(table).csv", "2023-03-23", "2023-04-20", "--cycle"])
  }

  @Test(arguments: Subscription.neededTables)
  func `rejects a table that is missing, empty or repeated`(table: String) throws {
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
  func `rejects a table without a required column`(table: String, column: String) throws {
    try subscription.replace("\"\(column)\"", with: "\"RENAMED\"", in: table)
    expect(try subscription.fault(in: folder), ["\(table).csv", column])
  }

  @Test func `rejects a table in an unsupported encoding`() throws {
    subscription.tables["FIX_BASE"] = subscription.text("FIX_BASE").utf16.flatMap {
      [UInt8($0 & 0xFF), UInt8($0 >> 8)]
    }
    expect(try subscription.fault(in: folder), ["FIX_BASE.csv cannot be read", "UTF-16"])
  }

  @Test func `builds the same database from a folder of unpacked tables and from their zip`() throws {
    let tables = folder.file("20_Apr_2023_CSV")
    try FileManager.default.createDirectory(at: tables, withIntermediateDirectories: false)
    for (name, bytes) in subscription.members { try Data(bytes).write(to: tables.appending(path: name)) }
    let unpacked = try subscription.build(SourceFolder.file(tables), in: folder, name: "unpacked.sqlite")
    let zipped = try subscription.build(in: folder)
    #expect(try unpacked.rows("SELECT * FROM frequencies") == zipped.rows("SELECT * FROM frequencies"))
    try unpacked.expect("SELECT value FROM metadata WHERE key = 'source'", gives: [["20_Apr_2023_CSV"]])
  }
}

/// Damage that was accepted in silence or called by another name, and how it is reported.
@Suite(.slow) struct DamagedSourceTests {
  let folder = TemporaryFolder()
  let subscription: Subscription

  init() throws { subscription = try Subscription("2304") }

  private func dropped(_ table: String, _ old: String, _ new: String) throws -> [RecordProblem] {
    try subscription.replace(old, with: new, in: table)
    let built = try subscription.build(in: folder)
    try built.expect("SELECT icao FROM airports WHERE icao IN ('KPAO', 'KSFO') ORDER BY 1", gives: ["KSFO"])
    return built.problems(.rowDropped, of: table + ".csv")
  }

  // MARK: - Rows

  @Test func `reports a truncated row as truncated`() throws {
    let problems = try dropped(
      "APT_BASE",
      "\"PALO ALTO\",\"PU\",\"PU\",37,27,40,\"N\",37.46111111,122,6,54.2,\"W\",-122.11505555,\"E\"",
      "\"PALO AL\r\n")
    #expect(problems.first?.line == 10)
    #expect(problems.first?.reason == "the row is cut short: a quoted field goes on into the next line")
  }

  @Test func `reports a field of ten megabytes as too long`() throws {
    // Text that does not repeat, since an archive that holds little in much is refused as a whole.
    let long = Data(SteadyNumbers.bytes(7_500_000)).base64EncodedString()
    let problems = try dropped("APT_BASE", "\"PALO ALTO\",\"US\"", "\"\(long)\",\"US\"")
    #expect(problems.map(\.line) == [10])
    #expect(problems.map(\.reason) == ["a field has more than 65,536 bytes"])
  }

  @Test(arguments: [("\"02022.\"", "\"02022.\"\"\""), ("\"02022.\"", "02022.\""), ("\"PAO\"", "\"P\"\"O\"")])
  func `rejects a stray quote in a site number or an identifier`(old: String, new: String) throws {
    let problems = try dropped("APT_BASE", old, new)
    #expect(problems.map(\.line) == [10])
    #expect(problems.map(\.reason) == ["it holds a quotation mark"])
  }

  @Test func `rejects a NUL in a field`() throws {
    let problems = try dropped("APT_BASE", "\"PALO ALTO\",\"US\"", "\"PALO\u{0}ALTO\",\"US\"")
    #expect(problems.map(\.line) == [10])
    #expect(problems.map(\.column) == ["CITY"])
    #expect(problems.map(\.value) == ["PALO\\0ALTO"])
    #expect(problems.map(\.reason) == ["it holds a NUL byte: the row is damaged"])
  }

  @Test func `rejects a repeated column`() throws {
    try subscription.replace("\"ELEV_METHOD_CODE\"", with: "\"ELEV\"", in: "APT_BASE")
    let fault = try subscription.fault(in: folder)
    #expect(fault.reason == "APT_BASE.csv has the column ELEV 2 times")
  }

  // MARK: - Whose fault it is

  @Test func `names the rows without a date, not the runways of their airports`() throws {
    subscription.edit("APT_BASE") { text in
      let lines = text.components(separatedBy: "\r\n")
      return lines.map { line in
        ["\"KSFO\"", "\"KOAK\"", "\"KSJC\""].contains { line.contains($0) }
          ? line.replacing("\"2023/04/20\"", with: "\"\"") : line
      }.joined(separator: "\r\n")
    }
    // More of the runways than of the airports.
    subscription.definition.gates.droppedRowShare = 0.15
    let fault = try subscription.fault(in: folder)
    #expect(
      fault.reason.hasPrefix(
        "3 of 21 rows of APT_BASE.csv cannot be used; the first is line 9: EFF_DATE: it is no date such as 2026/02/19; "
      ), "\(fault.reason)")
    #expect(fault.reason.contains(" rows of APT_RWY.csv belong to such rows"))
  }

  @Test func `reports a remark without a station by the station's identifier`() throws {
    let subscription = try Subscription("2602-tables")
    subscription.editLines("FSS_RMK") { $0 + [$0[1].replacing("ABQ", with: "XQZ")] }
    let built = try subscription.build(in: folder)
    let strays = built.problems(.rowDropped, of: "FSS_RMK.csv").filter { $0.column == "FSS_ID" }
    #expect(strays.map(\.value) == ["XQZ"])
  }

  // MARK: - Archives

  @Test func `reports an empty archive and an empty file as empty`() throws {
    let nothing: [UInt8] = [0x50, 0x4B, 0x05, 0x06] + [UInt8](repeating: 0, count: 18)
    for (bytes, word) in [(nothing, "the zip archive is empty"), ([], "the file is empty")] {
      try Data(bytes).write(to: folder.file("empty.zip"))
      let fault = try subscription.fault(SourceFolder.file(folder.file("empty.zip")), in: folder)
      #expect(fault.reason == word)
    }
  }

  /// The archive is small, and says that a table in it has 1.5 GB.
  @Test func `does not allocate the size that an archive declares`() throws {
    let source = try subscription.bare(in: folder)
    var bytes = [UInt8](try source.url.data)
    let name = Array("APT_BASE.csv".utf8)
    // In the directory, the size is 22 bytes before the name.
    let place = try #require(
      bytes.indices.dropLast(name.count).last { Array(bytes[$0..<$0 + name.count]) == name })
    withUnsafeBytes(of: UInt32(1_500_000_000).littleEndian) { size in
      for (index, byte) in size.enumerated() { bytes[place - 46 + 24 + index] = byte }
    }
    try Data(bytes).write(to: source.url)
    let before = peakMemory()
    let fault = try subscription.fault(SourceFolder.file(source.url), in: folder)
    #expect(fault.kind == .badInput)
    #expect(fault.reason.contains("APT_BASE.csv") || fault.reason.contains("damaged"), "\(fault.reason)")
    #expect(peakMemory() - before < 200 << 20)
  }

  @Test func `rejects a table larger than any of the FAA's`() throws {
    let file = folder.file("big.csv")
    try file.put("A\n")
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 1_500_000_000)
    try handle.close()
    let container = try SourceContainer(file: file)
    let before = peakMemory()
    let error = #expect(throws: SourceContainer.TooLarge.self) {
      try container.read(container.members[0], limit: 1 << 27)
    }
    #expect(error?.description == "its size is 1,500,000,000 bytes, more than the limit of 134,217,728")
    #expect(peakMemory() - before < 100 << 20)
  }

  /// The most that the process has taken, in bytes.
  private func peakMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
    return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
  }
}
