import Core
import Testing

@testable import ChartpipeKit

struct CSVScannerTests {
  /// All records as text, with the line of each and its flaw in place of its fields.
  private func scan(_ text: String) -> [(line: Int, fields: [String])] { scan(Array(text.utf8)) }

  private func scan(_ bytes: [UInt8]) -> [(line: Int, fields: [String])] {
    bytes.withUnsafeBufferPointer { bytes in
      var scanner = CSVScanner(bytes)
      var record = CSVRecord()
      var records: [(line: Int, fields: [String])] = []
      while scanner.next(&record) {
        let fields = record.fields.map { CSVValue($0, in: bytes).text }
        records.append((record.line, record.flaw.map { [$0.rawValue] } ?? fields))
      }
      return records
    }
  }

  @Test(arguments: ["\r\n", "\n", "\r"])
  func `counts line ends of each kind, also inside quotes`(end: String) {
    let records = scan(["A,B", "1,\"x\(end)y\"", "2,z"].joined(separator: end))
    #expect(records.map(\.fields) == [["A", "B"], ["1", "x\(end)y"], ["2", "z"]])
    #expect(records.map(\.line) == [1, 2, 4])
  }

  @Test func `skips blank lines everywhere`() {
    #expect(scan("\n\nA,B\r\n\r\n1,2\r\n\r\n").map(\.fields) == [["A", "B"], ["1", "2"]])
    #expect(scan("").isEmpty)
  }

  @Test func `skips a byte order mark before the first name`() {
    #expect(scan([0xEF, 0xBB, 0xBF] + Array("A,B\n".utf8)).map(\.fields) == [["A", "B"]])
  }

  @Test func `reads commas and doubled quotes inside quotes`() {
    #expect(scan("\"a,b\",\"say \"\"no\"\"\",\"\",\n").map(\.fields) == [["a,b", "say \"no\"", "", ""]])
  }

  /// Quoted fields are looked at eight bytes at a time.
  @Test(arguments: 0...20)
  func `ends a quoted field at its quote, at any length`(length: Int) {
    let text = String(repeating: "#", count: length)
    let records = scan("\"\(text)\",\"!\(text)\"\"\(text)\",\"-\(text)\n\(text)-\"\n\"\(text)")
    #expect(
      records.map(\.fields) == [
        [text, "!\(text)\"\(text)", "-\(text)\n\(text)-"], ["a quote is never closed"],
      ])
    #expect(records.map(\.line) == [1, 3])
  }

  @Test func `trims values, also inside quotes`() {
    #expect(scan("\"WP   \",  x ,\" JUN- SEP\"").map(\.fields) == [["WP", "x", "JUN- SEP"]])
  }

  @Test func `loses only the line of a bad quote`() {
    let open = scan("1,\"lost\n2,fine\n3,fine\n")
    #expect(open.map(\.fields) == [["a quote is never closed"], ["2", "fine"], ["3", "fine"]])
    #expect(open.map(\.line) == [1, 2, 3])
    #expect(
      scan("\"1\",\"cut\n\"2\",\"3\"\n").first?.fields == [
        "the row is cut short: a quoted field goes on into the next line"
      ])
    let long = scan("1,\(String(repeating: "x", count: 70_000)),3\n4,5,6\n")
    #expect(long.map(\.fields) == [["a field has more than 65,536 bytes"], ["4", "5", "6"]])
    let stray = scan("1,\"a\"b\n2,\"c\"\n")
    #expect(stray.map(\.fields) == [["there is text after a closing quote"], ["2", "c"]])
  }

  @Test func `loses only the lines of many missing quotes`() {
    let block = "1,\"lost\n" + String(repeating: "2,fine\n", count: 500)
    let records = scan(String(repeating: block, count: 20))
    #expect(records.count == 20 * 501)
    #expect(records.count { $0.fields == ["2", "fine"] } == 20 * 500)
  }
}

struct CSVValueTests {
  private func value<Result>(_ bytes: [UInt8], _ read: (CSVValue) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { read(CSVValue(CSVField(start: 0, end: $0.count), in: $0)) }
  }

  @Test func `reads text as UTF-8, else as Latin-1`() {
    #expect(value(Array("SAN JOSÉ 20°".utf8)) { $0.text } == "SAN JOSÉ 20°")
    #expect(value([0x4A, 0x4F, 0x53, 0xC9]) { $0.text } == "JOSÉ")
    #expect(value([0x32, 0x30, 0xB0]) { $0.text } == "20°")
  }

  @Test(arguments: [
    "37.46111111", "-122.11505555", "0.1", "6.8", "-0.3", "126.975", "19958", "+5", ".5", "5.",
    "123456789012.345", "0.123456789012345678", "99999999999999999999",
  ])
  func `reads numbers as the nearest double, like the library`(text: String) {
    #expect(value(Array(text.utf8)) { $0.decimal } == Double(text))
  }

  @Test(arguments: ["", "-", ".", "1e5", "nan", "inf", "0x1F", "1,5", "12-34", "1.2.3", "--1", "1 2", "٣"])
  func `rejects numbers that are not plain digits`(text: String) {
    #expect(value(Array(text.utf8)) { $0.decimal } == nil)
  }

  @Test func `reads a negative zero as zero`() {
    #expect(value(Array("-0.0".utf8)) { $0.decimal?.sign } == .plus)
  }

  @Test func `accepts a whole number with a point, but not with a fraction`() {
    #expect(value(Array("2443.".utf8)) { $0.integer } == 2443)
    #expect(value(Array("2443.5".utf8)) { $0.integer } == nil)
  }
}
