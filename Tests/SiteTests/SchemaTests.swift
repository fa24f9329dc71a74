import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// `docs/schemas` against what staging writes, by a validator that shares nothing with this program.
@Suite(.blocking, .enabled(if: SchemaCheck.isInstalled)) struct SchemaTests {
  private let sample = SampleBuild()

  init() throws {
    let database = SampleDatabase(sample: sample)
    for cycle in ["2611", "2612"] {
      try sample.chart("Seattle", cycle: cycle, shade: cycle == "2611" ? 90 : 120)
      try database.build(cycle, ["'KPAO', 'PALO ALTO', 37.46, 1"])
      try sample.stageUnchecked(sample.build(cycle))
    }
  }

  private var manifest: URL { sample.file("cycles/2612/manifest.json") }

  @Test func `what is staged is as the schemas have it`() throws {
    #expect(try SchemaCheck("catalog").verdicts([sample.catalogueFile]) == ["catalog.json ok"])
    #expect(try SchemaCheck("manifest").verdicts([manifest]) == ["manifest.json ok"])
    let regions = sample.file("regions.json")
    #expect(try SchemaCheck("regions").verdicts([regions]) == ["regions.json ok"])
    let latest = sample.file("latest.json")
    #expect(try SchemaCheck("latest").verdicts([latest]) == ["latest.json ok"])
    let text = try regions.text
    #expect(text.contains("\"id\" : \"Seattle\""))
  }

  @Test func `a live channel is as the schema of the catalogue has it`() throws {
    let live = repositoryRoot.appending(path: "Tests/Live/live.json")
    #expect(try SchemaCheck("catalog").verdicts([live]) == ["live.json ok"])
    let text = try live.text
    let faults = [
      ("\"fetched\":\"2026", "\"fetched\":\"26"), ("\"reason\":\"expired\"", "\"why\":5"),
      ("live/", "other/"),
    ]
    try check(try faults.map { try broken(text, $0) }, against: "catalog") {
      #expect(!$0.hasSuffix(" ok"), "\($0)")
    }
  }

  @Test func `what is held back is as the schemas have it`() throws {
    try sample.chart("Miami", shade: 30)
    let broken = try sample.chart("Seattle")
    try breakTiles(
      of: sample.build("2612", "vfr-sectional").appending(path: "Seattle.mbtiles"), describedBy: broken)
    try sample.stage(sample.build("2612", "vfr-sectional"), missing: ["vfr-sectional/Denver"])
    #expect(try sample.manifest("2612").held?.count == 1 && sample.manifest("2612").kept?.count == 1)
    #expect(try SchemaCheck("catalog").verdicts([sample.catalogueFile]) == ["catalog.json ok"])
    #expect(try SchemaCheck("manifest").verdicts([manifest]) == ["manifest.json ok"])
  }

  @Test func `the fields of tomorrow are let pass`() throws {
    let catalogue = try spaced(sample.catalogueFile)
    let blob = "\"path\": \"blobs/ab/\(hash).json\", \"sha256\": \"\(hash)\", \"bytes\": 5"
    let later = [
      catalogue.replacing("\"serial\" :", with: "\"replaces\": { \(blob) }, \"tomorrow\": [], \"serial\" :"),
      catalogue.replacing(
        "\"effective\" :", with: "\"published\": \"2026-11-01T12:00:00Z\", \"effective\" :"),
      catalogue.replacing(
        "\"name\" :", with: "\"patches\": [{ \(blob), \"fromSha256\": \"\(hash)\" }], \"name\" :"),
    ]
    try check(later, against: "catalog") { #expect($0.hasSuffix(" ok"), "\($0)") }
  }

  private let hash = String(repeating: "a", count: 64)

  @Test func `a catalogue with a fault is refused`() throws {
    let good = try spaced(sample.catalogueFile)
    let faults: [(String, String)] = [
      ("chartpipe-catalog-1", "chartpipe-catalog-2"), ("\"serial\" : ", "\"serial\" : -"),
      ("\"serial\" : ", "\"serial\" : 0.5"), ("\"next\" : null,", ""), ("\"next\" : null", "\"next\" : []"),
      ("T09:01:00Z", "T09:01Z"), ("T09:01:00Z", ""), ("\"2612\"", "2612"), ("\"2612\"", "\"2615\""),
      ("\"west\" : -", "\"west\" : -9"), ("\"sha256\" : \"", "\"sha256\" : \"A"),
      ("\"path\" : \"blobs", "\"path\" : \"../blobs"),
      ("\"bytes\" : ", "\"bytes\" : -"), ("\"tool\" :", "\"program\" :"),
      ("\"maxZoom\" : 8,", ""),
      ("\"maxZoom\" : 8", "\"maxZoom\" : \"8\""), ("\"role\" : \"tiles\",", ""),
      ("\"mediaType\" : \"application/", "\"mediaType\" : \""),
      ("\"boundingBox\" :", "\"box\" :"),
      ("\"effective\" :", "\"published\": \"today\", \"effective\" :"),
      ("\"serial\" :", "\"replaces\": \"blobs/x\", \"serial\" :"),
      ("\"libraries\" : {", "\"libraries\" : { \"geos\": 3"),
      ("\"edition\" : \"2026-", "\"edition\" : \"26-"), ("\"id\" : \"vfr-sectional/", "\"id\" : \""),
    ]
    try check(try faults.map { try broken(good, $0) }, against: "catalog") {
      #expect(!$0.hasSuffix(" ok"), "\($0)")
    }
  }

  @Test func `a manifest with a fault is refused`() throws {
    let good = try text(manifest)
    let faults: [(String, String)] = [
      ("chartpipe-manifest-1", "chartpipe-catalog-1"), ("\"missing\" : [", "\"missing\" : [ 5 "),
      ("\"missing\" : [", "\"lost\" : ["), ("\"ok\" : true", "\"ok\" : false"),
      ("\"validation\" :", "\"verdict\" :"),
      ("\"version\" : \"", "\"version\" : \"v"), ("\"kind\" : \"chart\"", "\"kind\" : 1"),
      ("\"cycle\" : \"2612\"", "\"cycle\" : \"26-12\""),
      ("\"findings\" : [", "\"findings\" : [ {} "), ("\"effective\" : \"2026-", "\"effective\" : \"2026-13-"),
      ("\"missing\" :", "\"failures\": [{ \"id\": \"x\" }], \"missing\" :"),
      ("\"missing\" :", "\"problems\": { \"nasr/aviation\": { \"totals\": {} } }, \"missing\" :"),
    ]
    try check(try faults.map { try broken(good, $0) }, against: "manifest") {
      #expect(!$0.hasSuffix(" ok"), "\($0)")
    }
  }

  private func text(_ file: URL) throws -> String { try file.text }

  /// The compact JSON of a file with spaces and line breaks.
  private func spaced(_ file: URL) throws -> String {
    let value = try JSONSerialization.jsonObject(with: file.data)
    let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(
      decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self)
  }

  private func broken(_ good: String, _ fault: (String, String)) throws -> String {
    let bad = good.replacing(fault.0, with: fault.1)
    try #require(bad != good, "\(fault) is nothing that it has")
    return bad
  }

  private func check(_ texts: [String], against schema: String, _ judge: (String) -> Void) throws {
    let folder = TemporaryFolder()
    let files = (10..<10 + texts.count).map { folder.file("\($0).json") }
    for (file, text) in zip(files, texts) { try file.put(text) }
    let verdicts = try SchemaCheck(schema).verdicts(files)
    #expect(verdicts.count == texts.count)
    verdicts.forEach(judge)
  }
}
