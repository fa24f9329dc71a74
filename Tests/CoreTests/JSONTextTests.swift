import Core
import Foundation
import Testing

/// What `Tests/Catalogues` does not show: the place and the words of an error.
struct JSONTextTests {
  private func flaw(_ text: String) -> String? { JSONText(Data(text.utf8), .json).flaw }

  @Test(arguments: [
    ("{\"serial\":3,\n \"serial\":99}", "the key \"serial\" is repeated (line 2, column 2)"),
    ("{\"é\":\"😀\",\"é\":1}", "the key \"é\" is repeated (line 1, column 10)"),
    ("{\"a\n\":1}", "the quotation mark is not closed (line 1, column 2)"),
    ("[1,]", "a value is missing (line 1, column 4)"),
    ("{\"a\":1,}", "a key is missing (line 1, column 8)"),
    ("[1 2]", "a comma or ] is missing (line 1, column 4)"),
    ("[9007199254740992]", "9007199254740992 is not a value (line 1, column 2)"),
    ("[\"\\ud800\"]", "the escape is half a character (line 1, column 3)"),
    ("[\"\\u+123\"]", "the escape needs four hexadecimal digits (line 1, column 3)"),
    ("[\"\\q\"]", "there is no such escape (line 1, column 3)"),
    ("\u{FEFF}{}", "it begins with a byte order mark (line 1, column 1)"),
    ("[", "the bracket is not closed (line 1, column 1)"),
    ("", "unexpected end of the text: a value is missing (line 1, column 1)"),
  ])
  func `an error has a place`(text: String, expected: String) { #expect(flaw(text) == expected) }

  @Test(arguments: [
    "0", "-0", "-0.5e-07", "9007199254740991", "-9007199254740991",
    "1.234567890123456789012345678901234567890", "\"\\u0041\\ud83d\\ude00\"",
    "{\"a\":{\"a\":1},\"b\":[{\"a\":2},{\"a\":3}]}", " \t\r\n[ ]\n", "{}", "null",
  ])
  func `what all parsers read alike is valid`(text: String) throws {
    #expect(flaw(text) == nil)
    _ = try JSONDecoder().decode(Anything.self, from: Data(text.utf8))
  }

  @Test(arguments: [
    "01", "1.", ".5", "+1", "--1", "1e", "1e+", "1e100", "0x1", "1_000", "Infinity", "-", "tru", "'a'", "a",
  ])
  func `other numbers and words are not`(text: String) { #expect(flaw("[\(text)]") != nil) }

  @Test func `the place of a key is that of its innermost part`() throws {
    let text = JSONText(Data("{a: 1,\n b: [{c: 2}, {c: 3, 'd': 4}]}".utf8), .json5)
    #expect(text.flaw == nil)
    func place(_ path: any CodingKey...) -> String? { text.place(of: path) }
    #expect(place(Key("b"), Key(1), Key("d")) == "line 2, column 21")
    #expect(place(Key("b"), Key(1), Key("none")) == "line 2, column 14")
    #expect(place(Key("none")) == nil)
  }

  private struct Anything: Decodable {
    init(from decoder: any Decoder) throws {}
  }

  private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) { (stringValue, intValue) = (name, nil) }
    init(_ index: Int) { (stringValue, intValue) = ("Index \(index)", index) }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
  }
}

struct TransferDeadlineTests {
  @Test func `bytes earn time`() {
    let none = TransferDeadline(TransferAllowance.file.starting(at: .zero))
    #expect(none.left <= .zero && none.reason.hasPrefix("the server is too slow: 0 bytes in "))
    let more = none.adding(3_600_000).adding(3_600_000)
    #expect(more.left > .seconds(1800) && more.left <= .seconds(3600))
    #expect(TransferDeadline(TransferAllowance.document.starting(at: .seconds(3600))).left > .seconds(1800))
  }
}

/// Messages go to logs and reports.
struct MaskingTests {
  @Test(arguments: [
    ("https://me:secret@a.example/x", "https://…@a.example/x"),
    ("https://a.example/x?token=secret", "https://a.example/x?token=…"),
    ("https://a.example/x?a=secret&sig=secret%2Fsecret#top", "https://a.example/x?a=…&sig=…"),
    (
      "got 403 from \"https://b.example/y?X-Amz-Credential=secret/us&X-Amz-Signature=secret\" twice",
      "got 403 from \"https://b.example/y?X-Amz-Credential=…&X-Amz-Signature=…\" twice"
    ),
    ("<https://a.example/?se=2026&sv=x&sig=secret>", "<https://a.example/?se=…&sv=…&sig=…>"),
    ("/vfr/catalog.json?api_key=secret", "/vfr/catalog.json?api_key=…"),
    ("Is it right? a=b, x & y=z", "Is it right? a=b, x & y=z"),
    ("no addresses", "no addresses"),
  ])
  func `passwords and the values of queries are masked`(text: String, masked: String) {
    #expect(text.withoutPasswords == masked)
    let error = UserError(.failed, operation: "reading", path: text, reason: text, suggestion: text)
    #expect(error.message == "reading \(masked): \(masked)\n  \(masked)")
    #expect(error.naming(text).path == masked)
  }
}
