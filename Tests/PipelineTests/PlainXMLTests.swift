import Core
import Foundation
import Pipeline
import Testing

@Suite struct PlainXMLTests {
  private static let entities = "<!DOCTYPE a [<!ENTITY b \"cc\">]><a>&b;</a>"

  @Test(arguments: [
    "<a/>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a/>", "\u{FEFF}<a/>", " \n<a/>",
    "<?xml version='1.0' encoding='iso-8859-1'?><a b='encoding=\"x\"'/>",
    "<?xml version=\"1.0\"?><?xml-stylesheet href=\"a.xsl\"?><a><?b c?></a>",
  ])
  func `what the FAA and stores write is let through`(text: String) {
    #expect(PlainXML.objection(to: Data(text.utf8)) == nil)
  }

  @Test(arguments: [
    entities, "<?xml version=\"1.0\"?>\n\(entities)", "<a/>\(entities)",
    "<?xml version=\"1.0\" encoding=\"UTF-7\"?>+ADw-!DOCTYPE a []><a/>",
    "<?xml version=\"1.0\"\(String(repeating: " ", count: 9000))encoding=\"UTF-7\"?>+ADw-!DOCTYPE a []><a/>",
    "", "PK", "no XML at all", "<?xml?><a/>", "<a><?b?></a>",
    "<a><?\u{4}x<?b?> y?></a>", "<a><? b?></a>", "<a><!-- <?b c --><?b?></a>", "<a><?b ?></a>",
    "<a><?b c</a>",
  ])
  func `what could hide an entity is not`(text: String) {
    #expect(PlainXML.objection(to: Data(text.utf8)) != nil)
  }

  @Test func `nor is what is no text`() {
    #expect(PlainXML.objection(to: Data(Array("<a".utf8) + [0xF2] + Array("/>".utf8))) != nil)
    let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
    #expect(PlainXML.objection(to: Data(latin)) == nil)
  }

  @Test(arguments: [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32])
  func `nor are the encodings in which it would not be found`(encoding: String.Encoding) throws {
    let data = try #require(PlainXMLTests.entities.data(using: encoding))
    #expect(PlainXML.objection(to: data) != nil)
  }

  /// The first bytes of an XML declaration as mainframes write it, by which parsers know the encoding.
  @Test func `nor is that of mainframes`() {
    #expect(PlainXML.objection(to: Data([0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40])) != nil)
  }
}
