import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

import struct ChartpipeClient.ChartRegion

@testable import ChartpipeKit

/// A mirror is the same site, byte for byte, or unchanged.
@Suite(.blocking, .slow) struct MirrorTests {
  private let sample = SampleBuild()
  private let key = SigningKey.new()
  private var mirror: URL { sample.folder.file("mirror") }

  init() throws {
    try sample.chart("Seattle", cycle: "2611", shade: 90)
    try stage("2611")
    try sample.chart("Seattle", shade: 120)
    try sample.chart("San_Francisco")
    try stage("2612")
  }

  private func stage(_ cycle: String, key: SigningKey? = nil) throws {
    var request = sample.request([sample.build(cycle)])
    request.key = key ?? self.key
    _ = try Stager.stage(request, progress: SilentProgress())
  }

  /// All of the site's files but the lists of regions and of pages of catalogues before its own.
  private func site() throws -> [String: Data] {
    let lists = try contents(sample.site).filter { path, data in
      path.hasPrefix("blobs/")
        && ((try? data.decoded([ChartRegion].self)) != nil || (try? data.decoded(PageList.self)) != nil)
    }
    let own = try [sample.catalogue().regions?.path, sample.catalogue().pages?.path]
    return try contents(sample.site).filter { lists[$0.key] == nil || own.contains($0.key) }
  }

  @discardableResult
  private func bring(
    _ source: PublishedSite? = nil, into folder: URL? = nil, by verifier: PublicKey? = nil,
    isSigned: Bool = true, checks: Bool = false, keepsOld: Bool = false,
    progress: any ProgressReporter = SilentProgress()
  ) throws -> SiteMirror.Outcome {
    let mirroring = SiteMirror(
      source: source ?? sample.published, folder: folder ?? mirror,
      verifier: isSigned ? verifier ?? key.verifier : nil, checks: checks, keepsOld: keepsOld,
      now: "2026-12-01T12:00:00Z")
    return try mirroring.run(progress: progress)
  }

  private func web(_ server: TestServer) throws -> PublishedSite {
    try #require(PublishedSite(address: server.url, retry: .patient(attempts: 2)))
  }

  /// All that the mirror has, by path; the signature under the catalogue's hash and the note of its source are its own.
  private func contents(_ folder: URL) throws -> [String: Data] {
    try fileContents(below: folder).filter { path, _ in
      !path.hasPrefix("signatures/") && path != ".mirror/source.json"
    }
  }

  private func expectSame() throws {
    #expect(try contents(mirror) == site())
    let data = try sample.catalogueFile.data
    let signature = mirror.appending(path: "signatures/\(try SHA256Hex(of: Array(data))).minisig")
    #expect(try signature.data == sample.file("catalog.json.minisig").data)
  }

  private func blobs() throws -> [String] { try sample.catalogue().products.flatMap(\.files).map(\.path) }

  @Test func `a mirror has the same bytes, from a folder and over HTTP`() throws {
    let first = try bring()
    try expectSame()
    #expect(first.serial == 2 && first.cycles == ["2611", "2612"] && first.files == 3)
    #expect(first.copied == 3 && first.copiedBytes == first.bytes && first.removed == 0)
    #expect(first.key == key.verifier.name && first.isProved)
    let again = try bring()
    #expect(again.copied == 0 && again.removed == 0)
    let server = try TestServer(serving: mirror)
    let second = sample.folder.file("second")
    _ = try bring(try web(server), into: second)
    #expect(try contents(second) == site())
    server.clearLog()
    #expect(try bring(try web(server), into: second).copied == 0)
    #expect(server.requests.allSatisfy { !$0.path.hasSuffix(".mbtiles") && !$0.path.hasSuffix(".html") })
  }

  @Test func `only new files are copied, and unreferenced ones are removed after the flip`() throws {
    _ = try bring()
    let old = try Set(blobs())
    try sample.chart("Seattle", shade: 7)
    try stage("2612")
    let removed = old.subtracting(try blobs())
    #expect(removed.count == 1)
    let kept = try bring(keepsOld: true)
    #expect(kept.copied == 1 && kept.removed == 0)
    #expect(try removed.isSubset(of: Set(files(below: mirror))))
    // The chart, its manifest, the lists of regions and of pages, the old signature.
    #expect(try bring().removed == 5)
    #expect(try removed.isDisjoint(with: Set(files(below: mirror))))
    try expectNamed()
  }

  /// Nothing but what the catalogue names, in the source's bytes.
  private func expectNamed() throws {
    let source = try contents(sample.site)
    for (path, data) in try contents(mirror) { #expect(source[path] == data, "\(path)") }
  }

  @Test func `the replaced catalogue stays`() throws {
    _ = try bring()
    let old = try sample.catalogueFile.data
    let oldBlobs = try Set(blobs())
    try sample.chart("Seattle", shade: 7)
    try stage("2612")
    var catalogue = try sample.catalogue()
    let hash = try SHA256Hex(of: Array(old))
    let path = "blobs/\(hash.text.prefix(2))/\(hash).json"
    try sample.file(path).deletingLastPathComponent().makeFolder()
    try old.write(to: sample.file(path))
    catalogue.replaces = FileReference(path: path, sha256: hash, bytes: old.count)
    try CanonicalJSON.pretty(catalogue).write(to: sample.catalogueFile)
    let data = try sample.catalogueFile.data
    try sample.file("catalog.json.minisig").put(key.signature(of: Array(data), comment: "").text)
    let signature = PublishedCatalogue.signature(of: hash)
    try sample.file(signature).deletingLastPathComponent().makeFolder()
    try sample.file(signature).put(key.signature(of: Array(old), comment: "").text)
    try bring()
    #expect(try oldBlobs.union([path, signature]).isSubset(of: Set(files(below: mirror))))
    for (text, problem) in [("x", "it is not a signature"), (nil, "the catalogue is not signed")] {
      if let text { try sample.file(signature).put(text) } else { try sample.file(signature).remove() }
      let progress = RecordedProgress()
      try bring(progress: progress)
      let warning = progress.warnings.first { $0.hasPrefix(signature) }
      #expect(warning?.contains(" is not copied: \(problem)") == true, "\(progress.warnings)")
    }
  }

  @Test func `a broken download continues, and a page that the source lost stays`() throws {
    let server = try TestServer(serving: sample.site)
    for path in try blobs() { server.inject(.reset(after: 6000), at: "/" + path) }
    _ = try bring(try web(server))
    try expectSame()
    #expect(server.requests.contains { $0.status == 206 })
    server.hide("/cycles/2612/report.html")
    _ = try bring(try web(server), checks: true)
    try expectSame()  // the catalogue lists it
  }

  @Test func `a damaged file of the mirror is replaced with --check`() throws {
    _ = try bring()
    let file = mirror.appending(path: try blobs()[0])
    var data = try file.data
    data[9] ^= 1
    try data.write(to: file)
    #expect(try bring().copied == 0)
    #expect(try bring(checks: true).copied == 1)
    try expectSame()
  }

  @Test func `says which files of a catalogue that it had were changed, and repairs them`() throws {
    _ = try bring()
    let lost = try [blobs()[0], "cycles/2612/report.html", "catalog.json"].sorted()
    try mirror.appending(path: lost[0]).remove()
    try mirror.appending(path: "cycles/2612/report.html").put("x")
    try mirror.appending(path: "catalog.json").put(sample.catalogueFile.text + " ")
    let progress = RecordedProgress()
    try bring(progress: progress)
    let expected = lost.map { "\($0) was missing or damaged in the mirror, and is copied again" }
    #expect(progress.warnings.filter { $0.contains("copied again") }.sorted() == expected)
    try expectSame()
  }

  @Test func `a refused copy leaves nothing behind`() throws {
    let stranger = try SigningKey.generate().verifier
    #expect(throws: UserError.self) { try bring(by: stranger) }
    #expect(mirror.kindOnDisk == nil)
    try mirror.makeFolder()
    #expect(throws: UserError.self) { try bring(by: stranger) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: mirror.path).isEmpty)
    _ = try bring()
    let before = try FileManager.default.contentsOfDirectory(atPath: mirror.path).sorted()
    #expect(throws: UserError.self) { try bring(by: stranger) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: mirror.path).sorted() == before)
  }

  @Test func `a copy that ended early is continued`() throws {
    // All but one file are there, and the source lacks it for a while.
    _ = try bring()
    let path = try blobs()[0]
    let aside = sample.folder.file("aside")
    try FileManager.default.moveItem(at: sample.file(path), to: aside)
    for name in [path, "catalog.json", "catalog.json.minisig"] { try mirror.appending(path: name).remove() }
    try mirror.appending(path: ".mirror").makeFolder()
    try expectFault(kind: .refused) { try bring() }
    try FileManager.default.moveItem(at: aside, to: sample.file(path))
    _ = try bring()
    try expectSame()
  }

  @Test func `a tampered file of the source is reported by name, and the mirror is unchanged`() throws {
    _ = try bring()
    let before = try contents(mirror)
    try sample.chart("Seattle", shade: 7)
    try stage("2612")
    let new = try Set(site().keys).subtracting(before.keys).filter { $0.hasPrefix("blobs/") }
    #expect(new.count == 4)  // the chart, the manifest, the lists of regions and of pages
    let server = try TestServer(serving: sample.site)
    try sample.file("signatures").remove()
    for path in new.sorted() + ["catalog.json", "catalog.json.minisig"] {
      let file = sample.file(path)
      let whole = try file.data
      for data in [whole.prefix(whole.count / 2), turned(whole), whole + whole, Data()] {
        try data.write(to: file)
        for source in [sample.published, try web(server)] {
          let fault = try #require(throws: UserError.self) { try bring(source) }
          #expect(fault.kind == .refused && fault.path?.contains(path.prefix(12)) == true, "\(fault)")
          #expect(try contents(mirror).filter { !$0.key.hasPrefix(".mirror/") } == before)
        }
      }
      try whole.write(to: file)
    }
    _ = try bring()
    try expectNamed()
  }

  private func turned(_ data: Data) -> Data {
    var data = data
    data[data.count * 2 / 3] ^= 4
    return data
  }

  private func stageAgain(with key: SigningKey) throws {
    let refusal = try #require(throws: UserError.self) { try stage("2612", key: key) }
    #expect(refusal.reason.hasSuffix("and the given key is \(key.verifier.name)"))
    try sample.file("catalog.json.minisig").remove()
    try stage("2612", key: key)
  }

  @Test func `an older catalogue, another one of the same serial, and another key are rejected`() throws {
    let old = try contents(sample.site)
    try sample.chart("Seattle", shade: 7)
    try stage("2612")
    _ = try bring(isSigned: false)
    let before = try contents(mirror)
    let new = try contents(sample.site)
    for (path, data) in old { try data.write(to: sample.file(path)) }
    #expect(try #require(throws: UserError.self) { try bring() }.reason.contains("old copy"))
    for (path, data) in new { try data.write(to: sample.file(path)) }
    let other = try SigningKey.generate()
    try sample.chart("Seattle", shade: 8)
    try stageAgain(with: other)
    #expect(try #require(throws: UserError.self) { try bring() }.reason.contains(other.verifier.name))
    #expect(try #require(throws: UserError.self) { try bring(isSigned: false) }.reason.contains("mirror's"))
    try sample.file("catalog.json.minisig").remove()
    try sample.file("signatures").remove()
    #expect(try #require(throws: UserError.self) { try bring(isSigned: false) }.reason.contains("not signed"))
    #expect(try contents(mirror) == before)
    try expectFault("another catalogue") {
      var catalogue = try sample.catalogue()
      catalogue.serial -= 1
      try CanonicalJSON.pretty(catalogue).write(to: sample.catalogueFile)
      return try bring(isSigned: false)
    }
  }

  @Test func `the key may change if the user gives the new one`() throws {
    _ = try bring()
    let other = try SigningKey.generate()
    try sample.chart("Seattle", shade: 8)
    try stageAgain(with: other)
    #expect(try bring(by: other.verifier).key == other.verifier.name)
  }

  @Test func `hostile names and sizes are rejected`() throws {
    let whole = try sample.catalogue()
    let changes: [(inout Catalog) -> Void] = [
      { $0.products[0].files[0].path = "../outside" }, { $0.products[0].files[0].path = "/etc/hostname" },
      { $0.products[0].files[0].bytes = .max }, { $0.products[0].files[0].bytes = 1 << 39 },
      { catalogue in
        var twice = catalogue.products[0].files[0]
        twice.bytes += 1
        catalogue.products[0].files.append(twice)
      },
      {
        $0.replaces = $0.current?.manifest; $0.replaces?.path = "catalog.json"
      },
    ]
    for (index, change) in changes.enumerated() {
      var catalogue = whole
      change(&catalogue)
      try agree(&catalogue)
      try CanonicalJSON.pretty(catalogue).write(to: sample.catalogueFile)
      let folder = sample.folder.file("hostile\(index)")
      if index == changes.count - 1 {
        _ = try bring(into: folder, isSigned: false)
        #expect(try folder.appending(path: "catalog.json").data == sample.catalogueFile.data)
      } else {
        #expect(throws: UserError.self) { try bring(into: folder, isSigned: false) }
        #expect(!folder.appending(path: "catalog.json").exists)
      }
    }
    #expect(try files(below: sample.folder.url).allSatisfy { !$0.contains("outside") })
  }

  /// Makes the manifests say what the catalogue says, so that nothing but the lie itself is left to be found.
  private func agree(_ catalogue: inout Catalog) throws {
    guard let entry = catalogue.previous else { return }
    var manifest = try sample.manifest(entry.id)
    manifest.products = catalogue.products.filter { $0.cycle == entry.id }
    let data = try CanonicalJSON.pretty(manifest)
    let hash = try SHA256Hex(of: Array(data))
    let path = "blobs/\(hash.text.prefix(2))/\(hash).json"
    let file = sample.file(path)
    try file.deletingLastPathComponent().makeFolder()
    try data.write(to: file)
    catalogue.previous?.manifest = FileReference(path: path, sha256: hash, bytes: data.count)
  }

  @Test func `a folder with other contents and the source itself are rejected as a mirror`() throws {
    for folder in [
      sample.site, sample.file("blobs"), sample.folder.url, sample.folder.file("build"),
    ] { #expect(try #require(throws: UserError.self) { try bring(into: folder) }.kind == .badCall) }
  }

  @Test func `a publication meanwhile restarts the mirror a few times at most`() throws {
    let old = String(decoding: try sample.catalogueFile.data, as: UTF8.self)
    let path = try #require(try blobs().last)
    try sample.chart("Seattle", shade: 3)
    try stage("2612")
    try sample.file(path).remove()
    let server = try TestServer(serving: sample.site)
    server.inject(.status(200, body: old), at: "/catalog.json")
    #expect(try bring(try web(server), isSigned: false).serial == 3)
    try expectNamed()
    server.hide("/blobs")
    try expectFault("is not there") {
      try bring(try web(server), into: sample.folder.file("never"), isSigned: false)
    }
  }
}
