import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct ValidatorTests {
  @Test func `has a unique name and a reason for every rule`() {
    let names = Validator.rules.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.count > 25)
    #expect(names.allSatisfy { name in name.allSatisfy { $0.isLowercase || $0 == "-" } })
    #expect(Validator.rules.allSatisfy { $0.protects.hasSuffix(".") && !$0.protects.contains("\n") })
  }

  @Test func `scans folders in order, without hidden ones`() throws {
    let folder = try Self.buildFolder()
    try folder.file(".old").makeFolder()
    try folder.file(".old/c.mbtiles").put("junk")
    let report = try Self.validate(folder.url)
    #expect(
      report.validated.map { $0.dropFirst(folder.url.path.count) } == [
        "/charts/Bay.mbtiles", "/charts/Bay.product.json", "/nasr/aviation.sqlite",
      ])
    #expect(report.ok && report.findings.isEmpty)
  }

  @Test func `reports after each product how many files are done, and the time left`() throws {
    let folder = try Self.buildFolder()
    for path in [folder.url, folder.file("nasr/aviation.sqlite")] {
      let recorder = RecordedProgress()
      let report = try Validator().validate([path], progress: recorder)
      let counts = report.validated.count > 1 ? [2, 3] : []
      #expect(
        recorder.overall
          == counts.map { .overall(done: $0, total: 3, unit: "file", secondsLeft: $0 == 3 ? 0 : nil) })
    }
  }

  @Test func `includes the files of a product`() throws {
    let fixture = try ProductFixture()
    let report = try Self.validate(fixture.file)
    #expect(report.validated == [fixture.file.path, fixture.archive.file.path])
    let same = try Self.validate(fixture.file, fixture.archive.file, fixture.archive.folder.url)
    #expect(same.validated == report.validated)
  }

  @Test func `reports places as the user gave them`() throws {
    let fixture = try ArchiveFixture()
    try fixture.alter("DELETE FROM metadata WHERE name = 'version'")
    let name = fixture.folder.url.lastPathComponent
    let parent = URL(
      filePath: fixture.folder.url.deletingLastPathComponent().path, directoryHint: .isDirectory)
    for given in ["\(name)/Bay.mbtiles", name, "\(name)/"] {
      let findings = try Self.validate(URL(filePath: given, relativeTo: parent)).findings
      #expect(findings.map(\.where) == ["\(name)/Bay.mbtiles"])
    }
  }

  @Test(arguments: ["a.mbtiles", "a.sqlite", "a.product.json"])
  func `reports files that cannot be opened and checks the rest`(name: String) throws {
    let fixture = try ArchiveFixture()
    try fixture.folder.file(name).put("<html>Not found</html>")
    try fixture.alter("DELETE FROM metadata WHERE name = 'version'")
    let findings = try Self.validate(fixture.folder.url).findings
    #expect(Set(findings.map(\.rule)) == ["readable", "archive-metadata"])
    let unreadable = findings.filter { $0.rule == "readable" }
    #expect(unreadable.map(\.where) == [fixture.folder.file(name).path])
    #expect(unreadable.first?.message.hasPrefix("it cannot be opened: ") == true)
  }

  @Test(arguments: [1, 30, 60, 95])
  func `reports a truncated archive`(percent: Int) throws {
    let fixture = try ArchiveFixture()
    let whole = try fixture.file.data
    try whole.prefix(whole.count * percent / 100).write(to: fixture.file)
    let report = try Self.validate(fixture.file)
    #expect(!report.ok)
  }

  @Test func `rejects invalid calls`() throws {
    let folder = TemporaryFolder()
    try Data().write(to: folder.file("chart.tif"))
    #expect(Self.fault(folder.file("chart.tif"))?.kind == .badCall)
    #expect(Self.fault(folder.file("none.mbtiles"))?.reason == "there is no such file or folder")
    #expect(Self.fault(folder.url)?.kind == .badInput)
  }

  @Test func `all files without findings have one line`() throws {
    let fixture = try ProductFixture()
    let recorder = RecordedProgress()
    _ = try Validator().validate([fixture.file], progress: recorder)
    #expect(recorder.finished == ["validate: nothing found in 2 files"])
  }

  private static func buildFolder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let (product, database) = (try ProductFixture(), try DatabaseFixture())
    for (name, source) in [
      ("charts/Bay.product.json", product.file), ("charts/Bay.mbtiles", product.archive.file),
      ("nasr/aviation.sqlite", database.file),
    ] {
      let target = folder.file(name)
      try target.deletingLastPathComponent().makeFolder()
      try FileManager.default.copyItem(at: source, to: target)
    }
    try folder.file("charts/readme.txt").put("notes")
    return folder
  }

  private static func validate(_ paths: URL...) throws -> ValidationReport {
    try Validator().validate(paths, progress: SilentProgress())
  }

  private static func fault(_ path: URL) -> UserError? {
    #expect(throws: UserError.self) { try validate(path) }
  }
}
