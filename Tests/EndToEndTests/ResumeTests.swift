import CryptoIO
import Foundation
import TestSupport
import Testing

/// The same inputs give the same bytes: at any number of workers, and however often a run was killed on the way.
@Suite struct ResumeTests {
  private static let pipelines = [samplesFolder.appending(path: "broken/tiny.json5").path, "sample-nasr"]

  /// The sources of a small cycle: a tiny chart, and the sample's NASR subscription and obstacles.
  private func sources() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for path in [
      "broken/good/Tiny.zip", "nasr/28DaySubscription_Effective_2023-04-20.zip", "obstacles/DOF.CSV",
    ] {
      let file = samplesFolder.appending(path: path)
      try FileManager.default.copyItem(at: file, to: folder.file(file.lastPathComponent))
    }
    return folder
  }

  private func arguments(_ sources: TemporaryFolder, _ work: TemporaryFolder, jobs: Int) -> [String] {
    ["run"] + Self.pipelines + [
      "--cycle", "2304", "--from", sources.url.path, "--work", work.url.path, "--jobs", String(jobs),
      "--quiet",
    ]
  }

  /// Path and SHA-256 of all that a run is for. The journal tells times, so it is no part of it.
  private func fingerprint(_ work: TemporaryFolder) throws -> [String] {
    try ["build", "site"].flatMap { folder in
      try files(below: work.file(folder)).map { path in
        let file = work.file(folder).appending(path: path)
        return "\(folder)/\(path) \(try SHA256Hex(ofFile: file).text)"
      }
    }
  }

  private func finishedRun(_ sources: TemporaryFolder, jobs: Int) throws -> TemporaryFolder {
    let work = try TemporaryFolder()
    let ending = try Program().run(arguments(sources, work, jobs: jobs))
    try #require(ending.status == 0, "\(ending.errors)")
    return work
  }

  @Test func oneWorkerAndFourMakeTheSameBytes() throws {
    let sources = try sources()
    let one = try fingerprint(finishedRun(sources, jobs: 1))
    let four = try fingerprint(finishedRun(sources, jobs: 4))
    #expect(one == four)
    #expect(one.contains { $0.hasPrefix("build/2304/tiny/Tiny.mbtiles ") })
    #expect(one.contains { $0.hasPrefix("site/catalog.json ") })
  }

  /// What appears one after the other in a run; it is killed as soon as each is there.
  private static let killPoints = [
    "scratch", "build/2304/tiny/Tiny.mbtiles", "build/2304/tiny/Tiny.product.json", "journal/2304.jsonl",
    "build/2304/sample-nasr/aviation.sqlite", "site/.staging", "site/blobs", "site/cycles/2304/manifest.json",
    "site/catalog.json",
  ]

  @Test func aRunThatIsKilledAgainAndAgainEndsWithTheSameBytes() throws {
    let sources = try sources()
    let reference = try fingerprint(finishedRun(sources, jobs: 2))
    let work = try TemporaryFolder()
    var kills = 0
    for point in Self.killPoints {
      let ending = try Program().run(
        arguments(sources, work, jobs: 2), stopWhenExists: work.file(point))
      kills += ending.wasKilled ? 1 : 0
      try expectOnlyWholeFiles(in: work)
    }
    let last = try Program().run(arguments(sources, work, jobs: 2))
    #expect(last.status == 0, "\(last.errors)")
    #expect(kills >= 2, "the run was too quick to be killed: \(kills)")
    #expect(try fingerprint(work) == reference)
    #expect(try files(below: work.url).allSatisfy { !$0.contains("scratch/") && !$0.contains(".staging") })
  }

  @Test func aSecondRunDoesNothing() throws {
    let sources = try sources()
    let work = try finishedRun(sources, jobs: 2)
    let before = try fingerprint(work)
    let again = try Program().run(arguments(sources, work, jobs: 2).filter { $0 != "--quiet" })
    #expect(again.errors.contains("tiny/Tiny: up to date"), "\(again.errors)")
    #expect(try fingerprint(work) == before)
  }

  @Test func ctrlCStopsTheRunAndLeavesNothingHalfWritten() throws {
    let work = try TemporaryFolder()
    // Far more zooms than anyone wants: there is time to interrupt it, however busy the machine.
    let definitions = try TemporaryFolder()
    let terminal = try String(
      contentsOf: repositoryRoot.appending(path: "pipelines/sample-terminal.json5"), encoding: .utf8)
    try terminal.replacing("maxZoom: 13", with: "maxZoom: 18")
      .write(to: definitions.file("sample-terminal.json5"), atomically: true, encoding: .utf8)
    let ending = try Program().run(
      [
        "run", "sample-terminal", "--cycle", "2304", "--from", "samples", "--work", work.url.path, "--quiet",
        "--pipelines", definitions.url.path,
      ],
      stopWhenExists: work.file("scratch"), signal: SIGINT)
    #expect(ending.status == 130)
    #expect(!ending.wasKilled)
    #expect(ending.errors.contains("stopped"), "\(ending.errors)")
    #expect(try files(below: work.url).isEmpty)
  }

  /// What a product's description vouches for is there and is whole, and a blob is what its name says.
  private func expectOnlyWholeFiles(in work: TemporaryFolder) throws {
    for path in try files(below: work.url) where !path.hasPrefix("scratch/") && !path.contains(".staging/") {
      let file = work.file(path)
      if path.hasSuffix(".json") {
        _ = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
      } else if path.contains("/blobs/") {
        let name = file.deletingPathExtension().lastPathComponent
        #expect(try SHA256Hex(ofFile: file).text == name)
      }
    }
  }
}
