import Core
import Foundation
import Pipeline
import Site
import TestSupport
import Testing

/// Ends the process at a file, as a power cut would.
private struct Killer: ProgressReporter {
  let file: Int

  func report(_ event: ProgressEvent) {
    guard case .advanced(_, file, _, _) = event else { return }
    kill(getpid(), SIGKILL)
  }
}

@Suite struct StageKillTests {
  /// Two archives, the report, the manifest: the catalogue would be the fifth.
  @Test(arguments: 1...4)
  func aKillLeavesTheOldCatalogueWholeAndTheNextStagingEndsTheSame(file: Int) async throws {
    let sample = try SampleBuild()
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let old = try sample.catalogue()
    try sample.chart("San_Francisco", shade: 1)
    try sample.chart("Seattle", shade: 2)
    let folder = sample.folder.url.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, file] in
      let root = URL(filePath: folder)
      let request = StageRequest(
        builds: [root.appending(path: "build/2612")], site: root.appending(path: "site"),
        now: try #require(.init("2026-12-01")))
      _ = try Stager.stage(request, progress: Killer(file: file))
    }
    #expect(try sample.catalogue() == old)
    try expectWhole(sample)
    try sample.stage(sample.build("2612"))
    try expectWhole(sample)
    #expect(try sample.catalogue().serial == 2 && sample.catalogue().products.count == 2)
    #expect(!FileManager.default.fileExists(atPath: sample.site.appending(path: ".staging").path))
    #expect(try sample.manifest("2612") == neverKilled())
  }

  @Test func whatAKilledStagingLeftInItsFolderIsCleared() throws {
    let sample = try SampleBuild()
    let left = sample.site.appending(path: ".staging/half.mbtiles")
    try FileManager.default.createDirectory(
      at: left.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data([1]).write(to: left)
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    #expect(try files(below: sample.site).allSatisfy { !$0.hasPrefix(".staging") })
  }

  @Test func aFailureHalfWayLeavesTheOldCatalogue() throws {
    let sample = try SampleBuild()
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let old = try Data(contentsOf: sample.catalogueFile)
    let report = sample.site.appending(path: "cycles/2612/report.html")
    try FileManager.default.removeItem(at: report)
    try FileManager.default.createDirectory(at: report, withIntermediateDirectories: true)
    let seattle = try sample.chart("Seattle")
    let fault = try #require(throws: UserError.self) { try sample.stage(seattle) }
    #expect(fault.kind == .failed)
    #expect(try Data(contentsOf: sample.catalogueFile) == old)
    try expectWhole(sample)
  }

  /// Everything that the catalogue names is there and is what it says.
  private func expectWhole(_ sample: SampleBuild) throws {
    let catalogue = try sample.catalogue()
    let hashes = try sample.hashes()
    for file in catalogue.products.flatMap(\.allFiles) { #expect(hashes[file.path] == file.sha256) }
    for entry in [catalogue.previous, catalogue.current, catalogue.next].compactMap(\.self) {
      #expect(hashes[entry.manifest.path] == entry.manifest.sha256)
    }
  }

  private func neverKilled() throws -> Manifest {
    let other = try SampleBuild()
    try other.chart("San_Francisco", shade: 1)
    try other.chart("Seattle", shade: 2)
    try other.stage(other.build("2612"))
    return try other.manifest("2612")
  }
}
