import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Requests that staging refuses without changing the site.
@Suite(.slow) struct StageFaultTests {
  let sample = SampleBuild()

  init() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
  }

  private func expectRefusal(
    _ kind: UserError.Kind, _ problem: String, staging builds: URL...,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try sample.hashes()
    let fault = try #require(throws: UserError.self, sourceLocation: location) {
      try Stager.stage(sample.request(builds), progress: SilentProgress())
    }
    #expect(fault.kind == kind, sourceLocation: location)
    #expect(fault.reason.contains(problem), sourceLocation: location)
    #expect(fault.suggestion?.isEmpty == false, sourceLocation: location)
    let after = try sample.hashes()
    let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    #expect(changed.isEmpty, sourceLocation: location)
  }

  @Test func `refuses a single archive with an error`() throws {
    let description = try sample.chart("Seattle")
    let archive = sample.build("2612", "vfr-sectional").appending(path: "Seattle.mbtiles")
    try breakTiles(of: archive, describedBy: description)
    try expectRefusal(.refused, "validation found ", staging: description)
    #expect(!(try sample.manifest("2612").products.contains { $0.id == "vfr-sectional/Seattle" }))
  }

  @Test func `a refusal counts the errors, shows the first and suggests a command`() throws {
    _ = try sample.chart("Seattle")
    let before = try sample.hashes()
    let findings = (1...5).map {
      Finding(
        rule: "tiles-decode", severity: .error, where: "Seattle.mbtiles tile 8/1/\($0)", message: "no PNG",
        product: "vfr-sectional/Seattle")
    }
    let fault = try #require(throws: UserError.self) {
      try Stager.stage(
        sample.request([sample.build("2612")]),
        validate: { _, _ in ValidationReport(findings: findings) },
        progress: SilentProgress())
    }
    #expect(
      fault.message == """
        staging cycle 2612: validation found 5 errors
            tiles-decode: vfr-sectional/Seattle, Seattle.mbtiles tile 8/1/1: no PNG
            tiles-decode: vfr-sectional/Seattle, Seattle.mbtiles tile 8/1/2: no PNG
            tiles-decode: vfr-sectional/Seattle, Seattle.mbtiles tile 8/1/3: no PNG
            and 2 more
          Nothing was staged, and what is published stays. For details run: chartpipe validate \(sample.build("2612").path) --html report.html
            If the cycle is correct, accept what was found: --accept tiles-decode@vfr-sectional/Seattle:REASON.
        """)
    #expect(fault.kind == .refused)
    #expect(try sample.hashes() == before)
  }

  @Test func `warnings do not refuse and appear in manifest and report`() throws {
    let warning = Finding(
      rule: "size", severity: .warning, where: "San_Francisco.mbtiles", message: "8 % < usual",
      product: "vfr-sectional/San_Francisco")
    var found = warning
    found.where = "\(sample.build("2612", "vfr-sectional").path)/San_Francisco.mbtiles"
    _ = try Stager.stage(
      sample.request([sample.build("2612")]), validate: { _, _ in ValidationReport(findings: [found]) },
      progress: SilentProgress())
    #expect(
      try sample.manifest("2612").validation.findings
        == [warning])
    #expect(try sample.report().contains("Good to publish, with 1 warning"))
    #expect(try sample.report().contains("8 % &lt; usual"))
    try sample.stage(try sample.chart("Seattle"))
    #expect(try sample.manifest("2612").validation.findings.count == 1, "it stays with its product")
    try sample.stage(sample.build("2612"))
    #expect(try sample.manifest("2612").validation.findings.isEmpty)
  }

  @Test func `refuses products of two cycles`() throws {
    try sample.chart("San_Francisco", cycle: "2613")
    try expectRefusal(
      .badInput, "it is of cycle 2613, while vfr-sectional/San_Francisco is of 2612",
      staging: sample.folder.file("build"))
  }

  @Test func `refuses a duplicate id`() throws {
    let copy = sample.folder.file("copy")
    try FileManager.default.copyItem(at: sample.build("2612"), to: copy)
    try expectRefusal(
      .badInput, "vfr-sectional/San_Francisco is there twice; also in", staging: sample.build("2612"), copy)
  }

  @Test func `does not stage the intermediate files of a build`() throws {
    let cut = sample.build("2612", "cut")
    try cut.makeFolder()
    try cut.appending(path: "Seattle.mbtiles").put("x")
    try expectRefusal(.badInput, "there is no Seattle.product.json beside it", staging: sample.build("2612"))
    try cut.appending(path: "Seattle.cut.json").put("{}")
    #expect(try sample.stage(sample.build("2612")).products == 1)
  }

  @Test func `refuses to stage nothing`() throws {
    let empty = sample.folder.file("empty")
    try empty.makeFolder()
    try expectRefusal(.badInput, "there is no product", staging: empty)
    try expectRefusal(.badCall, "there is no such file or folder", staging: sample.folder.file("none"))
    try Data().write(to: empty.appending(path: "a.txt"))
    try expectRefusal(.badCall, "this kind of file is not known", staging: empty.appending(path: "a.txt"))
  }

  @Test func `refuses an archive without its description`() throws {
    let folder = sample.build("2612", "vfr-sectional")
    let stray = folder.appending(path: "Stray.mbtiles")
    try FileManager.default.copyItem(at: folder.appending(path: "San_Francisco.mbtiles"), to: stray)
    try expectRefusal(.badInput, "there is no Stray.product.json beside it", staging: sample.build("2612"))
    try expectRefusal(.badInput, "there is no Stray.product.json beside it", staging: stray)
  }

  @Test func `refuses an archive that differs from its description`() throws {
    let archive = sample.build("2612", "vfr-sectional").appending(path: "San_Francisco.mbtiles")
    let whole = try archive.data
    try whole.dropLast().write(to: archive)
    try expectRefusal(
      .badInput, "its file San_Francisco.mbtiles has \(whole.count - 1) bytes and should have \(whole.count)",
      staging: sample.build("2612"))
    try archive.remove()
    try expectRefusal(.badInput, "its file San_Francisco.mbtiles is not there", staging: sample.build("2612"))
  }

  @Test func `verifies the hash of the copy`() throws {
    let description = try sample.chart("Seattle")
    try edit(description) { $0.files[0].sha256 = $0.sources[0].sha256 }
    let before = try sample.hashes()
    try expectFault("SHA-256", kind: .badInput) { try sample.stageUnchecked(description) }
    #expect(try sample.hashes() == before)
  }

  @Test(arguments: [
    "../San_Francisco.mbtiles", "/etc/passwd", "a/../../b.mbtiles", "", "./San_Francisco.mbtiles",
  ])
  func `refuses a description with a path out of its folder`(path: String) throws {
    let description = try sample.chart("Seattle")
    try edit(description) { $0.files[0].path = path }
    try expectRefusal(.badInput, "is no path within its folder", staging: description)
  }

  @Test(arguments: [("{", "JSON"), ("{}", "`id` is missing"), ("[]", "``"), ("{\"id\": 7}", "`id`")])
  func `names the wrong key of a description`(text: String, problem: String) throws {
    let file = sample.build("2612").appending(path: "Odd.product.json")
    try file.put(text)
    try expectRefusal(.badInput, problem, staging: file)
  }

  @Test func `refuses an impossible cycle`() throws {
    let description = try sample.chart("Seattle")
    let text = try description.text.replacing("\"2612\"", with: "\"2614\"")
    try description.put(text)
    try expectRefusal(.badInput, "\"2614\" is not an AIRAC cycle", staging: description)
  }

  @Test(arguments: [
    ("", "JSON"), ("{", "JSON"), ("{}", "`format` is missing"),
    ("{\"format\": \"chartpipe-catalog-2\"}", "chartpipe-catalog-2"),
    ("{\"format\": \"chartpipe-catalog-1\"}", "`serial` is missing"),
  ])
  func `never overwrites an unreadable catalogue`(text: String, problem: String) throws {
    try sample.catalogueFile.put(text)
    try expectRefusal(.badInput, problem, staging: sample.build("2612"))
    #expect(try sample.catalogueFile.text == text)
  }

  @Test(arguments: ["{}", "a flipped bit", ""])
  func `a damaged manifest is read from its copy, and without one it is not overwritten`(text: String) throws
  {
    let file = sample.file("cycles/2612/manifest.json")
    let good = try file.text
    try file.put(text == "a flipped bit" ? good.replacing("-12-24T", with: "-12-28T") : text)
    #expect(try SiteFolder(root: sample.site).readManifests()["2612"]?.data == Data(good.utf8))
    let entry = try #require(try sample.catalogue().current)
    try sample.file(entry.manifest.path).remove()
    try expectRefusal(.badInput, "so is its copy", staging: sample.build("2612"))
    try file.put(good)
    try sample.stage(sample.build("2612"))
    #expect(try file.text == good)
  }

  @Test func `does not write a catalogue with a missing file`() throws {
    let lost = try #require(try sample.catalogue().products.first?.files.first)
    try sample.file(lost.path).remove()
    let catalogue = try sample.catalogueFile.data
    let seattle = try sample.chart("Seattle")
    try expectFault(lost.path, kind: .badInput) { try sample.stage(seattle) }
    #expect(try sample.catalogueFile.data == catalogue)
    try sample.stage(sample.build("2612"))
    #expect(try sample.catalogue().products.count == 2)
  }

  @Test func `a site that cannot be written is a failure`() throws {
    let file = sample.folder.file("file")
    try Data().write(to: file)
    let request = StageRequest(
      builds: [sample.build("2612")], site: file.appending(path: "site"), now: sample.request([]).now)
    try expectFault(kind: .failed, remedy: "name another") {
      try Stager.stage(request, progress: SilentProgress())
    }
  }

  @Test func `does not drop cycles that cannot be read`() throws {
    try sample.stage(sample.build("2612"))
    let cycles = sample.file("cycles")
    try cycles.remove()
    try cycles.put("no folder")
    let before = try sample.catalogueFile.data
    let fault = try #require(throws: UserError.self) { try sample.stage(sample.build("2612")) }
    #expect(fault.kind == .failed && fault.operation == "opening the site")
    #expect(try sample.catalogueFile.data == before)
  }

  @Test func `two runs do not stage at the same time`() throws {
    let descriptor = open(sample.site.path, O_RDONLY)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    try expectRefusal(.failed, "another chartpipe is at work in it", staging: sample.build("2612"))
    #expect(flock(descriptor, LOCK_UN) == 0)
    try sample.stage(sample.build("2612"))
  }
}

/// Ends the process at a file, like a power failure.
private struct Killer: ProgressReporter {
  let file: Int

  func report(_ event: ProgressEvent) {
    guard case .advanced(_, file, _, _) = event else { return }
    kill(getpid(), SIGKILL)
  }
}

@Suite(.blocking) struct StageKillTests {
  /// Two archives, the report, the manifest: the catalogue would be the fifth.
  @Test(arguments: 1...4)
  func `a killed run leaves the old catalogue valid, and the next run completes it`(file: Int) async throws {
    let sample = SampleBuild()
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
    #expect(!sample.file(".staging").exists)
    #expect(try sample.manifest("2612") == neverKilled())
  }

  @Test func `removes the temporary files of a killed run`() throws {
    let sample = SampleBuild()
    let left = sample.file(".staging/half.mbtiles")
    try left.deletingLastPathComponent().makeFolder()
    try Data([1]).write(to: left)
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    #expect(try files(below: sample.site).allSatisfy { !$0.hasPrefix(".staging") })
  }

  @Test func `a failed run leaves the old catalogue`() throws {
    let sample = SampleBuild()
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let old = try sample.catalogueFile.data
    let report = sample.file("cycles/2612/report.html")
    try report.remove()
    try report.makeFolder()
    let seattle = try sample.chart("Seattle")
    try expectFault(kind: .failed) { try sample.stage(seattle) }
    #expect(try sample.catalogueFile.data == old)
    try expectWhole(sample)
  }

  /// Verifies that all files named by the catalogue exist with their hashes.
  private func expectWhole(_ sample: SampleBuild) throws {
    let catalogue = try sample.catalogue()
    let hashes = try sample.hashes()
    for file in catalogue.products.flatMap(\.allFiles) { #expect(hashes[file.path] == file.sha256) }
    for entry in [catalogue.previous, catalogue.current, catalogue.next].compactMap(\.self) {
      #expect(hashes[entry.manifest.path] == entry.manifest.sha256)
    }
  }

  private func neverKilled() throws -> Manifest {
    let other = SampleBuild()
    try other.chart("San_Francisco", shade: 1)
    try other.chart("Seattle", shade: 2)
    try other.stage(other.build("2612"))
    return try other.manifest("2612")
  }
}
