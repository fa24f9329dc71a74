import Core
import Testing

@testable import Aero

struct CSVValueTests {
  private func value<Result>(_ bytes: [UInt8], _ read: (CSVValue) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { read(CSVValue(CSVField(start: 0, end: $0.count), in: $0)) }
  }

  @Test func `text is UTF-8 where it can be and Latin-1 where not`() {
    #expect(value(Array("SAN JOSÉ 20°".utf8)) { $0.text } == "SAN JOSÉ 20°")
    #expect(value([0x4A, 0x4F, 0x53, 0xC9]) { $0.text } == "JOSÉ")
    #expect(value([0x32, 0x30, 0xB0]) { $0.text } == "20°")
  }

  @Test(arguments: [
    "37.46111111", "-122.11505555", "0.1", "6.8", "-0.3", "126.975", "19958", "+5", ".5", "5.",
    "123456789012.345",
    "0.123456789012345678", "99999999999999999999",
  ])
  func `numbers are the nearest double, as the library reads them`(text: String) {
    #expect(value(Array(text.utf8)) { $0.decimal } == Double(text))
  }

  @Test(arguments: ["", "-", ".", "1e5", "nan", "inf", "0x1F", "1,5", "12-34", "1.2.3", "--1", "1 2", "٣"])
  func `what is not written in plain digits is no number`(text: String) {
    #expect(value(Array(text.utf8)) { $0.decimal } == nil)
  }

  @Test func `a negative zero is zero`() {
    #expect(value(Array("-0.0".utf8)) { $0.decimal?.sign } == .plus)
  }

  @Test func `whole numbers may end in a point, and may not have a fraction`() {
    #expect(value(Array("2443.".utf8)) { $0.integer } == 2443)
    #expect(value(Array("2443.5".utf8)) { $0.integer } == nil)
  }
}
