import Core
import Foundation
import Pipeline
import TestSupport
import Testing

/// A correction at the end of a file that people wrote.
struct CorrectionAppendTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func list(_ text: String) throws -> CorrectionList {
    let definition = """
      { kind: "nasr", name: "n", title: "", cadence: "28-day", id: "aviation", sources: [],
        corrections: "corrections.json5", gates: { droppedRowShare: 0.1, minimumRows: {} } }
      """
    try Data(definition.utf8).write(to: folder.file("n.json5"))
    try Data(text.utf8).write(to: folder.file("corrections.json5"))
    let content = try PipelineDefinition(contentsOf: folder.file("n.json5")).content
    guard case .nasr(let nasr) = content else { throw CancellationError() }
    return try #require(nasr.corrections)
  }

  private static let new = Correction(
    table: "APT_RWY", row: ["ARPT_ID": "CO4", "ROUTE STRING": "A \"B\""], column: "RWY_LEN", faa: "",
    right: "2443",
    why: "Back\\slash, \"quotes\" and 5° of tab\t.", until: "2613")

  @Test(arguments: [
    "[]", "[\n]\n", CorrectionListTests.good,
    CorrectionListTests.good.replacing("\"2613\" },", with: "\"2613\" }"), "// head [x]\n[ ] // tail",
  ])
  func `it is added, and nothing else changes`(text: String) throws {
    let list = try list(text)
    var correction = Self.new
    correction.row = ["ARPT_ID": "CO4"]
    try list.adding(correction, in: folder.url).appendLast(in: folder.url)
    let after = try String(contentsOf: folder.file("corrections.json5"), encoding: .utf8)
    #expect(try self.list(after).corrections == list.corrections + [correction])
    for line in text.split(separator: "\n") {
      if let comment = line.firstRange(of: "//") { #expect(after.contains(line[comment.lowerBound...])) }
    }
  }

  @Test func `a key with a blank is written in quotes`() throws {
    try list("[]").adding(Self.new, in: folder.url).appendLast(in: folder.url)
    let after = try String(contentsOf: folder.file("corrections.json5"), encoding: .utf8)
    #expect(after.contains("\"ROUTE STRING\": \"A \\\"B\\\"\""))
  }

  @Test func `a file whose end is not found is left alone`() throws {
    let text = "[\n  // the last one goes here\n] // see [1]"
    let list = try list(text)
    var correction = Self.new
    correction.row = ["ARPT_ID": "CO4"]
    let longer = try list.adding(correction, in: folder.url)
    let fault = try #require(throws: UserError.self) { try longer.appendLast(in: folder.url) }
    #expect(fault.reason.contains("add this yourself") && fault.reason.contains("table: \"APT_RWY\""))
    #expect(try String(contentsOf: folder.file("corrections.json5"), encoding: .utf8) == text)
  }

  @Test func `what the list cannot hold is refused`() throws {
    let list = try list(CorrectionListTests.good)
    let twice = try #require(throws: UserError.self) { try list.adding(list.corrections[0], in: folder.url) }
    #expect(twice.reason.contains("it is there twice"))
    var blank = Self.new
    blank.row = ["ARPT_ID": "CO4"]
    blank.why = " "
    #expect(throws: UserError.self) { try list.adding(blank, in: folder.url) }
  }
}
