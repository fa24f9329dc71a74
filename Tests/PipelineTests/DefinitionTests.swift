import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct DefinitionTests {
  static let good = """
    {
      // a comment
      kind: "charts", name: "test", title: "Test", cadence: "56-day", attribution: "FAA",
      tiles: { minZoom: 6, maxZoom: 12, format: "png", size: 256, },
      charts: [
        { id: "A", name: "A", zip: "A.zip", tif: "A SEC.tif",
          neatline: { west: { meridian: -123 }, south: { parallel: 37 }, east: { column: 10 }, north: { row: 5 } } },
        { id: "B", name: "B", zip: "B.zip", tif: "B SEC.tif",
          neatline: { west: { meridian: -122 }, south: { parallel: 37 }, east: { column: 10 }, north: { row: 5 } } },
      ],
    }
    """
  let folder = TemporaryFolder()

  private func definition(_ text: String) throws -> any PipelineDefinition {
    let file = folder.file("test.json5")
    try file.put(text)
    return try PipelineLibrary.read(file)
  }

  @Test func `an edge can state why it cannot be measured`() throws {
    let json =
      #"{"west": {"meridian": -157}, "south": {"parallel": 68, "unmeasured": "open water"}, "#
      + #""east": {"column": 10}, "north": {"row": 5}}"#
    let neatline = try Data(json.utf8).decoded(NeatlineDefinition.self)
    #expect(neatline.outline[1] == .parallel(68) && neatline.unmeasured == [1: "open water"])
    let again = try JSONEncoder().encode(neatline).decoded(NeatlineDefinition.self)
    #expect(again == neatline)
  }

  @Test func `reads JSON5`() throws {
    let definition = try definition(Self.good)
    #expect(definition.name == "test")
    #expect(definition.items.map(\.product) == ["test/A", "test/B"])
    let family = try #require(definition as? ChartFamily)
    #expect(family.charts[0].neatline?.outline[0] == .meridian(-123))
    #expect(family.charts[1].neatline?.outline[3] == .row(5))
    #expect(family.cadence == .every56Days)
  }

  @Test func `uses defaults for missing keys`() throws {
    let text = Self.good.replacing(", size: 256", with: "").replacing(", format: \"png\"", with: "")
    let family = try #require(definition(text) as? ChartFamily)
    #expect(family.tiles.size == 256 && family.tiles.format == .png && family.tiles.archives == [.mbtiles])
    #expect(family.tiles.colors == 192 && family.tiles.tolerance == 9 && family.tiles.quality == 80)
    #expect(family.seam == .clean && family.mosaics.isEmpty && family.notCharts.isEmpty)
    let deeper = text.replacing("id: \"B\"", with: "id: \"B\", maxZoom: 13")
    let zoomed = try #require(definition(deeper) as? ChartFamily)
    #expect(zoomed.charts.map { zoomed.tiles(for: $0).maxZoom } == [12, 13])
  }

  @Test func `an item's hash covers only the keys that affect it`() throws {
    func hashes(_ text: String) throws -> [SHA256Hex] {
      try definition(text).items.map { try $0.definitionSha256() }
    }
    let before = try hashes(Self.good)
    #expect(before[0] != before[1])
    #expect(try hashes(Self.good.replacing("// a comment", with: "// another")) == before)
    let other = try hashes(Self.good.replacing("B SEC.tif", with: "C SEC.tif"))
    #expect(other[0] == before[0])
    #expect(other[1] != before[1])
    let zoomed = try hashes(Self.good.replacing("maxZoom: 12", with: "maxZoom: 11"))
    #expect(zoomed[0] != before[0])
  }

  /// A family's mosaic with these keys.
  private static func mosaics(_ keys: String) -> String {
    "mosaics: [{ id: \"M\", name: \"M\", \(keys) }], cadence:"
  }

  @Test(arguments: [
    ("maxZoom: 12,", "", "the key `tiles.maxZoom` is missing"),
    ("{ meridian: -122 }", "{ meridian: -122, row: 3 }", "`charts[1].neatline.west`: an edge is one of"),
    (
      "{ meridian: -122 }", "{ meridian: -122, unmeasurd: 'ice' }",
      "`charts[1].neatline.west.unmeasurd`: there is no"
    ),
    ("{ meridian: -122 }", "{ meridian: -122, unmeasured: ' ' }", "a reason is required"),
    ("{ meridian: -122 }", "{ longitude: -122 }", "`charts[1].neatline.west`: an edge is one of"),
    (
      "west: { meridian: -122 }",
      "outline: [{ row: 1 }, { column: 1 }, { row: 2 }], west: { meridian: -122 }",
      "`charts[1].neatline.west`: it is not allowed beside `outline`"
    ),
    ("id: \"B\"", "id: \"A\"", "the id \"A\" occurs twice"),
    ("name: \"B\"", "name: \"A\"", "the name \"A\" occurs twice"),
    ("cadence:", "mosaics: [{ id: \"M\", name: \"A\" }], cadence:", "the name \"A\" occurs twice"),
    ("id: \"B\"", "id: \"../B\"", "\"../B\" is not an id"),
    ("minZoom: 6", "minZoom: 13", "minZoom must not exceed maxZoom"),
    ("size: 256", "size: 300", "tiles.size must be 256 or 512"),
    ("size: 256", "size: 256, colors: 256", "tiles.colors must be 48 to 255"),
    ("size: 256", "size: 256, quality: 0", "tiles.quality must be 50 to 100"),
    ("\"png\"", "\"jpeg\"", "`tiles.format`"),
    (
      "cadence:", "gates: { maxMegabytes: { charts: 9 } }, cadence:",
      "gates.maxMegabytes has the keys chart and"
    ),
    ("cadence:", "gates: { maxMegabytes: { chart: 0 } }, cadence:", "each with a number above 0"),
    (
      "cadence:", "gates: { maxMegabyte: { chart: 9 } }, cadence:",
      "`gates.maxMegabyte`: there is no such key"
    ),
    ("size: 256", "size: 256, colours: 64", "`tiles.colours`: there is no such key; did you mean `colors`?"),
    ("cadence:", "mosaic: {}, cadence:", "`mosaic`: there is no such key; did you mean `mosaics`?"),
    ("cadence:", mosaics("charts: [\"C\"]"), "the mosaic \"M\" lists \"C\", which is not a chart"),
    ("cadence:", mosaics("without: [\"C\"]"), "neither a chart nor another mosaic"),
    ("cadence:", mosaics("without: [\"M\"]"), "neither a chart nor another mosaic"),
    ("cadence:", mosaics("charts: [\"A\"], without: [\"B\"]"), "has both charts and without"),
    ("cadence:", mosaics("without: [\"A\", \"B\"]"), "the mosaic \"M\" has no charts"),
    ("cadence:", mosaics("archives: []"), "the mosaic \"M\" has no archives"),
    ("cadence:", "mosaics: [{ id: \"A\", name: \"A\" }], cadence:", "the id \"A\" occurs twice"),
    ("id: \"B\"", "id: \"B\", zoom: 3", "`charts[1].zoom`: there is no such key; there are"),
    (
      "south: { parallel: 37 }", "sauth: {}, south: { parallel: 37 }",
      "`charts[0].neatline.sauth`: there is no"
    ),
    (
      "id: \"B\"", "id: \"B\", insets: [{ name: \"C\", box: [1, 2, 3, 4] }]",
      "`charts[1].insets[0].box`: there is no such key; there are name, near"
    ),
    (
      "id: \"B\"", "id: \"B\", insets: [{ name: \"C\", near: [3, 2, 1, 4] }]",
      "`charts[1].insets[0].near`: four numbers are needed: west, south, east and north"
    ),
    (
      "id: \"B\"", "id: \"B\", insets: [{ near: [1, 2, 3, 4] }]",
      "the key `charts[1].insets[0].name` is missing"
    ),
    ("cadence:", "regionSuffix: \"/TAC\", cadence:", "\"A/TAC\" is not a region id"),
    ("size: 256", "size: 256, archives: [\"pmtiles\"]", "tiles.archives must contain"),
    ("56-day", "57-day", "`cadence`"),
    ("charts: [", "charts: [[", "not valid JSON5"),
  ])
  func `an error names the key and the problem`(part: String, replacement: String, expected: String) throws {
    let fault = #expect(throws: UserError.self) {
      try definition(Self.good.replacing(part, with: replacement))
    }
    #expect(fault?.kind == .badInput)
    #expect(fault?.reason.contains(expected) == true, "\(fault?.reason ?? "")")
    #expect(fault?.path?.hasSuffix("test.json5") == true)
  }

  @Test func `an inset has an optional place`() throws {
    let text = Self.good.replacing(
      "id: \"B\"",
      with: "id: \"B\", insets: [{ name: \"C\", near: [-79.8, 30.9, -78.5, 32.2] }, { name: \"D\" }]")
    let family = try #require(definition(text) as? ChartFamily)
    let box = GeoBox(west: -79.8, south: 30.9, east: -78.5, north: 32.2)
    #expect(family.charts[1].insets == [InsetDefinition(name: "C", near: box), InsetDefinition(name: "D")])
    #expect(family.charts[0].insets == nil)
    let again = try JSONEncoder().encode(family).decoded(ChartFamily.self)
    #expect(again == family)
  }

  @Test func `the error for a missing pipeline lists the pipelines`() throws {
    _ = try definition(Self.good)
    let fault = #expect(throws: UserError.self) { try PipelineLibrary(folder: folder.url).definition("tset") }
    #expect(fault?.kind == .badCall)
    #expect(fault?.suggestion == "Did you mean test? It holds: test. Name another folder with --pipelines.")
  }

  @Test(arguments: ["tests", "tests-webp"])
  func `a definition has the name of its file, unless its path is given`(name: String) throws {
    try folder.file("tests.json5").put(Self.good)
    let library = PipelineLibrary(folder: folder.url)
    let fault = try #require(throws: UserError.self) { try library.definition(name) }
    #expect(fault.kind == .badInput && fault.path == folder.file("tests.json5").path)
    #expect(fault.message.hasSuffix("its `name` is \"test\"\n  Give the file the same name."))
    #expect(try library.definition(folder.file("tests.json5").path).name == "test")
  }

  @Test func `filters a plan and divides it into shards`() throws {
    let plan = try BuildPlan([definition(Self.good)])
    #expect(plan.items.map(\.product) == ["test/A", "test/B"])
    #expect(try plan.only(["B"]).items.map(\.id) == ["B"])
    #expect(try plan.only(["test/A"]).items.map(\.id) == ["A"])
    #expect(plan.shard(["test/B"]).items.map(\.id) == ["B"])
    #expect(plan.shard([]).items.isEmpty)
    try expectFault(message: "no chart or database has the id \"C\"") { try plan.only(["C"]) }
  }

  @Test func `rejects two charts with the same region id in a run`() throws {
    func plan(_ first: String, _ second: String) throws -> BuildPlan {
      try BuildPlan([
        definition(Self.good.replacing("cadence:", with: "\(first) cadence:")),
        definition(
          Self.good.replacing("name: \"test\"", with: "name: \"other\"")
            .replacing("cadence:", with: "\(second) cadence:")),
      ])
    }
    let fault = try #require(throws: UserError.self) { try plan("", "") }
    #expect(fault.reason == "test/A and other/A both have the region id \"A\"")
    #expect(fault.suggestion == "Give one of them another `regionSuffix`.")
    _ = try plan("", "regionSuffix: \"_TAC\",")
    let cased = try #require(throws: UserError.self) {
      try plan("regionSuffix: \"_x\",", "regionSuffix: \"_X\",")
    }
    #expect(cased.reason.hasSuffix("differ in case only"))
  }

  @Test func `other forms of a chart have no region id`() throws {
    for (part, other) in [("\"png\"", "\"webp\""), ("size: 256", "size: 512")] {
      let one = try definition(Self.good)
      let two = try definition(
        Self.good.replacing("name: \"test\"", with: "name: \"other\"").replacing(part, with: other))
      _ = try BuildPlan([one, two])
    }
  }

  private static let exporting = """
    { kind: "nasr", name: "n", title: "", cadence: "28-day", id: "aviation", sources: [],
      gates: { droppedRowShare: 0.1, minimumRows: {} },
      exports: [{ id: "airports", format: "rzflight", title: "A", world: ["w.zip"] },
        { id: "map", format: "geojson", title: "M" }] }
    """

  @Test func `an export includes its database`() throws {
    let plan = try BuildPlan([definition(Self.exporting)])
    #expect(plan.items.map(\.product) == ["n/aviation", "n/airports", "n/map"])
    #expect(try plan.only(["map"]).items.map(\.id) == ["aviation", "map"])
    #expect(try plan.only(["aviation"]).items.map(\.id) == ["aviation"])
    #expect(plan.units.map { $0.map(\.id) } == [["aviation", "airports", "map"]])
    #expect(plan.joined.isEmpty)
    let hashes = try plan.items.map { try $0.definitionSha256() }
    #expect(Set(hashes).count == 3)
    let changed = try BuildPlan([definition(Self.exporting.replacing("\"M\"", with: "\"N\""))])
    let other = try changed.items.map { try $0.definitionSha256() }
    #expect(zip(hashes, other).map { $0 == $1 } == [true, true, false], "only what changed is made again")
  }

  @Test func `a part of a database takes precedence over a product of the same name`() throws {
    let text = Self.exporting.replacing(
      "sources: []",
      with: """
        sources: ["a.zip"], classAirspace: ["c.zip"], urls: { "a.zip": "https://x.org/a.zip" },
          parts: { airports: { tables: ["runways"], sources: ["b.zip"] }, areas: { tables: ["airspaces"] } }
        """)
    let plan = try BuildPlan([definition(text)])
    let part = try plan.only(["airports"])
    #expect(part.items.map(\.product) == ["n/aviation"])
    let small = try #require(part.items[0] as? NASRItem).definition
    #expect(small.tables == ["runways"] && small.sources == ["b.zip"])
    #expect(small.classAirspace == nil && small.parts == nil)
    #expect(try part.items[0].definitionSha256() != plan.items[0].definitionSha256())
    // That there are parts changes nothing of the whole.
    let plain = try BuildPlan([definition(text.replacing(/parts: .*\n/, with: "\n"))])
    #expect(try plain.items[0].definitionSha256() == plan.items[0].definitionSha256())
    // The product of the same name has a longer one.
    #expect(try plan.only(["n/airports"]).items.map(\.id) == ["aviation", "airports"])
    let areas = try #require(plan.only(["areas"]).items[0] as? NASRItem).definition
    #expect(areas.classAirspace == ["c.zip"] && areas.sources == ["a.zip"])
    try expectFault(message: "airports and areas are both made as n/aviation") {
      try plan.only(["airports", "areas"])
    }
    let unknown = #expect(throws: UserError.self) { try plan.only(["airport"]) }
    #expect(unknown?.suggestion == "Did you mean airports? Known ids: airports, areas, aviation, map.")
  }

  @Test(arguments: [
    ("format: \"geojson\"", "format: \"kml\"", "`exports[1].format`"),
    ("title: \"M\"", "title: \"M\", worlds: []", "did you mean `world`?"),
    ("title: \"M\"", "title: \"M\", world: []", "only the FAA's data"),
    ("title: \"M\"", "title: \"M\", airports: [\"KPAO\"]", "only the format rzflight accepts it"),
    ("title: \"A\"", "title: \"A\", airports: []", "`exports[0].airports`: it is empty"),
    ("title: \"A\"", "title: \"A\", supplements: []", "`exports[0].supplements`: it is empty"),
    (
      "title: \"A\"",
      "title: \"A\", supplements: [{ name: \"ourairports\", source: \"S\", licence: \"L\", files: [\"f\"] }]",
      "another source has it"
    ),
    (
      "title: \"A\"",
      "title: \"A\", supplements: [{ name: \"s\", source: \"\", licence: \"L\", files: [\"f\"] }]",
      "s needs a source, a licence, and either files or a table"
    ),
    (
      "title: \"A\"",
      "title: \"A\", supplements: [{ name: \"s\", source: \"S\", license: \"L\", files: [\"f\"] }]",
      "did you mean `licence`?"
    ),
    ("title: \"A\"", "title: \"A\", continents: [\"Europe\"]", "\"Europe\" is not a continent"),
    ("\"rzflight\", title: \"A\", world: [\"w.zip\"]", "\"geojson\", title: \"A\"", "the same names"),
    ("id: \"map\"", "id: \"aviation\"", "occurs twice"),
    (
      "sources: []", "sources: [], classAirspaces: []",
      "`classAirspaces`: there is no such key; did you mean `classAirspace`?"
    ),
    ("sources: []", "sources: [], obstacles: [\"DOF.CSV\"]", "`obstacles`: there is no such key"),
    ("minimumRows: {}", "minimumRows: {}, rowLos: {}", "`gates.rowLos`: there is no such key"),
  ])
  func `rejects an invalid database definition`(part: String, replacement: String, expected: String) throws {
    try expectFault(expected) { try definition(Self.exporting.replacing(part, with: replacement)) }
  }

  private static let obstacles = """
    { kind: "obstacles", name: "o", title: "T", cadence: "28-day", id: "obstacles", sources: ["DOF.CSV"],
      urls: { "DOF.CSV": "https://x.org/{name}" }, exports: [{ id: "map", format: "geojson", title: "M" }],
      gates: { droppedRowShare: 0.1, minimumRows: {} } }
    """

  @Test func `obstacles are a database with an export, and a new address or title keeps their hash`() throws {
    let plan = try BuildPlan([definition(Self.obstacles)])
    #expect(plan.items.map(\.product) == ["o/obstacles", "o/map"])
    #expect(plan.units.map { $0.map(\.id) } == [["obstacles", "map"]] && plan.carryingRawTables == nil)
    let moved = try BuildPlan([
      definition(Self.obstacles.replacing("x.org", with: "y.org").replacing("\"M\"", with: "\"N\""))
    ])
    #expect(try moved.items[0].definitionSha256() == plan.items[0].definitionSha256())
    #expect(try moved.items[1].definitionSha256() != plan.items[1].definitionSha256())
  }

  @Test(arguments: [
    (
      "format: \"geojson\"", "format: \"rzflight\"",
      "obstacles are exported as geojson, vectortiles or obstacles only"
    ),
    ("sources:", "classAirspace: [], sources:", "`classAirspace`: there is no such key"),
    (
      "\"DOF.CSV\": \"https", "\"DOF.ZIP\": \"https",
      "urls has \"DOF.ZIP\", which is not the name of a source"
    ),
    ("id: \"map\"", "id: \"obstacles\"", "occurs twice"),
  ])
  func `rejects an invalid obstacle definition`(part: String, replacement: String, expected: String) throws {
    try expectFault(expected) { try definition(Self.obstacles.replacing(part, with: replacement)) }
  }

  @Test func `names of the subscription contain the cycle's date`() throws {
    let text = """
      { kind: "nasr", name: "n", title: "", cadence: "28-day", id: "aviation",
        sources: ["Sub_{date}.zip", "{day_Mon_year}_CSV.zip"], gates: { droppedRowShare: 0.1, minimumRows: {} } }
      """
    let nasr = try #require(definition(text) as? NASRDefinition)
    let cycle: AiracCycle = "2602"
    #expect(nasr.sourceNames(for: cycle) == ["Sub_2026-02-19.zip", "19_Feb_2026_CSV.zip"])
  }
}

@Suite struct PublishedNameTests {
  @Test(arguments: [
    ("Dallas-Love Inset HEL.tif", "Dallas Love Inset HEL.tif"), ("Balt-Wash_Heli.zip", "balt_wash_HELI.zip"),
    ("Chicago O'Hare Inset HEL.tif", "Chicago O\u{2019}Hare Inset HEL.tif"),
    ("Chicago O'Hare Inset HEL.tif", "Chicago_O_Hare_Inset_HEL.tif"), ("Heli_files", "heli-files"),
  ])
  func `matches spellings of the same name`(name: String, other: String) {
    #expect(PublishedName.matches(name, among: [other, "Other.tif"]) { $0 } == [other])
    #expect(PublishedName.matches(other, among: [name, "Other.tif"]) { $0 } == [name])
  }

  @Test(arguments: [
    ("Denver.zip", "Denver_TAC.zip"), ("Caribbean_1_VFR.zip", "Caribbean_2_VFR.zip"), ("A.tif", "A.tiff"),
    ("U.S. Gulf Coast HEL.tif", "US Gulf Coast HEL.tif"), ("Montr\u{E9}al.zip", "Montreal.zip"),
  ])
  func `does not match other names`(name: String, other: String) {
    #expect(PublishedName.matches(name, among: [other]) { $0 }.isEmpty)
  }

  @Test func `prefers the exact name`() {
    let names = ["a b.zip", "A_B.zip", "a-b.zip"]
    #expect(PublishedName.matches("A_B.zip", among: names) { $0 } == ["A_B.zip"])
    #expect(PublishedName.matches("A B.zip", among: names) { $0 } == names)
  }
}

/// The form by which users report wrong data.
struct IssueFormTests {
  @Test func `the issue form asks for the fields of a correction`() throws {
    let file = repositoryRoot.appending(path: ".github/ISSUE_TEMPLATE/data-error.yml")
    let lines = try file.text.split(separator: "\n")
    let ids = lines.compactMap { $0.wholeMatch(of: /\ {4}id: ([a-z]+)/).map { String($0.1) } }
    #expect(ids == ["cycle", "product", "identifier", "wrong", "faa", "evidence"])
    #expect(lines.count { $0.hasSuffix("required: true") } == 5, "all but the evidence")
    for key in ["name: ", "description: ", "body:"] { #expect(lines.contains { $0.hasPrefix(key) }) }
  }
}

@Suite("Warnings of blank strips")
struct ReferenceDoubtTests {
  private static func doubts(rows: [ClosedRange<Int>], columns: [ClosedRange<Int>] = []) -> [String] {
    let blanks =
      rows.map { Product.Reference.Blank(direction: .row, first: $0.lowerBound, last: $0.upperBound) }
      + columns.map { .init(direction: .column, first: $0.lowerBound, last: $0.upperBound) }
    return Product.Reference(cell: 32, columns: 10, rows: 10, blanks: blanks).doubts
  }

  @Test func `names a single row`() throws {
    let doubts = Self.doubts(rows: [7...7])
    #expect(doubts.count == 1)
    #expect(try #require(doubts.first).hasPrefix("row 7 of its sheet has a single colour"))
  }

  @Test func `many strips give one warning for rows and one for columns`() {
    let doubts = Self.doubts(rows: (0..<300).map { 10 * $0...10 * $0 + 1 }, columns: [3...3, 9...9])
    #expect(doubts.count == 2)
    #expect(doubts[0].hasPrefix("rows 0 to 1, 10 to 11, 20 to 21, 30 to 31 and 296 more of its sheet have"))
    #expect(doubts[1].hasPrefix("columns 3 and 9 of its sheet have"))
  }

  @Test func `without strips there is no warning`() { #expect(Self.doubts(rows: []).isEmpty) }
}
