import Testing

@testable import Aero

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
  func `line ends of each kind end a record, and are counted inside quotes too`(end: String) {
    let records = scan(["A,B", "1,\"x\(end)y\"", "2,z"].joined(separator: end))
    #expect(records.map(\.fields) == [["A", "B"], ["1", "x\(end)y"], ["2", "z"]])
    #expect(records.map(\.line) == [1, 2, 4])
  }

  @Test func `blank lines are no records, wherever they are`() {
    #expect(scan("\n\nA,B\r\n\r\n1,2\r\n\r\n").map(\.fields) == [["A", "B"], ["1", "2"]])
    #expect(scan("").isEmpty)
  }

  @Test func `a byte order mark is no part of the first name`() {
    #expect(scan([0xEF, 0xBB, 0xBF] + Array("A,B\n".utf8)).map(\.fields) == [["A", "B"]])
  }

  @Test func `quotes hide commas and are doubled inside`() {
    #expect(scan("\"a,b\",\"say \"\"no\"\"\",\"\",\n").map(\.fields) == [["a,b", "say \"no\"", "", ""]])
  }

  /// Quoted fields are looked at eight bytes at a time.
  @Test(arguments: 0...20)
  func `a quoted field ends where its quote is, at any length`(length: Int) {
    let text = String(repeating: "#", count: length)
    let records = scan("\"\(text)\",\"!\(text)\"\"\(text)\",\"-\(text)\n\(text)-\"\n\"\(text)")
    #expect(
      records.map(\.fields) == [
        [text, "!\(text)\"\(text)", "-\(text)\n\(text)-"], ["a quote is never closed"],
      ])
    #expect(records.map(\.line) == [1, 3])
  }

  @Test func `values are trimmed, inside quotes too`() {
    #expect(scan("\"WP   \",  x ,\" JUN- SEP\"").map(\.fields) == [["WP", "x", "JUN- SEP"]])
  }

  @Test func `a bad quote spoils its own line and no other`() {
    let open = scan("1,\"lost\n2,fine\n3,fine\n")
    #expect(open.map(\.fields) == [["a quote is never closed"], ["2", "fine"], ["3", "fine"]])
    #expect(open.map(\.line) == [1, 2, 3])
    let stray = scan("1,\"a\"b\n2,\"c\"\n")
    #expect(stray.map(\.fields) == [["there is text after a closing quote"], ["2", "c"]])
  }

  @Test func `many lost quotes cost their own lines only`() {
    let block = "1,\"lost\n" + String(repeating: "2,fine\n", count: 500)
    let records = scan(String(repeating: block, count: 20))
    #expect(records.count == 20 * 501)
    #expect(records.count { $0.fields == ["2", "fine"] } == 20 * 500)
  }
}
