import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Places to which a site must not be published, or only with care.
struct PublishTargetTests: PublishingSuite {
  let folder = TemporaryFolder()
  private let key = SigningKey.new()

  @discardableResult
  private func publish(
    _ text: String = "1", _ change: (inout PublishOptions) -> Void = { _ in }
  ) throws -> PublishReport { try publish(site("site-\(text)", ["2612": ["a": text]]), change) }

  private func write(_ path: String) throws {
    let file = target.appending(path: path)
    try file.deletingLastPathComponent().makeFolder()
    try file.put("home")
  }

  @Test(arguments: ["index.html", "feed.xml", "style.json", "latest.json"])
  func `pages of others are not replaced`(page: String) throws {
    try write(page)
    for isDryRun in [true, false] {
      try expectFault("Chartpipe did not write its \(page)") { try publish { $0.isDryRun = isDryRun } }
    }
    #expect(try files(below: target) == [page])
  }

  @Test func `staging does not replace pages of others either`() throws {
    let sample = SampleBuild()
    try sample.site.makeFolder()
    try sample.file("index.html").put("home")
    let build = sample.build("2612")
    try expectFault("Chartpipe did not write its index.html") { try sample.stage(build) }
    #expect(try files(below: sample.site) == ["index.html"])
  }

  @Test func `a staging that was killed before the catalogue is continued`() throws {
    let sample = SampleBuild()
    try sample.chart("Seattle", shade: 7)
    try sample.stage(sample.build("2612"))
    let whole = try contents(of: sample.site)
    for file in ["catalog.json", "latest.json"] { try sample.file(file).remove() }
    try sample.stage(sample.build("2612"))
    #expect(try contents(of: sample.site) == whole)
  }

  @Test func `a build is not a site, and a site not a build`() throws {
    let sample = SampleBuild()
    try sample.chart("Seattle", shade: 7)
    let build = sample.build("2612")
    try sample.stage(build)
    let staged = try contents(of: sample.site)
    for (builds, site, problem) in [
      ([build], build, "it is the build"), ([build], build.appending(path: "site"), "or lies in it"),
      ([sample.site], folder.file("other"), "it is a staged site"),
    ] {
      let request = StageRequest(builds: builds, site: site, now: "2026-12-01")
      try expectFault(problem) { try Stager.stage(request, progress: SilentProgress()) }
    }
    #expect(try contents(of: sample.site) == staged && folder.file("other").kindOnDisk == nil)
  }

  @Test func `a folder of the build, one within it and one around the site are no targets`() throws {
    let site = try PaperSite(at: folder.file("work/site"), ["2612": ["a": "1"]]).root
    let build = folder.file("work/build")
    for (place, problem) in [("work/build", "lies in"), ("work/build/2612", "lies in")] {
      let target = PublishTarget(folder: folder.file(place))
      try expectFault(problem) { try target.checkOutside(of: build) }
    }
    try PublishTarget(folder: folder.file("work")).checkOutside(of: build)
    for place in [URL(filePath: "/"), folder.url, folder.file("work"), site] {
      #expect(throws: UserError.self, "\(place.path)") {
        try PublishTarget(folder: place).checkApart(from: site)
      }
    }
    try PublishTarget(folder: folder.file("work/sites")).checkApart(from: site)
  }

  @Test func `other files beside the first site stay`() throws {
    let others = ["robots.txt", "blobs/photo.jpg", "charts/README.md"]
    for path in others { try write(path) }
    try publish("1")
    try publish("2")
    #expect(try Set(files(below: target)).isSuperset(of: others))
  }

  @Test func `a lost catalogue is replaced under a higher serial`() throws {
    try publish("1")
    let serial = try publish("2").serial
    try target.appending(path: "catalog.json").remove()
    #expect(try publish("1").serial == serial + 1)
  }

  @Test func `the key changes only on demand, and everywhere`() throws {
    let other = try SigningKey.generate()
    try publish { $0.key = key }
    let before = try files(below: target)
    try expectFault(key.verifier.name, other.verifier.name, kind: .refused, remedy: "--new-key") {
      try publish { $0.key = other }
    }
    let report = try publish { ($0.key, $0.oldKey) = (other, key.verifier) }
    #expect(!report.changed && report.sent.count == 2)
    #expect(try files(below: target) == before)
    for path in before where path.hasSuffix(".minisig") {
      let text = try target.appending(path: path).text
      #expect(Signature(minisign: text)?.keyName == other.verifier.name, "\(path)")
    }
    #expect(try publish { $0.key = other }.isIdle)
    #expect(throws: UserError.self) { try publish("2") { $0.key = key } }
  }

  @Test func `a signed site is not published unsigned`() throws {
    let site = try PaperSite(at: folder.file("site-1"), ["2612": ["a": "1"]]).root
    try site.appending(path: "catalog.json.minisig").put("signature")
    let fault = try #require(throws: UserError.self) { try publish(site) }
    #expect(fault.reason.contains("it is signed") && target.kindOnDisk == nil)
  }

  @Test func `a mirror is not published to`() throws {
    try write(".mirror/source.json")
    #expect(
      try #require(throws: UserError.self) { try publish() }.reason.contains("a mirror of another site"))
  }

  @Test func `damaged files are reported and replaced, or only reported`() throws {
    try publish()
    let blob = try #require(try files(below: target).first { $0.hasSuffix(".mbtiles") })
    let file = target.appending(path: blob)
    let right = try file.data
    let wrong = Data(repeating: 1, count: right.count)
    try wrong.write(to: file)
    let dry = try publish { ($0.checks, $0.isDryRun) = (true, true) }
    #expect(dry.sent.map(\.path) == [blob] && dry.sent.map(\.state) == ["changed"])
    #expect(try file.data == wrong)
    let report = try publish { $0.checks = true }
    #expect(report.sent.map(\.path) == [blob] && report.text.contains("1 file"))
    #expect(try file.data == right)
    #expect(try publish { $0.checks = true }.isIdle)
  }
}
