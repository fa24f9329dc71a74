import Core
import CryptoIO
import Foundation
import HTTPIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The signature covers every page of a site: what is not listed by its hash is neither good nor copied.
@Suite(.blocking) struct SignedPageTests: PublishingSuite {
  let folder = TemporaryFolder()
  private let key = SigningKey.new()
  var signer: SigningKey? { key }
  private var mirror: URL { folder.file("mirror") }

  init() throws { try publish(["2611": ["map": "1", "chart": "2"], "2612": ["map": "3"]], "first") }

  @discardableResult
  private func publish(
    _ cycles: [String: [String: String]], _ name: String, now: String = "2026-12-01",
    _ change: (inout PublishOptions) -> Void = { _ in }
  ) throws -> PublishReport {
    let changes = Data("<p>changes</p>".utf8)
    return try publish(site(name, cycles, extra: ["cycles/2612/changes.html": changes]), now: now, change)
  }

  private func list(_ root: URL? = nil) throws -> PageList {
    let store = FolderStore(root: root ?? target)
    let catalogue = try PublishedCatalogue.read(from: store).catalogue
    return try PageList.read(try #require(catalogue.pages), in: store)
  }

  private func findings(_ site: PublishedSite? = nil, now: String = "2026-12-02") throws -> [String] {
    try checkHealth(site ?? PublishedSite(folder: target), by: key.verifier, now: now).findings.filter {
      $0.rule != "site-headers"
    }.map { "\($0.severity.rawValue) \($0.rule) \($0.where)" }
  }

  @discardableResult
  private func bring(
    _ site: PublishedSite? = nil, signed: Bool = true, now: String = "2026-12-02"
  ) throws -> [String] {
    let progress = RecordedProgress()
    let mirroring = SiteMirror(
      source: site ?? PublishedSite(folder: target), folder: mirror, verifier: signed ? key.verifier : nil,
      now: try #require(Instant(now)))
    _ = try mirroring.run(progress: progress)
    return progress.warnings
  }

  private func write(_ text: String, _ path: String) throws {
    let file = target.appending(path: path)
    try file.deletingLastPathComponent().makeFolder()
    try file.put(text)
  }

  private let kinds = [
    "charts/paper/map.json", "cycles/2611/manifest.json", "cycles/2611/report.html",
    "cycles/2612/changes.html", "cycles/2612/manifest.json", "cycles/2612/report.html", "feed.xml",
    "index.html", "regions.json", "style.json",
  ]

  @Test func `a change of any page is an error that names it, in a folder and over HTTP`() throws {
    #expect(try list().files.map(\.path) == kinds && findings().isEmpty)
    let server = try TestServer(serving: target)
    let web = try #require(PublishedSite(address: server.url, retry: RetryPolicy(attempts: 1)))
    for path in kinds + ["latest.json"] {
      let file = target.appending(path: path)
      let whole = try file.data
      var turned = whole
      turned[turned.count / 2] ^= 1
      for data in [turned, whole + Data("<script>".utf8), Data()] {
        try data.write(to: file)
        #expect(try findings() == ["error site-pages \(path)"])
        #expect(try findings(web) == ["error site-pages \(path)"])
      }
      try file.remove()
      #expect(try findings() == ["error site-pages \(path)"])
      try whole.write(to: file)
    }
    #expect(try findings(web).isEmpty)
  }

  @Test func `a damaged or forged list is an error, and the pages of an old list are a warning`() throws {
    let path = try #require(try catalogue().pages?.path)
    let whole = try target.appending(path: path).data
    try write("{}", path)
    #expect(try findings() == ["error site-pages \(path)"])
    try whole.write(to: target.appending(path: path))
    let old = try target.appending(path: "feed.xml").data
    try publish(["2612": ["map": "4"]], "second")
    let new = try target.appending(path: "feed.xml").data
    try old.write(to: target.appending(path: "feed.xml"))
    #expect(try findings() == ["warning site-pages feed.xml"])
    let report = try publish(["2612": ["map": "4"]], "third")
    #expect(report.sent.map(\.path) == ["feed.xml"] && !report.changed)
    #expect(try target.appending(path: "feed.xml").data == new && findings().isEmpty)
  }

  @Test func `a script that no list has is an error, and other files are not`() throws {
    let scripts = ["a.js", "cycles/2612/b.html", "charts/c.SVG", "cycles/2501/report.html"]
    for path in scripts + ["notes.txt", "charts/index.txt"] { try write("x", path) }
    #expect(try findings().sorted() == scripts.map { "error site-pages \($0)" }.sorted())
  }

  @Test func `a packed page and a script for a server are errors, and a packed blob is not`() throws {
    let hash = try SHA256Hex(of: [1])
    let packed = ["index.html.gz", "page.br", "notes.gz", "blobs/\(hash.text).gz"]
    let scripts = packed + ["a.php", "b.wasm", "charts/c.JSP"]
    for path in scripts + [BlobPath.of(hash, extension: "gz")] { try write("x", path) }
    #expect(try findings().sorted() == scripts.map { "error site-pages \($0)" }.sorted())
  }

  @Test func `links and names that are not UTF-8 are found, and a folder of blobs on another disk is not`()
    throws
  {
    let elsewhere = folder.file("elsewhere")
    try FileManager.default.moveItem(at: target.appending(path: "blobs"), to: elsewhere)
    for (name, place) in [
      ("blobs", elsewhere), ("a.js", elsewhere), ("lost.html", folder.file("none")), ("etc", folder.url),
      ("notes.txt", target.appending(path: "feed.xml")),
    ] {
      try FileManager.default.createSymbolicLink(at: target.appending(path: name), withDestinationURL: place)
    }
    for name in ["caf\u{1}.html", "caf\u{1}"] {
      let path = Array((target.path + "/" + name).utf8.map { CChar(bitPattern: $0 == 1 ? 0xE9 : $0) }) + [0]
      try #require(fopen(path, "w").map(fclose) == 0)
    }
    let files = [
      "error a.js", "error caf\u{FFFD}.html", "error lost.html", "warning caf\u{FFFD}", "warning etc",
      "warning notes.txt",
    ]
    #expect(try findings().sorted() == files.map { $0.replacing(" ", with: " site-pages ") })
  }

  @Test func `the pages of a withdrawn cycle are known as long as an earlier list is there`() throws {
    try publish(["2613": ["map": "4"]], "second")
    _ = try rollBack(to: "2612", now: "2026-12-01")
    // Files that are younger than two days stay.
    try age(hours: 1, before: "2026-12-01")
    try publish(site("third", ["2612": ["map": "5"]]), to: FolderStore(root: target))
    #expect(target.appending(path: "cycles/2613/report.html").exists)
    #expect(try !list().files.map(\.path).contains("cycles/2613/report.html") && findings().isEmpty)
  }

  @Test func `the pages of cycles that only the target has stay listed`() throws {
    try publish(["2612": ["map": "5"]], "second")
    #expect(try list().files.map(\.path) == kinds && findings().isEmpty)
    // A page that was damaged at the target is listed no more with `--check`, and removed.
    try write("report of ['map': '9']", "cycles/2611/report.html")
    try publish(["2612": ["map": "5"]], "third") { $0.checks = true }
    #expect(try findings().isEmpty && !list().files.contains { $0.path == "cycles/2611/report.html" })
    #expect(target.appending(path: "cycles/2611/report.html").kindOnDisk == nil)
  }

  @Test func `only pages that are known from a list or from the site are signed`() throws {
    var old = try catalogue()
    (old.pages, old.term) = (nil, nil)
    try sign(old)
    #expect(try findings() == ["warning site-pages catalog.json"])
    try write("<script>", "cycles/2611/report.html")
    try publish(["2612": ["map": "5"]], "second")
    #expect(try list().files.map(\.path) == kinds.filter { $0 != "cycles/2611/report.html" })
    #expect(try findings().isEmpty && target.appending(path: "cycles/2611/report.html").kindOnDisk == nil)
  }

  private func sign(_ catalogue: Catalog) throws {
    let data = try catalogue.data
    try data.write(to: target.appending(path: "catalog.json"))
    let signature = try key.signature(of: catalogue, data)
    try signature.write(to: target.appending(path: "catalog.json.minisig"))
    let own = try PublishedCatalogue.signature(of: CatalogueBytes(data).sha256)
    try signature.write(to: target.appending(path: own))
    try LatestAnswer(catalogue, sha256: SHA256Hex(of: Array(data))).data
      .write(to: target.appending(path: "latest.json"))
  }

  // MARK: - Mirrors

  @Test func `a mirror copies no page with another hash, and removes its own old one`() throws {
    #expect(try bring().isEmpty)
    for path in kinds + ["latest.json"] {
      #expect(try mirror.appending(path: path).data == target.appending(path: path).data)
    }
    try publish(["2612": ["map": "6"]], "second")
    let bad = ["index.html", "cycles/2612/report.html", "style.json"]
    let good = try bad.map { try target.appending(path: $0).data }
    for path in bad { try write("<script>alert(1)</script>", path) }
    try write("<script>alert(1)</script>", "cycles/2612/changes-x.html")
    let warnings = try bring()
    // The mirror has the right index.html already.
    #expect(warnings.map { $0.prefix { $0 != " " } }.sorted() == bad.dropFirst().sorted().map { $0[...] })
    for path in try files(below: mirror) {
      let data = try mirror.appending(path: path).data
      #expect(!String(decoding: data, as: UTF8.self).contains("<script>alert"), "\(path)")
    }
    // The report was that of the catalogue before, and index.html is unchanged.
    #expect(mirror.appending(path: "cycles/2612/report.html").kindOnDisk == nil)
    for (path, data) in zip(bad, good) { try data.write(to: target.appending(path: path)) }
    #expect(try bring().isEmpty && findings(PublishedSite(folder: mirror)).isEmpty)
  }

  @Test func `a mirror of an earlier version has no reports, with a key or without`() throws {
    try bring()
    #expect(mirror.appending(path: "cycles/2612/report.html").kindOnDisk == .file)
    var old = try catalogue()
    (old.pages, old.term, old.serial) = (nil, nil, old.serial + 1)
    try sign(old)
    for path in ["index.html", "cycles/2611/report.html"] { try write("<script>alert(1)</script>", path) }
    for signed in [true, false] {
      #expect(try bring(signed: signed).contains { $0.contains("without hashes of its pages") })
      let pages = try files(below: mirror).filter { PageList.isPage($0) }
      #expect(pages == kinds.filter { !$0.contains("/report") && !$0.contains("/changes") })
      #expect(try mirror.appending(path: "index.html").data == SitePage.data)
    }
  }

  @Test func `a mirror remembers the highest serial also without its catalogue`() throws {
    let old = try contents()
    try publish(["2612": ["map": "7"]], "second")
    try bring()
    for (path, data) in old { try data.write(to: target.appending(path: path)) }
    try mirror.appending(path: "catalog.json").remove()
    try expectFault("old copy", kind: .refused) { try bring() }
  }

  private func contents() throws -> [(String, Data)] {
    try files(below: target).map { ($0, try target.appending(path: $0).data) }
  }

  @Test func `a hostile list is refused`() throws {
    let page = try #require(try list().files.first)
    for path in ["../outside.html", "/etc/x.html", "cycles/2612/../../x.html", "evil.html", "catalog.json"] {
      var bad = page
      bad.path = path
      try expectRefusal(of: [bad])
    }
    try expectRefusal(of: [page, page])
    var large = page
    large.bytes = .max
    try expectRefusal(of: [large])
  }

  private func expectRefusal(of pages: [FileReference]) throws {
    let data = try PageList(pages).data
    var catalogue = try catalogue()
    let file = try FileReference(blob: data)
    catalogue.pages = file
    try write(String(decoding: data, as: UTF8.self), file.path)
    try sign(catalogue)
    let error = try #require(throws: UserError.self) { try bring() }
    #expect(error.kind == .refused && error.path?.hasSuffix(file.path) == true, "\(error)")
    #expect(mirror.appending(path: "catalog.json").kindOnDisk == nil)
  }
}
