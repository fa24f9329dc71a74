import Core
import CryptoIO
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// What the records of FAACIFP18 become.
struct CIFPTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws { built = try ProcedureSource(isPart: true).build(try ProcedureSource.hayward, in: folder) }

  @Test func `reads the legs of an approach with the places of their fixes`() throws {
    try built.expect(
      """
      SELECT sequence, type, fix, round(latitude, 6), isMissed, course, distance, altitudeCode, altitude, substr(description, 4),
        verticalAngle
      FROM legs WHERE procedure = 'R28L' AND routeType <> 'A' AND sequence IN (20, 30, 40, 60) ORDER BY id
      """,
      gives: [
        ["20", "TF", "SUDGE", "37.576422", "0", "285.0", "2.5", "+", "3200", "F", "NULL"],
        ["30", "TF", "RW28L", "37.655183", "0", "284.9", "2.8", "NULL", "85", "M", "-3.1"],
        ["40", "CA", "NULL", "NULL", "1", "284.9", "NULL", "+", "600", " ", "NULL"],
        ["60", "HM", "OAK", "NULL", "1", "122.0", "4.0", "+", "2100", " ", "NULL"],
      ])
    try built.expect(
      "SELECT count(*), sum(isMissed), sum(latitude IS NOT NULL) FROM legs", gives: [["70", "7", "26"]])
  }

  @Test func `names procedures in words, with their service levels`() throws {
    try built.expect(
      """
      SELECT identifier, kind, type, name, runway, serviceLevels FROM procedures WHERE kind = 'approach' ORDER BY identifier
      """,
      gives: [
        ["L28L", "approach", "L", "LOC RWY 28L", "RW28L", "[]"],
        ["R28L", "approach", "R", "RNAV (GPS) RWY 28L", "RW28L", "[\"LPV\",\"LNAV/VNAV\",\"LNAV\"]"],
        ["VDM-A", "approach", "D", "VOR/DME-A", "NULL", "[]"],
      ])
  }

  @Test(arguments: [
    ("R027 ", "COPTER LOC 027", "NULL"), ("L28LC", "NULL", "RW28L"), ("L28LZ", "LOC Z RWY 28L", "RW28L"),
  ])
  func `names an approach only by what its identifier says`(identifier: String, name: String, runway: String)
    throws
  {
    let text = String(decoding: try ProcedureSource.hayward, as: UTF8.self)
      .replacing("FL28L ", with: "F\(identifier)")
    let other = try ProcedureSource(isPart: true).build(Array(text.utf8), in: folder, name: "named.sqlite")
    try other.expect(
      "SELECT ifnull(name, 'NULL'), ifnull(runway, 'NULL') FROM procedures WHERE identifier = '\(identifier.trimmingCharacters(in: .whitespaces))'",
      gives: [[name, runway]])
  }

  @Test func `has no position for a fix that the file has in two places`() throws {
    let rows = try ProcedureSource.rows
    let fix = try #require(rows.first { $0.contains("KHWDK2CSUDGE") })
    let text = (rows + [fix.replacing("N37", with: "N38")]).joined(separator: "\n")
    let other = try ProcedureSource(isPart: true).build(Array(text.utf8), in: folder, name: "two.sqlite")
    try other.expect("SELECT count(*), count(latitude) FROM legs WHERE fix = 'SUDGE'", gives: [["1", "0"]])
  }

  @Test func `keeps the blanks of codes and the cycle of the last change`() throws {
    try built.expect(
      "SELECT type, usage, magneticVariation, changed FROM waypoints WHERE identifier = 'BOGRE'",
      gives: [["W  ", "NULL", "13.3", "2002"]])
    try built.expect("SELECT count(*) FROM legs WHERE length(description) <> 4", gives: ["0"])
  }

  @Test func `joins a path point with its continuation`() throws {
    try built.expect(
      "SELECT runway, approachType, channel IS NOT NULL, continuation FROM pathPoints",
      gives: [["RW28L", "LPV", "1", "1"]])
  }

  @Test func `gives the same database of lines that end in CRLF`() throws {
    let text = String(decoding: try ProcedureSource.hayward, as: UTF8.self).replacing("\n", with: "\r\n")
    let other = try ProcedureSource(isPart: true).build(Array(text.utf8), in: folder, name: "crlf.sqlite")
    #expect(other.outcome.product.build.counts == built.outcome.product.build.counts)
    let sql = "SELECT group_concat(recordNumber || ifnull(course, '') || ifnull(altitude, '')) FROM legs"
    #expect(
      try SQLiteConnection(other.file.path, mode: .readOnly).texts(sql)
        == SQLiteConnection(built.file.path, mode: .readOnly).texts(sql))
  }
}

/// Where the columns of a record are. The audit takes them from the builder, so they are compared with another reader's.
struct CIFPLayoutTests {
  @Test func `has the columns that another reader has`() throws {
    let text = String(
      decoding: try fixtureFolder.appending(path: "procedures/columns.txt").data, as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 23)
    // Some kinds have one layout, with the columns of all of them.
    var others: [[Range<Int>]: Set<Range<Int>>] = [:]
    for line in lines {
      let words = line.split(separator: " ")
      let places = CIFPLayout.columns(of: String(words[0].replacing("_", with: " "))).places
      others[places, default: []].formUnion(try words.dropFirst().map { try place($0) })
    }
    for (places, others) in others {
      for place in places where isOfFile(place) {
        let parts = others.filter { place.contains($0.lowerBound) && place.contains($0.upperBound - 1) }
        let isInside = others.contains {
          $0.lowerBound <= place.lowerBound && $0.upperBound >= place.upperBound
        }
        let isWhole = isInside || parts.map(\.count).reduce(0, +) == place.count
        #expect(isWhole, "\(place.lowerBound + 1)-\(place.upperBound)")
      }
      for other in others {
        let isKnown = places.contains {
          $0.lowerBound <= other.lowerBound && $0.upperBound >= other.upperBound
        }
        #expect(isKnown, "\(other.lowerBound + 1)-\(other.upperBound)")
      }
    }
  }

  /// Whether a column is one of the record or its continuation, and none of those that the program adds. The kind, the number of the
  /// continuation and its own number and change are left out.
  private func isOfFile(_ place: Range<Int>) -> Bool {
    place.upperBound <= CIFPRecord.width
      || (place.lowerBound >= CIFPRow.continuation && place.upperBound <= CIFPRow.continuation + 123)
  }

  private func place(_ word: Substring) throws -> Range<Int> {
    let base = word.hasPrefix("c") ? CIFPRow.continuation : 0
    let ends = word.drop { !$0.isNumber }.split(separator: "-").compactMap { Int($0) }
    return base + (try #require(ends.first)) - 1..<base + (try #require(ends.last))
  }
}

/// Headers, checksums and damaged records.
struct ProcedureFileTests {
  let folder = TemporaryFolder()

  @Test func `computes the checksum of the standard`() {
    var checksum = CIFPChecksum()
    Array("123456789".utf8).withUnsafeBytes { checksum.add($0) }
    #expect(checksum.value == 0xFC89_1918)
  }

  @Test(arguments: [("\n", "        "), ("\r\n", "00000000"), ("", "")])
  func `accepts a whole file with its checksum in any plausible form`(form: (end: String, own: String)) throws
  {
    let bytes = try ProcedureSource.whole(lineEnd: form.end, own: form.own)
    let built = try ProcedureSource().build(bytes, in: folder)
    #expect(built.outcome.warnings == [])
    try built.expect("SELECT count(*) FROM waypoints", gives: ["16"])
  }

  @Test(arguments: [
    ("0000097", "0000098", "it has 97 records, and its header says 98"),
    ("00972003", "00972004", "it is of cycle 2004"),
    ("EFFECTIVE 27 FEB", "EFFECTIVE 30 JAN", "effective 2020-01-30"), ("KHWD", "KHWE", "its checksum is"),
    ("0132", "0133", "records of 0133 columns"),
  ])
  func `refuses a file that is not as its header says`(from: String, to: String, reason: String) throws {
    let text = String(decoding: try ProcedureSource.whole(), as: UTF8.self)
    let fault = try ProcedureSource().fault(
      Array(text.replacing(from, with: to, maxReplacements: 1).utf8), in: folder)
    #expect(fault.kind == .badInput && fault.reason.contains(reason), "\(fault.reason)")
  }

  @Test func `refuses a whole file in which a column cannot be read, and takes such a part`() throws {
    let damaged = String(decoding: try ProcedureSource.hayward, as: UTF8.self).split(separator: "\n").map {
      line -> String in
      guard line.count == 132, ["D", "E", "F"].contains(line.dropFirst(12).prefix(1)), line.hasPrefix("SUSAP")
      else {
        return String(line)
      }
      return line.prefix(70) + "????" + line.dropFirst(74)
    }.joined(separator: "\n")
    var source = try ProcedureSource()
    source.definition.checksum = .report
    let whole = damaged.replacing("0380497", with: "0000097")
    let fault = try source.fault(Array(whole.utf8), in: folder)
    #expect(fault.reason.contains("column COURSE: none of the"))
    #expect(
      try ProcedureSource(isPart: true).build(Array(damaged.utf8), in: folder).rows("SELECT 1 FROM legs")
        .count == 70)
  }

  @Test func `reports a wrong checksum where the definition asks for that`() throws {
    var source = try ProcedureSource()
    source.definition.checksum = .report
    let text = String(decoding: try ProcedureSource.whole(), as: UTF8.self).replacing("BOGRE", with: "BOGRF")
    let built = try source.build(Array(text.utf8), in: folder)
    #expect(built.outcome.warnings.count == 1 && built.outcome.warnings[0].contains("its checksum is"))
  }

  @Test func `needs a header, except of a part of the file`() throws {
    let rows = try ProcedureSource.rows
    let bytes = Array((rows.joined(separator: "\n") + "\n").utf8)
    #expect(try ProcedureSource().fault(bytes, in: folder).reason.contains("no header"))
    let built = try ProcedureSource(isPart: true).build(bytes, in: folder)
    #expect(built.outcome.warnings.map { $0.contains("not known to be of cycle 2003") } == [true])
  }

  @Test func `counts damaged, unknown, repeated and lost records, and reads the others`() throws {
    var rows = try ProcedureSource.rows
    let whole = rows.count
    rows[1].removeLast()
    rows[3] = String(rows[3].prefix(60)) + "\u{1}" + String(rows[3].dropFirst(61))
    rows[5] = rows[5].replacing("SUSAP ", with: "SUSAQ ")
    rows.insert(rows[8], at: 9)
    rows.removeAll { $0.dropFirst(12).first == "P" && $0.dropFirst(26).first == "1" }
    let built = try ProcedureSource(isPart: true).build(
      Array((rows.joined(separator: "\n") + "\n").utf8), in: folder)
    let counts = built.outcome.product.build.counts
    #expect(counts["droppedAsUnknown"] == 1)
    #expect(built.problems(.rowDropped, of: "FAACIFP18").count == 3)
    #expect(built.problems(.rowRepeated, of: "FAACIFP18").map(\.line) == [10])
    try built.expect("SELECT count(*) FROM waypoints", gives: ["13"])
    #expect(whole == 97)
  }

  @Test(arguments: ["", "<html></html>\n", "\u{0}\u{1}\u{2}\n", String(repeating: "x", count: 4000)])
  func `refuses what is not the file`(text: String) throws {
    #expect(try ProcedureSource(isPart: true).fault(Array(text.utf8), in: folder).kind == .badInput)
  }

  @Test func `finds the file in a folder of a zip, with the list of what is coded`() throws {
    let list = "Arpt_ICAO\tProcedure Type\tProcedure Ident\r\nKHWD\tIAP\tR28L\r\nKHWD\tIAP\r\n"
    let zip = try zip(
      [("a/b/FAACIFP18", try ProcedureSource.whole()), ("a/IN_CIFP.txt", Array(list.utf8))], in: folder,
      name: "CIFP.zip")
    let built = try ProcedureSource().build(zip, in: folder)
    try built.expect("SELECT * FROM coverage", gives: [["2", "KHWD", "IAP", "R28L"]])
    #expect(built.problems(.rowDropped, of: "IN_CIFP.txt").map(\.line) == [3])
  }
}

/// Airspace, sectors and squares.
struct ProcedureAreaTests {
  let folder = TemporaryFolder()

  private static func padded(_ text: String) -> String {
    text.padding(toLength: 132, withPad: " ", startingAt: 0)
  }

  private static func corner(_ number: Int, _ via: String, _ rest: String, _ limits: String = "") -> String {
    let head = "SUSAUCK6TKJFK PAB  A00\(number)00     \(via)\(rest)".padding(
      toLength: 81, withPad: " ", startingAt: 0)
    return padded(head + limits)
  }

  @Test func `draws arcs clockwise and anticlockwise around their centres`() throws {
    for (via, isLarge) in [("R ", false), ("L ", true)] {
      let rows = [
        Self.corner(1, via, "N40100000W074000000N40000000W07400000001000000", "GND  A07000MTEST"),
        Self.corner(2, "GE", "N40000000W073465800"),
      ]
      let built = try ProcedureSource(isPart: true).build(
        Array(rows.joined(separator: "\n").utf8), in: folder, name: "\(isLarge).sqlite")
      let box = try SQLiteConnection(built.file.path, mode: .readOnly).texts(
        "SELECT round(south, 2) || ' ' || round(north, 2) || ' ' || round(west, 2) || ' ' || round(east, 2) FROM airspaces"
      )
      #expect(box == [isLarge ? "39.83 40.17 -74.22 -73.78" : "40.0 40.17 -74.0 -73.78"])
      try built.expect(
        "SELECT floor, floorWord, ceiling, ceilingUnit, class FROM airspaces",
        gives: [["0", "GND", "7000", "M", "B"]])
    }
  }

  @Test func `gives no shape to a boundary that is not whole`() throws {
    let rows = [Self.corner(1, "G ", "N40100000W074000000"), Self.corner(2, "G ", "N40000000W073465800")]
    let built = try ProcedureSource(isPart: true).build(Array(rows.joined(separator: "\n").utf8), in: folder)
    try built.expect("SELECT geometry IS NULL FROM airspaces", gives: ["1"])
    #expect(built.problems(.fieldDropped, of: "FAACIFP18").map(\.column) == ["GEOMETRY"])
  }

  @Test func `makes a row of each sector and each square`() throws {
    let built = try ProcedureSource(isPart: true).build(try ProcedureSource.hayward, in: folder)
    try built.expect(
      "SELECT sector, fromBearing, toBearing, altitude, radius FROM msas ORDER BY id LIMIT 2",
      gives: [["1", "170", "350", "5100", "25"], ["2", "350", "170", "3800", "25"]])
    let squares = Self.padded("S   AS       N40W075          " + String(repeating: "030UNK", count: 15))
    let other = try ProcedureSource(isPart: true).build(
      Array(squares.utf8), in: folder, name: "squares.sqlite")
    try other.expect(
      "SELECT latitude, longitude, altitude FROM gridMoras ORDER BY id LIMIT 2",
      gives: [["40.0", "-75.0", "3000"], ["40.0", "-74.0", "NULL"]])
  }
}

/// A definition of the database, to be built of files that a test writes.
struct ProcedureSource {
  var definition: ProceduresDefinition

  init(isPart: Bool = false) throws {
    let json = """
      {"name": "cifp", "title": "Test", "cadence": "28-day", "id": "procedures", "sources": [], "isPart": \(isPart),
       "gates": {"droppedRowShare": 0.5, "minimumRows": {}}}
      """
    definition = try Data(json.utf8).decoded(ProceduresDefinition.self)
  }

  /// The records of Hayward of cycle 2003, with the header of the whole file.
  static var hayward: [UInt8] {
    get throws { [UInt8](try fixtureFolder.appending(path: "procedures/FAACIFP18-2003-KHWD.txt").data) }
  }

  static var rows: [String] {
    get throws {
      String(decoding: try hayward, as: UTF8.self).split(separator: "\n").map(String.init).filter {
        !$0.hasPrefix("HDR")
      }
    }
  }

  /// The same as a whole file, with its own number of records and checksum.
  static func whole(lineEnd: String = "\n", own: String = "        ") throws -> [UInt8] {
    let header = String(decoding: try hayward, as: UTF8.self).split(separator: "\n").prefix(5).map { line in
      String(line).padding(toLength: 132, withPad: " ", startingAt: 0)
    }
    let first = header[0].prefix(124).replacing("0380497", with: "0000097")
    let rest = Array(header[1...]) + (try rows)
    let text = ([first + own] + rest).joined(separator: lineEnd) + lineEnd
    // Bit by bit, from the definition.
    var crc = UInt32.max
    for byte in text.utf8 {
      crc ^= UInt32(byte) << 24
      for _ in 0..<8 { crc = crc & 0x8000_0000 == 0 ? crc << 1 : crc << 1 ^ 0x04C1_1DB7 }
    }
    let digits = String(~crc, radix: 16, uppercase: true)
    let checksum = String(repeating: "0", count: 8 - digits.count) + digits
    let end = lineEnd.isEmpty ? "\n" : lineEnd
    return Array((([first + checksum] + rest).joined(separator: end) + end).utf8)
  }

  func build(_ bytes: [UInt8], in folder: TemporaryFolder, name: String = "out.sqlite") throws -> Built {
    let file = folder.file(name.replacing(".sqlite", with: ".txt"))
    try Data(bytes).write(to: file)
    return try build(try SourceFolder.file(file), in: folder, name: name)
  }

  func fault(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> UserError {
    try #require(throws: UserError.self) { try build(bytes, in: folder, name: "bad.sqlite") }
  }

  func build(_ source: SourceFile, in folder: TemporaryFolder, name: String = "zip.sqlite") throws -> Built {
    let request = DatabaseRequest(
      definition: definition, definitionSha256: try SHA256Hex(of: []), source: source, cycle: "2003")
    let database = folder.file(name)
    let outcome = try ProcedureBuilder.build(request, to: database) { _ in }
    return Built(outcome: outcome, file: database)
  }
}
