import Foundation
import SQLiteIO
import TestSupport
import Testing

/// `chartpipe correct` on the sample.
@Suite(.blocking) struct CorrectTests {
  let folder = TemporaryFolder()

  init() throws {
    let pipelines = repositoryRoot.appending(path: "pipelines")
    let definition = try pipelines.appending(path: "sample-nasr.json5").text
    try folder.file("sample-nasr.json5").put(
      definition.replacing("gates:", with: "corrections: \"corrections.json5\", gates:"))
    try folder.file("corrections.json5").put("[\n  // ours\n]\n")
  }

  private func write(_ text: String) throws { try folder.file("corrections.json5").put(text) }
  private func correct(_ words: String...) throws -> Program.Ending {
    try Program().run(
      [
        "correct", "sample-nasr", "--cycle", "2304", "--from", "samples", "--pipelines", folder.url.path,
        "--work", folder.file("work").path,
      ] + words)
  }

  private func elevation(_ right: String, faa: String = "6.8", row: String = "ARPT_ID: \"PAO\"") -> String {
    """
    { table: "APT_BASE", row: { \(row) }, column: "ELEV", faa: "\(faa)", right: "\(right)", why: "A survey." }
    """
  }

  @Test func `confirms a correction that applies, and leaves its file alone`() throws {
    let text = "[\n  // ours\n  \(elevation("7.5"))\n]\n"
    try folder.file("corrections.json5").put(text)
    let checked = try correct().expect(0)
    #expect(
      checked.output
        == "used: APT_BASE with ARPT_ID PAO: ELEV corrected from \"6.8\" to \"7.5\": A survey.\n")
    #expect(try folder.file("corrections.json5").text == text)
  }

  @Test func `names what is wrong with a correction`() throws {
    for (correction, status, expected) in [
      (elevation("6.8", faa: "6.9"), 4, "alreadyRight: "),
      (elevation("7", row: "ARPT_ID: \"NIL\""), 4, "the cycle has no such row"),
      (elevation("7", row: "STATE_CODE: \"CA\""), 4, "rows fit; name more columns"),
      (elevation("abc"), 4, "ELEV cannot be corrected to \"abc\": it is no number"),
      (elevation("7").replacing("\"ELEV\"", with: "\"ELEVATION\""), 3, "has no column ELEVATION"),
      (elevation("7").replacing("APT_BASE", with: "APT_BAS"), 3, "Did you mean APT_BASE?"),
      ("\(elevation("7")), \(elevation("8"))", 3, "it occurs twice"),
    ] {
      try folder.file("corrections.json5").put("[\(correction)]")
      let ending = try correct()
      #expect(ending.status == status && (ending.output + ending.errors).contains(expected), "\(ending)")
    }
  }

  @Test func `reports a correction that no longer applies`() throws {
    try folder.file("corrections.json5").put(
      """
      [
        { table: "APT_BASE", row: { ARPT_ID: "PAO" }, column: "ELEV", faa: "6.9", right: "7.5", why: "x" },
        { table: "APT_BASE", row: { ARPT_ID: "SQL" }, column: "CITY", faa: "S CARLOS", right: "SAN CARLOS", why: "x" },
        { table: "APT_BASE", row: { ARPT_ID: "SFO" }, column: "ELEV", faa: "1", right: "2", why: "x", until: "2303" },
      ]
      """)
    let ending = try correct().expect(4)
    let lines = ending.output.split(separator: "\n")
    #expect(
      lines.map { $0.prefix { $0 != ":" } } == ["overtaken", "alreadyRight", "expired"], "\(ending.output)")
    #expect(ending.errors.contains("3 of 3 corrections not used in cycle 2304"), "\(ending.errors)")
    let json = try correct("--json")
    #expect(json.status == 4 && json.output.contains("\"found\" : \"6.8\""), "\(json.output)")
  }
}

/// Runs of a definition with corrections.
@Suite(.blocking) struct CorrectedRunTests {
  let folder = TemporaryFolder()

  init() throws {
    let sample = repositoryRoot.appending(path: "pipelines/sample-nasr.json5")
    let definition = try sample.text.replacing("gates:", with: "corrections: \"corrections.json5\", gates:")
    try folder.file("sample-nasr.json5").put(definition)
  }

  private func run(_ corrections: String) throws -> Program.Ending {
    try folder.file("corrections.json5").put(corrections)
    return try Program().run([
      "run", "sample-nasr", "--cycle", "2304", "--from", "samples", "--pipelines", folder.url.path, "--work",
      folder.file("work").path,
    ])
  }

  private func elevation() throws -> Double? {
    let file = folder.file("work/build/2304/sample-nasr/aviation.sqlite")
    return try SQLiteConnection(file.path, mode: .readOnly)
      .prepare("SELECT elevation FROM airports WHERE icao = 'KPAO'").map { $0.double(0) }.first
  }

  @Test func `a run corrects, warns, and builds again only after a change of the corrections`() throws {
    let used =
      "{ table: \"APT_BASE\", row: { ARPT_ID: \"PAO\" }, column: \"ELEV\", faa: \"6.8\", right: \"7.5\", why: \"x\" }"
    let lost = used.replacing("PAO", with: "NIL")
    let first = try run("[\(used), \(lost)]").expect(0)
    #expect(
      first.errors.contains(
        "sample-nasr/aviation: warning: APT_BASE with ARPT_ID NIL: ELEV is not corrected: "))
    #expect(!first.errors.contains("warning: APT_BASE with ARPT_ID PAO"))
    #expect(try elevation() == 7.5)
    let report = try folder.file("work/site/cycles/2304/report.html").text
    #expect(report.contains("2 corrections, 1 used"))
    let problems = folder.file("work/build/2304/sample-nasr/aviation.problems.json")
    #expect(try problems.text.contains("\"ending\" : \"unused\""))
    let again = try run("[\(used), \(lost)] // nothing new")
    #expect(again.errors.contains("sample-nasr/aviation: up to date"), "\(again.errors)")
    #expect(try run("[\(used.replacing("7.5", with: "7.6"))]").status == 0)
    #expect(try elevation() == 7.6)
  }

  @Test func `a run with an unusable correction fails and names it`() throws {
    let ending = try run(
      "[{ table: \"APT_BASE\", row: { ARPT_ID: \"PAO\" }, column: \"ELEV\", faa: \"6.8\", right: \"9999999\", why: \"x\" }]"
    )
    #expect(ending.status != 0)
    #expect(
      ending.errors.contains(
        "APT_BASE with ARPT_ID PAO: ELEV cannot be corrected to \"9999999\": it is out of range"),
      "\(ending.errors)")
    #expect(!folder.file("work/site/catalog.json").exists)
  }

  @Test func `refuses an invalid list of corrections before it builds`() throws {
    try run("[{ table: \"APT_BASE\" }]").expect(3, "the key `[0].row` is missing")
    #expect(try files(below: folder.url) == ["corrections.json5", "sample-nasr.json5"])
  }
}
