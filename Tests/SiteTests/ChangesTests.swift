import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The changes of a database since the previous cycle in the site.
@Suite struct ChangesTests {
  let sample = SampleBuild()
  let database: SampleDatabase

  init() throws { database = SampleDatabase(sample: sample) }

  private func file(_ name: String, _ cycle: String = "2612") -> URL {
    sample.file("cycles/\(cycle)/\(name)")
  }

  private func stageTwo() throws {
    try database.build(
      "2611", ["'KPAO', 'PALO ALTO', 37.4, 1", "'KHAF', 'HALF MOON', 37.5, 0", "'X1', 'GONE', 40, 0"])
    try sample.stageUnchecked(sample.build("2611"))
    try database.build(
      "2612", ["'KPAO', 'PALO <ALTO>', 37.4, 1", "'KHAF', 'HALF MOON', 37.6, 0", "'CA1', 'NEW', 40, 0"])
    try sample.stageUnchecked(sample.build("2612"))
  }

  @Test func `the report shows changes and links to all of them`() throws {
    try stageTwo()
    let page = try sample.report()
    for fact in [
      "<h4>Changes 2611 → 2612</h4>", "<summary>Opened <small>1</small></summary>",
      "<summary>Closed <small>1</small></summary>", "<summary>Renamed <small>1</small></summary>",
      "<summary>Moved <small>1</small></summary>", "<strong>KPAO</strong> PALO &lt;ALTO&gt;",
      "name PALO ALTO → PALO &lt;ALTO&gt;", "<a href=\"changes.html\">",
    ] { #expect(page.contains(fact), "\(fact)") }
    let all = try file("changes.html").text
    #expect(all.contains("Changes of cycle 2611 → 2612") && all.contains("CA1"))
    let json = try JSONSerialization.jsonObject(with: file("changes.json").data)
    let difference = try #require(json as? [String: Any])
    #expect(difference["format"] as? String == "chartpipe-diff-1")
    #expect((difference["airports"] as? [Any])?.count == 4)
  }

  /// The pages do not contain the site's folder.
  @Test func `changes name files by their paths in the site`() throws {
    try stageTwo()
    let product = try #require(try sample.manifest("2612").products.first)
    for name in ["changes.html", "changes.json"] {
      let text = try file(name).text.replacing("\\/", with: "/")
      #expect(text.contains(product.files[0].path) && !text.contains(sample.site.path))
    }
  }

  @Test func `compares with the latest earlier cycle in the site`() throws {
    for cycle in ["2609", "2610"] {
      try database.build(cycle, ["'K\(cycle)', 'A', 37, 0"])
      try sample.stageUnchecked(sample.build(cycle))
    }
    try database.build("2612", ["'KPAO', 'A', 37, 0"])
    try sample.stageUnchecked(sample.build("2612"))
    #expect(try sample.report().contains("<h4>Changes 2610 → 2612</h4>"))
    #expect(!file("changes.html", "2609").exists)
  }

  @Test func `keeps the changes of a retained database`() throws {
    try stageTwo()
    let before = try file("changes.json").data
    try sample.stage(try sample.chart("San_Francisco"))
    #expect(try sample.report().contains("<summary>Opened <small>1</small></summary>"))
    #expect(try file("changes.json").data == before)
  }

  @Test func `warns about a failed comparison and continues`() throws {
    try stageTwo()
    let old = try #require(try sample.manifest("2611").products.first?.files.first)
    try Data(count: old.bytes).write(to: sample.file(old.path))
    let progress = RecordedProgress()
    try sample.stageUnchecked(sample.build("2612"), progress: progress)
    #expect(try sample.report().contains("They could not be compared: "))
    #expect(!file("changes.html").exists)
    #expect(progress.warnings.contains { $0.contains("the changes cannot be listed") })
  }

  @Test func `two databases have separate pages`() throws {
    try stageTwo()
    for (cycle, name) in [("2611", "A"), ("2612", "B")] {
      let description = try database.build(cycle, ["'KPAO', '\(name)', 37, 0"])
      try edit(description) { $0.id = "nasr west/aviation" }
      try sample.stageUnchecked(description)
    }
    let page = try sample.report()
    #expect(page.contains("changes-nasr-aviation.html") && page.contains("changes-nasr-west-aviation.html"))
    #expect(file("changes-nasr-west-aviation.json").exists)
    #expect(!file("changes.html").exists)
  }
}

/// The problems of the FAA's data, from the build to the report.
@Suite struct StagedProblemTests {
  let sample = SampleBuild()
  let database: SampleDatabase

  init() throws { database = SampleDatabase(sample: sample) }

  private static let problems = """
    {"tables": [{"file": "APT_BASE.csv", "rows": 10, "droppedRows": 2}],
     "counts": [{"kind": "fieldDropped", "file": "APT_BASE.csv", "column": "ELEV", "count": 7},
                {"kind": "rowDropped", "file": "APT_BASE.csv", "count": 2}],
     "examples": [{"kind": "rowDropped", "file": "APT_BASE.csv", "line": 12, "value": "<x>", "reason": "no position"}],
     "corrections": [{"ending": "unused", "correction": {"table": "APT_BASE", "row": {"ARPT_ID": "NIL"},
       "column": "ELEV", "faa": "6.8", "right": "7.5", "why": "survey"}}]}
    """

  @Test func `problems stay in manifest and report with their database`() throws {
    try database.build("2612", ["'KPAO', 'A', 37, 0"], problems: Self.problems)
    try sample.stageUnchecked(sample.build("2612"))
    try sample.stage(try sample.chart("San_Francisco"))
    let digest = try #require(try sample.manifest("2612").problems?["nasr/aviation"])
    #expect(digest.totals == ["fieldDropped": 7, "rowDropped": 2])
    #expect(digest.sorts.map(\.kind) == ["rowDropped", "fieldDropped"])
    #expect(digest.sorts.first?.example == "line 12: no position (<x>)")
    #expect(digest.corrections.map(\.ending) == ["unused"])
    let page = try sample.report()
    for fact in [
      "<li>2 rows dropped</li>", "<li>7 fields left empty</li>",
      "for example line 12: no position (&lt;x&gt;)",
      "<summary>1 correction, 0 used</summary>", "<strong>Not used:</strong> APT_BASE with ARPT_ID NIL",
    ] { #expect(page.contains(fact), "\(fact)") }
  }

  @Test func `shows no problems when the build recorded none`() throws {
    try database.build("2612", ["'KPAO', 'A', 37, 0"], problems: "no JSON")
    try sample.stageUnchecked(sample.build("2612"))
    #expect(try sample.manifest("2612").problems == nil)
    #expect(try !sample.report().contains("could not be used as it is"))
  }
}
