import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct CorrectionListTests {
  static let good = """
    [
      // a comment
      { table: "APT_BASE", row: { ARPT_ID: "PAO" }, column: "ELEV", faa: "6.8", right: "7.0",
        why: "Surveyed.", reported: "2026-10-01", until: "2613" },
    ]
    """
  let folder = TemporaryFolder()

  private func item(_ corrections: String?, file: String = "corrections.json5") throws -> any PipelineItem {
    let definition = """
      { kind: "nasr", name: "n", title: "", cadence: "28-day", id: "aviation", sources: [],
        corrections: "\(file)", gates: { droppedRowShare: 0.1, minimumRows: {} } }
      """
    try folder.file("n.json5").put(definition)
    if let corrections { try folder.file(file).put(corrections) }
    return try #require(try PipelineLibrary.read(folder.file("n.json5")).items.first)
  }

  @Test func `reads corrections as part of the definition`() throws {
    let item = try item(Self.good)
    guard let definition = (item as? NASRItem)?.definition else { return }
    let correction = try #require(definition.corrections?.content.first)
    #expect(correction.row == ["ARPT_ID": "PAO"] && correction.until == "2613")
    #expect(correction.place == "APT_BASE with ARPT_ID PAO: ELEV")
    let hash = try item.definitionSha256()
    #expect(try self.item(Self.good.replacing("a comment", with: "another")).definitionSha256() == hash)
    #expect(try self.item(Self.good.replacing("7.0", with: "7.1")).definitionSha256() != hash)
    #expect(PipelineLibrary(folder: folder.url).names == ["n"])
  }

  @Test func `reads the project's own file`() throws {
    let folder = repositoryRoot.appending(path: "pipelines")
    let library = PipelineLibrary(folder: folder)
    #expect(!library.names.contains { $0.contains("corrections") })
    guard let definition = try library.definition("nasr") as? NASRDefinition else { return }
    #expect(definition.corrections?.file == "corrections.json5")
    // The example in the comment is a valid correction.
    let text = try folder.appending(path: "corrections.json5").text
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("//   ") }.map { $0.dropFirst(5) }
    let shown = try item("[" + lines.joined(separator: "\n") + "]") as? NASRItem
    guard let shown = shown?.definition else { return }
    #expect(shown.corrections?.content.first?.right == "7.0")
  }

  @Test(arguments: [
    ("why: \"Surveyed.\",", "", "the key `[0].why` is missing"),
    ("\"Surveyed.\"", "\" \"", "[0] (APT_BASE with ARPT_ID PAO: ELEV): `why` is empty"),
    ("right:", "rihgt:", "`[0].rihgt`: there is no such key; did you mean `right`?"),
    ("{ ARPT_ID: \"PAO\" }", "{}", "`row` names no column"),
    ("\"ELEV\"", "\"elev\"", "\"elev\" is not the name of a table or column"),
    ("\"ELEV\"", "\"EFF_DATE\"", "the date of a row names its cycle"),
    ("\"7.0\"", "\"6.8\"", "`faa` and `right` are the same"),
    ("\"7.0\"", "7.0", "`[0].right`"),
    ("\"7.0\"", "\"7.0\\n\"", "contains a line end"),
    ("\"2613\"", "\"2614\"", "`until`: there is no AIRAC cycle 2614"),
    ("\"2026-10-01\"", "\"October\"", "`reported`: \"October\" is not a date"),
    ("[", "[[", "not valid JSON5"),
  ])
  func `an error names its correction`(part: String, replacement: String, expected: String) throws {
    let fault = #expect(throws: UserError.self) {
      try item(Self.good.replacing(part, with: replacement, maxReplacements: 1))
    }
    #expect(fault?.kind == .badInput && fault?.path?.hasSuffix("corrections.json5") == true)
    #expect(fault?.reason.contains(expected) == true, "\(fault?.reason ?? "")")
  }

  @Test func `rejects a duplicate correction`() throws {
    let body = Self.good.dropFirst().dropLast()
    let fault = #expect(throws: UserError.self) { try item("[\(body)\(body)]") }
    #expect(fault?.reason == "[1] (APT_BASE with ARPT_ID PAO: ELEV): it occurs twice")
  }

  @Test func `requires a file whose name is not a pipeline's`() throws {
    let missing = #expect(throws: UserError.self) { try item(nil) }
    #expect(missing?.reason == "there is no such file or folder")
    let named = #expect(throws: UserError.self) { try item(Self.good, file: "faults.json5") }
    #expect(named?.reason == "its name must end in corrections.json5")
  }
}
