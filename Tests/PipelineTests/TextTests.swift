import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// How a definition that cannot be read is reported: the line, the column, and what would be right.
struct JSON5TextTests {
  private static let good = """
    // A comment.
    {
      kind: "nasr", /* of
        two lines */ name: 'n', title: "", cadence: "28-day", id: "aviation",
      sources: [],
      gates: { droppedRowShare: 0.1, minimumRows: {}, },
      exports: [
        { id: "a", format: "rzflight", title: "A" },
        { id: "b", format: "geojson", title: "B" },
      ],
    }
    """

  private func problem(_ text: String) throws -> String {
    let folder = TemporaryFolder()
    let file = folder.file("d.json5")
    try file.put(text)
    return try #require(throws: UserError.self) { try PipelineLibrary.read(file) }.reason
  }

  @Test(arguments: [
    ("\"28-day\"", "\"yearly\"", "`cadence`: \"yearly\" is none of 28-day, 56-day (line 4, column 40)"),
    ("\"28-day\"", "\"28day\"", "is none of 28-day, 56-day; did you mean \"28-day\"? (line 4, column 40)"),
    (
      "kind: \"nasr\"", "kind: \"chart\"",
      "`kind`: \"chart\" is none of charts, nasr, obstacles, plates, cifp, raster, tfr, weather; did you mean \"charts\"? (line 3, column 3)"
    ),
    (
      "format: \"geojson\"", "format: \"kml\"",
      "`exports[1].format`: \"kml\" is none of rzflight, identifiers, geojson, openefb, vectortiles, obstacles (line 9, column 16)"
    ),
    (
      "\"28-day\"", "28-day",
      "`cadence`: a text in quotation marks is expected here, not a number (line 4, column 40)"
    ),
    ("minimumRows: {}", "minimumRow: {}", "did you mean `minimumRows`? (line 6, column 34)"),
    (
      "droppedRowShare: 0.1", "droppedRowShare: \"x\"",
      "`gates.droppedRowShare`: a number is expected here, not a text (line 6, column 12)"
    ),
    (
      "sources: []", "sources: {a: 1}",
      "`sources`: a list in square brackets is expected here, not an object in braces (line 5, column 3)"
    ),
    ("id: \"b\", ", "", "the key `exports[1].id` is missing (line 9, column 5)"),
  ])
  func `an error has a key's line and column`(part: String, replacement: String, expected: String) throws {
    let problem = try problem(Self.good.replacing(part, with: replacement))
    #expect(problem.hasSuffix(expected), "\(problem)")
  }

  @Test(arguments: [
    ("'n', title", "'n' title", "not valid JSON5: a comma or } is missing (line 4, column 28)"),
    ("name: 'n'", "name: 'n", "not valid JSON5: the quotation mark is not closed (line 4, column 24)"),
    ("two lines */", "two lines", "not valid JSON5: the comment is not closed (line 3, column 17)"),
    (
      "sources: []", "sources []",
      "not valid JSON5: a colon is missing after the key \"sources\" (line 5, column 11)"
    ),
    ("sources: [],", "sources: [,", "not valid JSON5: a value is missing (line 5, column 13)"),
    ("\"28-day\"", "monthly", "monthly is not a value; text needs quotation marks (line 4, column 49)"),
    ("  ],\n}", "  ],\n", "not valid JSON5: the bracket is not closed (line 2, column 1)"),
    ("  ],\n}", "  ],\n}}", "there is more text after the end of the value (line 11, column 2)"),
    ("sources: []", ": []", "not valid JSON5: a key is missing (line 5, column 3)"),
  ])
  func `reports the place of a syntax error`(part: String, replacement: String, expected: String) throws {
    let problem = try problem(Self.good.replacing(part, with: replacement))
    #expect(problem.hasSuffix(expected), "\(problem)")
  }

  @Test func `accepts every text that Foundation reads`() throws {
    let pipelines = repositoryRoot.appending(path: "pipelines")
    for name in try FileManager.default.contentsOfDirectory(atPath: pipelines.path)
    where name.hasSuffix(".json5") {
      let text = try pipelines.appending(path: name).text
      #expect(JSONText(Data(text.utf8), .json5).flaw == nil, "\(name)")
    }
    for text in ["{a: +1, b: -.5, 'c': 0x1F, d: Infinity, e: -NaN, \"f\": 1e5, }", "[]", "true", "'it\\'s'"] {
      #expect(JSONText(Data(text.utf8), .json5).flaw == nil, "\(text)")
    }
    let none = "unexpected end of the text: a value is missing (line 1, column 1)"
    #expect(JSONText(Data(), .json5).flaw == none)
    let deep = JSONText(Data(repeating: UInt8(ascii: "["), count: 100_000), .json5).flaw
    #expect(deep?.hasPrefix("it is nested too deeply") == true)
  }
}

@Suite struct PlainXMLTests {
  private static let entities = "<!DOCTYPE a [<!ENTITY b \"cc\">]><a>&b;</a>"

  @Test(arguments: [
    "<a/>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a/>", "\u{FEFF}<a/>", " \n<a/>",
    "<?xml version='1.0' encoding='iso-8859-1'?><a b='encoding=\"x\"'/>",
    "<?xml version=\"1.0\"?><?xml-stylesheet href=\"a.xsl\"?><a><?b c?></a>",
  ])
  func `accepts the XML of the FAA and of stores`(text: String) {
    #expect(PlainXML.objection(to: Data(text.utf8)) == nil)
  }

  @Test(arguments: [
    entities, "<?xml version=\"1.0\"?>\n\(entities)", "<a/>\(entities)",
    "<?xml version=\"1.0\" encoding=\"UTF-7\"?>+ADw-!DOCTYPE a []><a/>",
    "<?xml version=\"1.0\"\(String(repeating: " ", count: 9000))encoding=\"UTF-7\"?>+ADw-!DOCTYPE a []><a/>",
    "", "PK", "no XML at all", "<?xml?><a/>", "<a><?b?></a>", "<a><?\u{4}x<?b?> y?></a>", "<a><? b?></a>",
    "<a><!-- <?b c --><?b?></a>", "<a><?b ?></a>", "<a><?b c</a>",
  ])
  func `rejects XML that could hide an entity`(text: String) {
    #expect(PlainXML.objection(to: Data(text.utf8)) != nil)
  }

  @Test func `rejects XML that is not text`() {
    #expect(PlainXML.objection(to: Data(Array("<a".utf8) + [0xF2] + Array("/>".utf8))) != nil)
    let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
    #expect(PlainXML.objection(to: Data(latin)) == nil)
  }

  @Test(arguments: [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32])
  func `rejects encodings that could hide an entity`(encoding: String.Encoding) throws {
    let data = try #require(PlainXMLTests.entities.data(using: encoding))
    #expect(PlainXML.objection(to: data) != nil)
  }

  /// The first bytes of an XML declaration as mainframes write it, by which parsers know the encoding.
  @Test func `rejects EBCDIC`() {
    #expect(PlainXML.objection(to: Data([0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40])) != nil)
  }
}

@Suite struct WrappedTextTests {
  @Test(arguments: [
    ("one two three", 13, "one two three"), ("one two three", 12, "one two\n  three"),
    ("one two three", 7, "one two\n  three"), ("one two three", 3, "one\n  two\n  three"),
    ("longword", 3, "longword"), ("  a   b", 20, "  a   b"), ("", 5, ""),
  ])
  func `breaks lines at spaces`(text: String, width: Int, expected: String) {
    #expect(wrapped(text, to: width, hanging: 2) == expected)
  }
}

/// The reason of a system error is the same for every call that reports it.
@Suite struct FileErrorReasonTests {
  private struct Other: Error, CustomStringConvertible { let description = "the cat sat on it" }

  @Test(arguments: [
    (POSIXError(.EIO) as any Error, "Input/output error"),
    (NSError(domain: NSPOSIXErrorDomain, code: Int(EIO)), "Input/output error"),
    (CocoaError(.fileWriteOutOfSpace), "the disk is full"),
    (Other(), "the cat sat on it"),
  ])
  func `the reason has a few words and no codes`(error: any Error, words: String) {
    #expect(error.fileErrorReason == words)
  }

  @Test func `names a missing file`() throws {
    let folder = TemporaryFolder()
    let error = #expect(throws: (any Error).self) { try folder.file("none").data }
    #expect(error?.fileErrorReason == "there is no such file or folder")
  }

  @Test func `an unexpected file error names its file`() throws {
    let folder = TemporaryFolder()
    for read in [{ try $0.data }, { Data(try $0.text.utf8) }]
      as [(URL) throws -> Data]
    {
      let error = try #require(throws: (any Error).self) { try read(folder.file("none")) }
      let fault = UserError(unexpected: error)
      #expect(fault.path == folder.file("none").path)
      #expect(fault.reason == "there is no such file or folder")
      #expect(!fault.message.contains("Domain"))
    }
    #expect(UserError(unexpected: Other()).line == "working: the cat sat on it")
  }

  @Test func `the reason of an underlying error has no codes`() {
    let system = NSError(domain: NSPOSIXErrorDomain, code: Int(EIO))
    let error = CocoaError(.fileReadUnknown, userInfo: [NSUnderlyingErrorKey: system])
    #expect(error.fileErrorReason == "Input/output error")
  }

  /// A partial scratch file would never be deleted.
  @Test func `a failed write leaves no scratch file`() throws {
    let folder = TemporaryFolder()
    let final = folder.file("taken")
    try final.appending(path: "inside").makeFolder()
    #expect(throws: UserError.self) {
      try DurableFile.write(Data("new".utf8), to: final, scratch: folder.file("scratch"))
    }
    #expect(try files(below: folder.url).isEmpty)
  }
}
