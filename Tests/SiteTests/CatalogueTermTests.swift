import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// A catalogue says until when it is valid, so that an old copy that is served for ever is noticed.
@Suite(.blocking) struct CatalogueTermTests: PublishingSuite {
  let folder = TemporaryFolder()
  private let key = SigningKey.new()
  private let site: URL
  var signer: SigningKey? { key }

  init() throws {
    site = try PaperSite(at: folder.file("site"), ["2611": ["a": "1"], "2612": ["a": "2"]]).root
  }

  @discardableResult
  private func publish(
    _ site: URL? = nil, now: String, validHours: Int? = nil, renews: Bool = false
  ) throws -> PublishReport {
    try publish(site ?? self.site, now: now) {
      ($0.validSeconds, $0.renews) = (validHours.map { $0 * 3600 }, renews)
    }
  }

  private func findings(_ now: String) throws -> [String] {
    try health(now: now).findings.map { "\($0.severity.rawValue) \($0.message)" }
  }

  @Test func `a catalogue is valid until a week after the next data cycle takes effect`() throws {
    try publish(now: "2026-12-01T12:00:00Z")
    let term = try #require(try catalogue().term)
    #expect(term.issued.description == "2026-12-01T12:00:00Z")
    #expect(term.expires.description == "2026-12-31T09:01:00Z")  // 2613 takes effect on 2026-12-24
    let text = try target.appending(path: "catalog.json").text
    #expect(text.contains(#""expires":"2026-12-31T09:01:00Z","format":"#))
    #expect(text.contains(#""issued":"2026-12-01T12:00:00Z""#))
    #expect(try findings("2026-12-02").isEmpty)
    let staged = try site.appending(path: "catalog.json").decoded(Catalog.self)
    #expect(staged.term == nil)
  }

  /// A job that publishes each cycle before it takes effect publishes the next time four weeks later.
  @Test func `a catalogue with a coming cycle is valid until a week after the one that follows`() throws {
    try publish(now: "2026-11-20T12:00:00Z")
    #expect(try catalogue().term?.expires.description == "2026-12-31T09:01:00Z")
  }

  @Test func `verify warns in the last fifth, and an expired catalogue is an error`() throws {
    try publish(now: "2026-12-01T12:00:00Z", validHours: 50)
    #expect(try findings("2026-12-03T03:59:59Z").isEmpty)
    let late = try findings("2026-12-03T04:00:01Z")
    #expect(
      late == ["warning the catalogue expires at 2026-12-03T14:00:00Z; `chartpipe publish --renew` renews it"]
    )
    let over = try findings("2026-12-03T14:00:00Z")
    #expect(over.count == 1 && over[0].hasPrefix("error the catalogue expired at 2026-12-03T14:00:00Z"))
  }

  @Test func `a catalogue of the future is a warning: a clock is wrong`() throws {
    try publish(now: "2026-12-01T12:00:00Z")
    #expect(try findings("2026-12-01T11:56:00Z").isEmpty)
    let words =
      "warning the catalogue was issued at 2026-12-01T12:00:00Z, after the time of this check: a clock is wrong, "
      + "or `--at` names an earlier day"
    #expect(try findings("2026-12-01T10:00:00Z") == [words])
  }

  @Test func `an idle publication renews in the term's second half, and a rollback leads back`() throws {
    let first = try publish(now: "2026-12-01T12:00:00Z")
    let second = try publish(
      PaperSite(at: folder.file("second"), ["2612": ["a": "3"]]).root, now: "2026-12-02T12:00:00Z")
    #expect(second.serial == first.serial + 1)
    let before = try #require(try catalogue().replaces)
    let merged = folder.file("second")
    #expect(try publish(merged, now: "2026-12-15T12:00:00Z").isIdle)
    let renewed = try publish(merged, now: "2026-12-20T12:00:00Z")
    #expect(renewed.changed && renewed.serial == second.serial + 1 && renewed.removed.isEmpty)
    #expect(try catalogue().replaces == before)
    #expect(try catalogue().term?.issued.description == "2026-12-20T12:00:00Z")
    #expect(try publish(merged, now: "2026-12-21T12:00:00Z").isIdle)
    let back = try rollBack(now: "2026-12-21T13:00:00Z")
    #expect(try back.serial == renewed.serial + 1 && offered(in: target)["2612"] == ["a": "2"])
  }

  @Test func `a renewal signs the same catalogue again, with and without the site`() throws {
    try publish(now: "2026-12-01T12:00:00Z", validHours: 72)
    let old = try catalogue()
    #expect(try publish(now: "2026-12-01T13:00:00Z").isIdle)
    try publish(now: "2026-12-01T13:00:00Z", validHours: 72, renews: true)
    let renewed = { (options: inout PublishOptions) in (options.validSeconds, options.renews) = (3600, true) }
    let report = try rollBack(now: "2026-12-01T14:00:00Z", renewed)
    #expect(try report.changed && offered(in: target) == ["2611": ["a": "1"], "2612": ["a": "2"]])
    var new = try catalogue()
    #expect(new.serial == old.serial + 2 && new.term?.expires.description == "2026-12-01T15:00:00Z")
    (new.serial, new.term) = (old.serial, old.term)
    #expect(try new == old && findings("2026-12-01T14:00:01Z").isEmpty)
    #expect(throws: UserError.self) {
      try rollBack(FolderStore(root: folder.file("empty")), now: "2026-12-01T14:00:00Z", renewed)
    }
  }

  @Test func `a catalogue without an end has expired, and an end that is no time is an error`() throws {
    let head = #"{"format":"chartpipe-catalog-1","serial":1,"products":[],"issued":"2026-12-01T12:00:00Z""#
    let endless = try PublishedCatalogue(Data("\(head)}".utf8)).catalogue
    #expect(endless.term?.isExpired(at: "2026-12-01T12:00:00Z") == true)
    #expect(throws: Unreadable.self) { try PublishedCatalogue(Data(#"\#(head),"expires":"later"}"#.utf8)) }
  }

  @Test func `a mirror reports an expired catalogue`() throws {
    try publish(now: "2026-12-01T12:00:00Z", validHours: 1)
    let progress = RecordedProgress()
    let mirroring = SiteMirror(
      source: PublishedSite(folder: target), folder: folder.file("mirror"), verifier: key.verifier,
      now: "2026-12-02T12:00:00Z")
    _ = try mirroring.run(progress: progress)
    #expect(progress.warnings.contains { $0.hasPrefix("the catalogue expired at 2026-12-01T13:00:00Z") })
  }

  @Test func `a site's products are not read from an older catalogue than before`() throws {
    let notes = folder.file("notes")
    let read = { (key: SigningKey?) in
      try PublishedProducts(PublishedSite(folder: target), signedBy: key?.verifier, notes: notes).products
    }
    try publish(now: "2026-12-01T12:00:00Z")
    let old = try files(below: target).map { ($0, try target.appending(path: $0).data) }
    try publish(now: "2026-12-01T13:00:00Z", renews: true)
    for key in [key, nil] { #expect(try read(key).count == 2) }
    for (path, data) in old { try data.write(to: target.appending(path: path)) }
    for key in [key, nil] { try expectFault("old copy", kind: .refused) { try read(key) } }
    // A site that is only staged may start anew.
    let staged = PublishedSite(folder: site)
    _ = try PublishedProducts(staged, notes: notes)
    try PaperSite(at: site, ["2612": ["a": "9"]], serial: 0)
    #expect(throws: Never.self) { try PublishedProducts(staged, notes: notes) }
  }
}

/// The commands of the built program. The clock is that of the machine.
@Suite(.blocking, .slow) struct CatalogueTermCommandTests: PublishingSuite {
  let folder = TemporaryFolder()
  private let key = SigningKey.new()
  var signer: SigningKey? { key }
  private let now = Instant(secondsSince1970: Int(Date().timeIntervalSince1970))

  init() throws {
    try folder.file("key").put(key.pem(passphrase: nil))
    try folder.file("key.pub").put(key.verifier.text)
    let cycles = [0, 1].map { AiracCycle(at: now).advanced(by: $0).identifier }
    let site = try site("site", Dictionary(uniqueKeysWithValues: cycles.map { ($0, ["chart": "1"]) }))
    try publish(site, now: "\(now.adding(-7200))") { $0.validSeconds = 3600 }
  }

  private func run(_ arguments: String...) throws -> Program.Ending { try Program().run(arguments) }

  @Test func `verify, pack and due refuse an expired catalogue until it is renewed`() throws {
    let open = folder.file("key.pub").path
    let verified = try run("verify", target.path, "--public-key", open).expect(4)
    #expect(verified.output.contains("the catalogue expired at"), "\(verified.output)")
    let pack = ["pack", target.path, folder.file("out.mbtiles").path, "--bbox=-122,37,-121,38"]
    try Program().run(pack + ["--public-key", open, "--cache", folder.file("cache").path]).expect(
      4, "the catalogue expired at")
    let allowed = try Program().run(pack + ["--allow-expired", "--cache", folder.file("cache").path])
    #expect(allowed.status != 4, "\(allowed.errors)")  // the file is no archive
    let secret = folder.file("key").path
    // It may be an old catalogue that was put back.
    try run("publish", "--renew", target.path, "--key", secret, "--valid-for", "3d").expect(
      4, "its catalogue expired on")
    try run("publish", folder.file("site").path, target.path, "--key", secret, "--valid-for", "3d").expect(0)
    #expect(try run("verify", target.path, "--public-key", open).status == 0)
    try run("publish", "--renew", target.path, "--key", secret, "--valid-for", "3d").expect(0)
    #expect(try run("publish", target.path).status == 2)
    for text in ["3", "3w", "0d", "401d", "-1h", "1.5d"] {
      try run("publish", "--renew", target.path, "--valid-for=\(text)").expect(
        2, "days or hours such as 3d or 36h")
    }
  }

  @Test func `due verifies the signature, and an expired catalogue is work`() throws {
    // The definition has the one chart that is published.
    let text = try samplesFolder.appending(path: "broken/tiny.json5").text
      .replacing("\"tiny\"", with: "\"paper\"").replacing("id: \"Tiny\"", with: "id: \"chart\"")
    let definition = folder.file("paper.json5")
    try definition.put(text)
    let due = ["due", definition.path, "--site", target.path]
    let open = folder.file("key.pub").path
    let expired = try Program().run(due + ["--public-key", open]).expect(0)
    #expect(expired.output.contains("The catalogue is valid until"), "\(expired.errors)")
    #expect(try Program().run(due + ["--cycles"]).output == "\(AiracCycle(at: now).identifier)\n")
    let other = try SigningKey.generate().verifier.line
    let refused = try Program().run(due + ["--public-key", other])
    #expect(refused.status == 4 && refused.output.isEmpty, "\(refused.errors)")
    _ = try run("publish", folder.file("site").path, target.path, "--key", folder.file("key").path)
    #expect(try Program().run(due + ["--public-key", open]).status == 6)
  }
}
