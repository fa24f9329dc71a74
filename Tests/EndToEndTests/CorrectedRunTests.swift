import Foundation
import SQLiteIO
import TestSupport
import Testing

/// A run whose definition names corrections.
@Suite struct CorrectedRunTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let sample = repositoryRoot.appending(path: "pipelines/sample-nasr.json5")
    let definition = try String(contentsOf: sample, encoding: .utf8).replacing(
      "gates:", with: "corrections: \"corrections.json5\", gates:")
    try Data(definition.utf8).write(to: folder.file("sample-nasr.json5"))
    let columns = "sample-nasr-columns.json5"
    try FileManager.default.copyItem(
      at: repositoryRoot.appending(path: "pipelines/\(columns)"), to: folder.file(columns))
  }

  private func run(_ corrections: String) throws -> Program.Ending {
    try Data(corrections.utf8).write(to: folder.file("corrections.json5"))
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

  @Test func itCorrectsWarnsAndIsDoneAgainOnlyWhenTheyChange() throws {
    let used =
      "{ table: \"APT_BASE\", row: { ARPT_ID: \"PAO\" }, column: \"ELEV\", faa: \"6.8\", right: \"7.5\", why: \"x\" }"
    let lost = used.replacing("PAO", with: "NIL")
    let first = try run("[\(used), \(lost)]")
    #expect(first.status == 0, "\(first.errors)")
    #expect(
      first.errors.contains(
        "sample-nasr/aviation: warning: APT_BASE with ARPT_ID NIL: ELEV is not corrected: "))
    #expect(!first.errors.contains("warning: APT_BASE with ARPT_ID PAO"))
    #expect(try elevation() == 7.5)
    let report = try String(contentsOf: folder.file("work/site/cycles/2304/report.html"), encoding: .utf8)
    #expect(report.contains("2 corrections, 1 used"))
    let problems = folder.file("work/build/2304/sample-nasr/aviation.problems.json")
    #expect(try String(contentsOf: problems, encoding: .utf8).contains("\"ending\" : \"unused\""))
    let again = try run("[\(used), \(lost)] // nothing new")
    #expect(again.errors.contains("sample-nasr/aviation: up to date"), "\(again.errors)")
    #expect(try run("[\(used.replacing("7.5", with: "7.6"))]").status == 0)
    #expect(try elevation() == 7.6)
  }

  @Test func aBadListIsRefusedBeforeAnythingIsDone() throws {
    let ending = try run("[{ table: \"APT_BASE\" }]")
    #expect(ending.status == 3 && ending.errors.contains("the key `[0].row` is missing"), "\(ending.errors)")
    #expect(
      try files(below: folder.url) == ["corrections.json5", "sample-nasr-columns.json5", "sample-nasr.json5"])
  }
}
