import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Compares `docs/schemas/definition.schema.json`, which editors use, with what the program reads.
struct DefinitionSchemaTests {
  private static let pipelines = repositoryRoot.appending(path: "pipelines")
  private static let names = pipelines.names.filter { $0.hasSuffix(".json5") }
  private let definitions: [String: Any]

  init() throws {
    let file = repositoryRoot.appending(path: "docs/schemas/definition.schema.json")
    let schema = try #require(try JSONSerialization.jsonObject(with: file.data) as? [String: Any])
    definitions = try #require(schema["$defs"] as? [String: Any])
  }

  private func part(_ name: String) throws -> [String: Any] {
    try #require(definitions[name] as? [String: Any], "\(name)")
  }

  private func keys(_ name: String) throws -> Set<String> {
    Set(try #require(part(name)["properties"] as? [String: Any], "\(name)").keys)
  }

  /// The values of a key, or of the elements of its list.
  private func values(_ name: String, _ key: String?) throws -> Set<String> {
    var schema = try part(name)
    if let key {
      let properties = try #require(schema["properties"] as? [String: Any])
      schema = try #require(properties[key] as? [String: Any], "\(name).\(key)")
    }
    if let items = schema["items"] as? [String: Any] { schema = items }
    return Set(try #require(schema["enum"] as? [String], "\(name).\(key ?? "")"))
  }

  @Test func `lists the keys that the program reads`() throws {
    func expect<Key: DefinitionKey>(_ name: String, _ key: Key.Type) throws {
      let isKind = PipelineLibrary.kinds.contains { $0.kind == name }
      let others = isKind ? [JSON5.kindKey, JSON5.schemaKey] : []
      #expect(try keys(name) == Set(key.allCases.map(\.stringValue) + others), "\(name)")
    }
    try expect("charts", ChartFamily.CodingKeys.self)
    try expect("chart", ChartDefinition.CodingKeys.self)
    try expect("chartGates", ChartFamily.Gates.CodingKeys.self)
    try expect("tiles", TileSettings.CodingKeys.self)
    try expect("mosaic", MosaicDefinition.CodingKeys.self)
    try expect("raster", RasterFamily.CodingKeys.self)
    try expect("image", RasterDefinition.CodingKeys.self)
    try expect("rasterTiles", RasterTiles.CodingKeys.self)
    try expect("nasr", NASRDefinition.CodingKeys.self)
    try expect("nasrPart", NASRDefinition.Part.CodingKeys.self)
    try expect("obstacles", ObstacleDefinition.CodingKeys.self)
    try expect("plates", PlatesDefinition.CodingKeys.self)
    try expect("cifp", ProceduresDefinition.CodingKeys.self)
    try expect("cifpPart", ProceduresDefinition.Part.CodingKeys.self)
    try expect("databaseGates", DatabaseGates.CodingKeys.self)
    try expect("export", ExportDefinition.CodingKeys.self)
    try expect("supplement", ExportDefinition.Supplement.CodingKeys.self)
    try expect("tfr", TFRDefinition.CodingKeys.self)
    try expect("weather", WeatherDefinition.CodingKeys.self)
    try expect("correction", Correction.CodingKeys.self)
    try expect("knownAirport", KnownAirport.CodingKeys.self)
  }

  @Test func `lists the values that the program accepts`() throws {
    func expect<Value: CaseIterable & RawRepresentable<String>>(
      _ name: String, _ key: String?, _ type: Value.Type
    ) throws {
      #expect(try values(name, key) == Set(type.allCases.map(\.rawValue)), "\(name)")
    }
    try expect("charts", "seam", ChartFamily.Seam.self)
    try expect("charts", "fit", ChartFamily.Fit.self)
    try expect("charts", "symbols", Product.Symbol.self)
    try expect("tileFormat", nil, TileSettings.Format.self)
    try expect("archives", nil, TileSettings.Archive.self)
    try expect("mosaic", "order", MosaicDefinition.Order.self)
    try expect("export", "format", ExportDefinition.Format.self)
    let cadences = try Schedule.cadences.map { try JSONEncoder().encode($0).decoded(String.self) }
    #expect(try values("cadence", nil) == Set(cadences))
  }

  @Test(.enabled(if: SchemaCheck.isInstalled)) func `accepts every definition of the project`() throws {
    for (schema, ending) in [
      ("corrections", Correction.ending), ("known-airports", KnownAirport.ending), ("definition", ""),
    ] {
      let names = DefinitionSchemaTests.names.filter { name in
        ending.isEmpty
          ? ![Correction.ending, KnownAirport.ending].contains(where: name.hasSuffix) : name.hasSuffix(ending)
      }
      let files = names.map { DefinitionSchemaTests.pipelines.appending(path: $0) }
      #expect(try SchemaCheck(schema).verdicts(files) == names.map { "\($0) ok" })
    }
  }

  @Test(.enabled(if: SchemaCheck.isInstalled)) func `refuses what the program refuses`() throws {
    let folder = TemporaryFolder()
    let good = DefinitionTests.good
    let faults = [
      ("name: \"test\"", "nam: \"test\""), ("\"56-day\"", "\"55-day\""), ("maxZoom: 12", "maxZoom: \"12\""),
      ("format: \"png\"", "format: \"jpg\""), ("id: \"A\", ", ""), ("column: 10 }", "column: 10, row: 5 }"),
      ("north: { row: 5 }", "masks: []"), ("size: 256", "size: 300"), ("attribution: \"FAA\",", ""),
      ("kind: \"charts\"", "kind: \"charts\", $schema: 1"),
    ]
    let files = try faults.enumerated().map { index, fault in
      let (right, wrong) = fault
      let file = folder.file("\(index).json5")
      try file.put(good.replacing(right, with: wrong))
      // The program ignores the key for editors, whatever its value is.
      if !wrong.contains(JSON5.schemaKey) {
        #expect(throws: UserError.self, "\(wrong)") { try PipelineLibrary.read(file) }
      }
      return file
    }
    let verdicts = try SchemaCheck("definition").verdicts(files)
    #expect(verdicts.count == files.count)
    for verdict in verdicts { #expect(!verdict.hasSuffix(" ok"), "\(verdict)") }
  }

  @Test func `requires the keys that the program requires`() throws {
    let folder = TemporaryFolder()
    for name in DefinitionSchemaTests.names {
      try FileManager.default.copyItem(
        at: DefinitionSchemaTests.pipelines.appending(path: name), to: folder.file(name))
    }
    let border = "border_crossing_points.csv"
    try FileManager.default.copyItem(
      at: DefinitionSchemaTests.pipelines.appending(path: border), to: folder.file(border))
    for name in ["grand-canyon", "nasr", "obstacles", "dtpp", "cifp", "tfr", "weather"] {
      let data = try DefinitionSchemaTests.pipelines.appending(path: name + ".json5").data
      guard case .object(let definition) = try JSON5.decode(JSONValue.self, from: data),
        case .string(let kind)? = definition[JSON5.kindKey]
      else {
        Issue.record("\(name) is no definition")
        continue
      }
      let required = try #require(try part(kind)["required"] as? [String])
      for key in definition.keys.sorted() {
        var other = definition
        other[key] = nil
        // An address needs the names of its file in another key.
        if !required.contains("urls") { other["urls"] = nil }
        let file = folder.file("other.json5")
        try JSONEncoder().encode(other).write(to: file)
        let isRead = (try? PipelineLibrary.read(file)) != nil
        #expect(isRead == !required.contains(key), "\(name): \(key)")
      }
    }
  }

  @Test func `a definition may name its schema at its top only`() throws {
    let folder = TemporaryFolder()
    let file = folder.file("test.json5")
    let schema = "$schema: \"../docs/schemas/definition.schema.json\", "
    try file.put(DefinitionTests.good.replacing("kind:", with: schema + "kind:"))
    #expect(try PipelineLibrary.read(file).name == "test")
    try file.put(DefinitionTests.good.replacing("minZoom:", with: schema + "minZoom:"))
    #expect(throws: UserError.self) { try PipelineLibrary.read(file) }
  }
}
