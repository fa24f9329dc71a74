import Core
import Foundation
import TestSupport
import Testing

@testable import Pipeline

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
    let folder = try TemporaryFolder()
    let file = folder.file("d.json5")
    try Data(text.utf8).write(to: file)
    return try #require(throws: UserError.self) { try PipelineDefinition(contentsOf: file) }.reason
  }

  @Test(arguments: [
    ("\"28-day\"", "\"yearly\"", "`cadence`: \"yearly\" is none of 28-day, 56-day (line 4, column 40)"),
    ("\"28-day\"", "\"28day\"", "is none of 28-day, 56-day; did you mean \"28-day\"? (line 4, column 40)"),
    (
      "kind: \"nasr\"", "kind: \"chart\"",
      "`kind`: \"chart\" is none of charts, nasr, obstacles; did you mean \"charts\"? (line 3, column 3)"
    ),
    (
      "format: \"geojson\"", "format: \"kml\"",
      "`exports[1].format`: \"kml\" is none of rzflight, identifiers, geojson, openefb (line 9, column 16)"
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
  func `a key is shown with its line and column`(part: String, replacement: String, expected: String) throws {
    let problem = try problem(Self.good.replacing(part, with: replacement))
    #expect(problem.hasSuffix(expected), "\(problem)")
  }

  @Test(arguments: [
    ("'n', title", "'n' title", "not valid JSON5: a comma or } is missing (line 4, column 28)"),
    ("name: 'n'", "name: 'n", "not valid JSON5: the quotation mark is never closed (line 4, column 24)"),
    ("two lines */", "two lines", "not valid JSON5: the comment is never closed (line 3, column 17)"),
    (
      "sources: []", "sources []",
      "not valid JSON5: a colon is missing after the key \"sources\" (line 5, column 11)"
    ),
    ("sources: [],", "sources: [,", "not valid JSON5: a value is missing (line 5, column 13)"),
    ("\"28-day\"", "monthly", "monthly is not a value; text needs quotation marks (line 4, column 49)"),
    ("  ],\n}", "  ],\n", "not valid JSON5: the bracket is never closed (line 2, column 1)"),
    ("  ],\n}", "  ],\n}}", "there is more text after the end of the value (line 11, column 2)"),
    ("sources: []", ": []", "not valid JSON5: a key is missing (line 5, column 3)"),
  ])
  func `a text that is no JSON5 is reported where it ends to be`(
    part: String, replacement: String, expected: String
  ) throws {
    let problem = try problem(Self.good.replacing(part, with: replacement))
    #expect(problem.hasSuffix(expected), "\(problem)")
  }

  @Test func `what Foundation reads is read`() throws {
    let pipelines = repositoryRoot.appending(path: "pipelines")
    for name in try FileManager.default.contentsOfDirectory(atPath: pipelines.path) {
      let text = try String(contentsOf: pipelines.appending(path: name), encoding: .utf8)
      #expect(JSON5Text(text).flaw == nil, "\(name)")
    }
    for text in ["{a: +1, b: -.5, 'c': 0x1F, d: Infinity, e: -NaN, \"f\": 1e5, }", "[]", "true", "'it\\'s'"] {
      #expect(JSON5Text(text).flaw == nil, "\(text)")
    }
    #expect(JSON5Text("").flaw?.reason == "the text ends too early: a value is missing")
    #expect(JSON5Text(String(repeating: "[", count: 100_000)).flaw?.reason == "it is nested too deep")
  }
}
