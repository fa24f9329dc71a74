import ArchiveIO
import Core
import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Aero

/// Damage that was accepted in silence or called by another name, and how it is reported.
struct DamagedSourceTests {
  let folder: TemporaryFolder
  var subscription: Subscription

  init() throws {
    folder = try TemporaryFolder()
    subscription = try Subscription("2304")
  }

  private func dropped(_ table: String, _ old: String, _ new: String) throws -> [RecordProblem] {
    var subscription = subscription
    try subscription.replace(old, with: new, in: table)
    let built = try subscription.build(in: folder)
    #expect(
      try built.column("SELECT icao FROM airports WHERE icao IN ('KPAO', 'KSFO') ORDER BY 1") == ["KSFO"])
    return built.problems(.rowDropped, of: table + ".csv")
  }

  // MARK: - Rows

  @Test func `a row that is cut short is called so`() throws {
    let problems = try dropped(
      "APT_BASE",
      "\"PALO ALTO\",\"PU\",\"PU\",37,27,40,\"N\",37.46111111,122,6,54.2,\"W\",-122.11505555,\"E\"",
      "\"PALO AL\r\n")
    #expect(problems.first?.line == 10)
    #expect(problems.first?.reason == "the row is cut short: a quoted field goes on into the next line")
  }

  @Test func `a field of ten megabytes is called so`() throws {
    // Letters that do not repeat, since an archive that holds little in much is refused as a whole.
    var seed: UInt32 = 1
    let letters = (0..<10_000_000).map { _ -> UInt8 in
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return UInt8(ascii: "A") + UInt8(seed >> 28)
    }
    let long = String(decoding: letters, as: UTF8.self)
    let problems = try dropped("APT_BASE", "\"PALO ALTO\",\"US\"", "\"\(long)\",\"US\"")
    #expect(problems.map(\.line) == [10])
    #expect(problems.map(\.reason) == ["a field has more than 65,536 bytes"])
    let bare = Self.flaw("1,\(long),3\n4,5,6\n")
    #expect(bare == ["a field has more than 65,536 bytes", nil])
  }

  @Test func `a quote that is lost or stray is called so`() {
    #expect(Self.flaw("1,\"lost\n2,3\n") == ["a quote is never closed", nil])
    #expect(Self.flaw("1,\"a\"b\n2,3\n") == ["there is text after a closing quote", nil])
    #expect(
      Self.flaw("\"1\",\"cut\n\"2\",\"3\"\n").first
        == "the row is cut short: a quoted field goes on into the next line")
  }

  private static func flaw(_ text: String) -> [String?] {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      var scanner = CSVScanner(bytes)
      var record = CSVRecord()
      var flaws: [String?] = []
      while scanner.next(&record) { flaws.append(record.flaw?.rawValue) }
      return flaws
    }
  }

  @Test(arguments: [("\"02022.\"", "\"02022.\"\"\""), ("\"02022.\"", "02022.\""), ("\"PAO\"", "\"P\"\"O\"")])
  func `a stray quote is no part of a site number or an identifier`(old: String, new: String) throws {
    let problems = try dropped("APT_BASE", old, new)
    #expect(problems.map(\.line) == [10])
    #expect(problems.map(\.reason) == ["it holds a quotation mark"])
  }

  @Test func `a NUL in a field is no text`() throws {
    let problems = try dropped("APT_BASE", "\"PALO ALTO\",\"US\"", "\"PALO\u{0}ALTO\",\"US\"")
    #expect(problems.map(\.line) == [10])
    #expect(problems.map(\.column) == ["CITY"])
    #expect(problems.map(\.value) == ["PALO\\0ALTO"])
    #expect(problems.map(\.reason) == ["it holds a NUL byte: the row is damaged"])
  }

  @Test func `a column that is there twice is refused`() throws {
    var subscription = subscription
    try subscription.replace("\"ELEV_METHOD_CODE\"", with: "\"ELEV\"", in: "APT_BASE")
    let fault = try subscription.fault(in: folder)
    #expect(fault.reason == "APT_BASE.csv has the column ELEV 2 times")
  }

  // MARK: - Whose fault it is

  @Test func `rows without a date are blamed, and not the runways of their airports`() throws {
    var subscription = subscription
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
      ),
      "\(fault.reason)")
    #expect(fault.reason.contains(" rows of APT_RWY.csv belong to such rows"))
  }

  @Test func `a remark to no station is reported by the station's identifier`() throws {
    var subscription = try Subscription("2602-tables")
    subscription.edit("FSS_RMK") { text in
      let lines = text.split(whereSeparator: \.isNewline).map(String.init)
      return (lines + [lines[1].replacing("ABQ", with: "XQZ")]).joined(separator: "\n") + "\n"
    }
    let built = try subscription.build(in: folder)
    let strays = built.problems(.rowDropped, of: "FSS_RMK.csv").filter { $0.column == "FSS_ID" }
    #expect(strays.map(\.value) == ["XQZ"])
  }

  // MARK: - Archives

  @Test func `an empty archive and an empty file are called so`() throws {
    let nothing: [UInt8] = [0x50, 0x4B, 0x05, 0x06] + [UInt8](repeating: 0, count: 18)
    for (bytes, word) in [(nothing, "the zip archive is empty"), ([], "the file is empty")] {
      try Data(bytes).write(to: folder.file("empty.zip"))
      let fault = try subscription.fault(SourceFolder.file(folder.file("empty.zip")), in: folder)
      #expect(fault.reason == word)
    }
  }

  /// The archive is small, and says that a table in it has 1.5 GB.
  @Test func `what an archive declares is not taken as memory`() throws {
    let source = try subscription.bare(in: folder)
    var bytes = [UInt8](try Data(contentsOf: source.url))
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

  @Test func `a table larger than any of the FAA's is not read`() throws {
    let file = folder.file("big.csv")
    try Data("A\n".utf8).write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 1_500_000_000)
    try handle.close()
    let container = try SourceContainer(file: file)
    let before = peakMemory()
    let error = #expect(throws: SourceContainer.TooLarge.self) {
      try container.read(container.members[0], limit: 1 << 27)
    }
    #expect(
      error?.description == "it is said to have 1,500,000,000 bytes, more than the 134,217,728 that are taken"
    )
    #expect(peakMemory() - before < 100 << 20)
  }

  /// The most that the process has taken, in bytes.
  private func peakMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
    return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) << 10
  }
}
