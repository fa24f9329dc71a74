import Foundation
import TestSupport
import Testing

/// The sample cycle's own catalogue and manifest against the schemas: charts with their cuts, databases with their problems.
@Suite(.enabled(if: SchemaCheck.isThere)) struct PublishedSchemaTests {
  @Test(arguments: [("catalog", "catalog.json"), ("manifest", "cycles/2304/manifest.json")])
  func whatARunStagesIsAsTheSchemaHasIt(schema: String, path: String) throws {
    let file = try SampleCycleTests.flight.get().file("site").appending(path: path)
    #expect(try SchemaCheck(schema).verdicts([file]) == ["\(file.lastPathComponent) ok"])
  }
}
