import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Somebody without the key may write to the target. A publisher with the key builds on nothing that it cannot verify.
@Suite(.blocking) struct PublishTrustTests: PublishingSuite {
  let folder = TemporaryFolder()
  private let key = SigningKey.new()
  var signer: SigningKey? { key }

  // MARK: - Steps

  private func newStore(_ name: String = "target") -> FolderStore { FolderStore(root: folder.file(name)) }

  /// Publishes two catalogues, so that there is one to roll back to.
  private func fill(_ store: any WritableObjectStore, signed: Bool = true) throws {
    let key = signed ? key : nil
    try publish(site("first", ["2611": ["a": "1"], "2612": ["a": "2", "b": "3"]]), to: store) { $0.key = key }
    try publish(site("second", ["2612": ["c": "4"], "2613": ["a": "5"]]), to: store) { $0.key = key }
  }

  private func state(_ store: any WritableObjectStore) throws -> [String: Data?] {
    let keys = try store.list("").map(\.key)
    return Dictionary(uniqueKeysWithValues: try keys.map { ($0, try store.read($0)?.data) })
  }

  private func setSerial(_ serial: Int, in store: any WritableObjectStore) throws {
    var catalogue = try catalogue(in: store)
    catalogue.serial = serial
    try put(catalogue.data, PublishedCatalogue.path, in: store)
  }

  /// Replaces the archive of `paper/a` in cycle 2612, and adjusts the manifest and the catalogue.
  private func forge(_ store: any WritableObjectStore) throws {
    let forged = Data("forged chart".utf8)
    let sha256 = try SHA256Hex(of: Array(forged))
    let file = Product.File(
      path: BlobPath.of(sha256, extension: "mbtiles"), sha256: sha256, bytes: forged.count,
      mediaType: "application/vnd.sqlite3", role: .tiles)
    try put(forged, file.path, in: store)
    var catalogue = try catalogue(in: store)
    let entry = try #require(catalogue.current)
    var manifest = try store.data(of: entry.manifest).decoded(Manifest.self)
    for index in manifest.products.indices where manifest.products[index].id == "paper/a" {
      manifest.products[index].files = [file]
    }
    for index in catalogue.products.indices
    where catalogue.products[index].id == "paper/a" && catalogue.products[index].cycle == "2612" {
      catalogue.products[index].files = [file]
    }
    let data = try CanonicalJSON.pretty(manifest)
    let hash = try SHA256Hex(of: Array(data))
    let reference = FileReference(path: BlobPath.of(hash, extension: "json"), sha256: hash, bytes: data.count)
    try put(data, reference.path, in: store)
    catalogue.current = CycleEntry(manifest, in: reference, published: entry.published)
    try put(catalogue.data, PublishedCatalogue.path, in: store)
  }

  private func removeSignatures(_ store: any WritableObjectStore) throws {
    for object in try store.list("") where object.key.hasSuffix(".minisig") { try store.remove(object.key) }
  }

  /// All ways to get a catalogue signed.
  private func ways(
    _ store: any WritableObjectStore, _ change: @escaping (inout PublishOptions) -> Void = { _ in }
  ) throws -> [() throws -> Void] {
    let (merged, later) = (try site("merged", ["2612": ["d": "6"]]), try site("later", ["2613": ["a": "7"]]))
    return [
      { try publish(merged, to: store, change) },
      { try publish(later, to: store, replacing: true, change) },
      { try publish(folder.file("second"), to: store, change) },
      { try rollBack(store, change) },
      { try rollBack(store, to: "2612", change) },
      {
        var options = try publishOptions("2026-12-01")
        options.key = key
        change(&options)
        _ = try Publisher.preflight(
          PublishTarget(store: store), options, before: "2613", progress: RecordedProgress())
      },
      {
        try publish(merged, to: store) {
          change(&$0)
          $0.isDryRun = true
        }
      },
    ]
  }

  private func expectRefusals(
    _ ways: [() throws -> Void], _ store: any WritableObjectStore, _ problem: String,
    _ kind: UserError.Kind = .refused
  ) throws {
    let before = try state(store)
    for (number, way) in ways.enumerated() {
      let fault = #expect(throws: UserError.self, "way \(number)") { try way() }
      #expect(fault?.kind == kind && fault?.reason.contains(problem) == true, "\(number): \(fault as Any)")
    }
    #expect(try state(store) == before)
  }

  // MARK: - Signatures

  private func expectNothingLaundered(_ store: any WritableObjectStore) throws {
    try fill(store)
    try forge(store)
    try expectRefusals(ways(store), store, "not verified")
    try expectRefusals(ways(store) { $0.adoptsUnsigned = true }, store, "not verified")
    try removeSignatures(store)
    try expectRefusals(ways(store), store, "not signed")
  }

  @Test func `a catalogue that was changed without the key is not signed`() throws {
    try expectNothingLaundered(newStore())
  }

  @Test(.enabled(if: LoopbackS3.canRun, "\(LoopbackS3.whyNot)"))
  func `a catalogue that was changed in a bucket without the key is not signed`() async throws {
    try expectNothingLaundered(try await S3Bench().store)
  }

  @Test func `the catalogue of another key is not signed, and that of the old key on demand`() throws {
    let (store, other) = (newStore(), try SigningKey.generate())
    try fill(store)
    try expectRefusals(ways(store) { $0.key = other }, store, key.verifier.name)
    try expectRefusals(
      ways(store) { ($0.key, $0.oldKey) = (other, other.verifier) }, store, key.verifier.name)
    try publish(site("third", ["2612": ["d": "6"]]), to: store) {
      ($0.key, $0.oldKey) = (other, key.verifier)
    }
    try expectRefusals([{ try rollBack(store) { $0.key = other } }], store, key.verifier.name)
    try rollBack(store) { ($0.key, $0.oldKey) = (other, key.verifier) }
    #expect(try offered(in: store)["2612"] == ["a": "2", "b": "3", "c": "4"])
  }

  @Test func `the replaced catalogue is not published again without its signature`() throws {
    let store = newStore()
    try fill(store)
    let replaced = try #require(try catalogue(in: store).replaces)
    try store.remove(PublishedCatalogue.signature(of: replaced.sha256))
    try expectRefusals([{ try rollBack(store) }], store, "not signed")
    // What it names is not known, so nothing is removed.
    let orphan = BlobPath.of(try SHA256Hex(of: []), extension: "json")
    try put(Data("{}".utf8), orphan, in: store)
    #expect(try publish(folder.file("second"), to: store).isIdle && store.read(orphan) != nil)
  }

  @Test func `an unsigned target is signed on demand, with a report of what it lists`() throws {
    let store = newStore()
    try fill(store, signed: false)
    try expectRefusals(ways(store), store, "not signed")
    let next = try site("next", ["2612": ["d": "6"]])
    let report = try publish(next, to: store) { $0.adoptsUnsigned = true }
    #expect(report.adopted.map(\.cycle) == ["2611", "2612", "2613"] && report.serial == 4)
    #expect(report.adopted[1].products == ["paper/a", "paper/b", "paper/c"])
    let manifest = try #require(report.adopted[1].manifest)
    #expect(report.text.contains("cycle 2612, \(manifest): paper/a, paper/b, paper/c"))
    let signed = try PublishedCatalogue.read(from: store)
    _ = try CatalogueSignature.find(of: signed.bytes, in: store, by: key.verifier)
    #expect(try publish(next, to: store).isIdle)
    try expectRefusals([{ try rollBack(store) }], store, "not signed")
    #expect(
      try rollBack(store) { $0.adoptsUnsigned = true }.adopted[1].products == report.adopted[1].products)
    #expect(try rollBack(store).serial == 6)
  }

  @Test func `a signature takes over neither unsigned bytes nor files that are not the catalogue's`() throws {
    let store = newStore()
    try fill(store, signed: false)
    let text = String(decoding: try #require(try store.read("catalog.json")).data, as: UTF8.self)
    try put(Data("{\"unknown\":1,\(text.dropFirst())".utf8), PublishedCatalogue.path, in: store)
    let product = try #require(try catalogue(in: store).products.first { $0.id == "paper/b" })
    let path = try #require(product.files.first?.path)
    try put(Data("X".utf8), path, in: store)
    try expectFault(path) { try publish(folder.file("second"), to: store) { $0.adoptsUnsigned = true } }
    try publish(folder.file("first"), to: store) { $0.adoptsUnsigned = true }
    #expect(try offered(in: store)["2612"]?["b"] == "3")
    let signed = String(decoding: try #require(try store.read("catalog.json")).data, as: UTF8.self)
    #expect(!signed.contains("unknown"))
  }

  @Test func `an unsigned catalogue whose manifests differ is not adopted`() throws {
    let store = newStore()
    try fill(store, signed: false)
    var catalogue = try catalogue(in: store)
    catalogue.products.removeAll { $0.id == "paper/c" }
    try put(catalogue.data, PublishedCatalogue.path, in: store)
    try expectRefusals(ways(store) { $0.adoptsUnsigned = true }, store, "cannot be adopted")
  }

  @Test func `refuses to publish a catalogue that readers refuse`() throws {
    let store = newStore()
    let names = ["a", "b"].map { String(repeating: $0, count: 1_200_000) }
    try publish(site("first", ["2612": [names[0]: "1"]]), to: store)
    let before = try state(store)
    let error = #expect(throws: UserError.self) {
      try publish(site("second", ["2612": [names[1]: "2"]]), to: store)
    }
    #expect(error?.reason.contains("it has more than") == true, "\(String(describing: error))")
    #expect(try state(store) == before)
  }

  // MARK: - Serials

  @Test(arguments: [
    (9_223_372_036_854_775_805, false), (.max, false), (1 << 53, false), (-7, false), (0, true),
    (1 << 52, true),
  ])
  func `a serial that makes no sense is not continued`(serial: Int, isReadable: Bool) throws {
    let store = newStore()
    try fill(store, signed: false)
    try setSerial(serial, in: store)
    let kind: UserError.Kind = isReadable ? .refused : .badInput
    let problem = isReadable ? "makes no sense" : serial < 0 ? "negative number" : "not valid JSON"
    try expectRefusals(ways(store) { $0.adoptsUnsigned = true }, store, problem, kind)
    try expectRefusals(
      [{ try publish(folder.file("first"), to: store) { $0.key = nil } }], store, problem, kind)
    // Unverified bytes are not decoded.
    try expectRefusals(ways(store), store, "not signed")
  }

  @Test(arguments: [5_000_000, 1 << 52]) func `a site does not make the serial jump`(serial: Int) throws {
    let store = newStore()
    try fill(store)
    let ahead = try site("ahead", ["2612": ["e": "8"]], serial: serial)
    try expectRefusals([{ try publish(ahead, to: store) }], store, "makes no sense")
  }

  private func expectSignedSerials(_ store: any WritableObjectStore) throws {
    try fill(store)
    var latest = String(decoding: try #require(try store.read("latest.json")).data, as: UTF8.self)
    latest.replace(/"serial"\s*:\s*\d+/, with: "\"serial\" : 9223372036854775805")
    try put(Data(latest.utf8), "latest.json", in: store)
    #expect(try publish(site("third", ["2612": ["d": "6"]]), to: store).serial == 4)
    try put(Data(latest.utf8), "latest.json", in: store)
    try store.remove(PublishedCatalogue.path)
    // This site was never published there, so only signatures show the serial.
    #expect(try publish(site("fourth", ["2612": ["d": "7"]]), to: store).serial == 5)
    try put(Data(latest.utf8), "latest.json", in: store)
    try store.remove(PublishedCatalogue.path)
    try removeSignatures(store)
    #expect(try publish(folder.file("fourth"), to: store).serial == 6)
    try store.remove(PublishedCatalogue.path)
    try put(Data(latest.utf8), "latest.json", in: store)
    try removeSignatures(store)
    try expectFault("makes no sense", kind: .refused) {
      try publish(site("fifth", ["2612": ["d": "8"]]), to: store) { $0.key = nil }
    }
  }

  @Test func `the serial comes from what is signed, not from latest.json`() throws {
    try expectSignedSerials(newStore())
  }

  @Test(.enabled(if: LoopbackS3.canRun, "\(LoopbackS3.whyNot)"))
  func `the serial of a bucket comes from what is signed, too`() async throws {
    try expectSignedSerials(try await S3Bench().store)
  }

  @Test func `an old catalogue with a valid signature is not extended`() throws {
    let store = newStore()
    let first = try site("first", ["2612": ["a": "1"]])
    try publish(first, to: store)
    let old = try ["catalog.json", "catalog.json.minisig"].map { ($0, try #require(try store.read($0)).data) }
    let second = try site("second", ["2612": ["a": "2"]])
    try publish(second, to: store)
    try put(old[0].1, old[0].0, in: store)
    try expectRefusals(
      [{ try publish(first, to: store) }, { try rollBack(store) }], store,
      "was published before: it is an old catalogue")
    try put(old[1].1, old[1].0, in: store)
    // The signature is the old one, too: the site remembers what was published from it.
    try expectRefusals([{ try publish(second, to: store) }], store, "serial is 2, and 3 was published")
    #expect(try publish(second, to: newStore("other")).serial == 2)
  }

  @Test func `an old catalogue is not renewed or rolled back while a later signature is left`() throws {
    let store = newStore()
    try fill(store)
    let old = try ["catalog.json", "catalog.json.minisig"].map { ($0, try #require(try store.read($0)).data) }
    for name in ["third", "fourth"] { try publish(site(name, ["2612": ["a": name]]), to: store) }
    for (key, data) in old { try put(data, key, in: store) }
    try expectRefusals(
      [
        { try rollBack(store) }, { try rollBack(store, to: "2611") },
        { try rollBack(store) { $0.renews = true } },
      ],
      store, "serial is 3, and 4 was published")
  }

  @Test func `a signature that a killed publisher left does not stop a rollback`() throws {
    let store = newStore()
    try fill(store)
    let before = try #require(try store.read(PublishedCatalogue.path)).data
    let third = try site("third", ["2612": ["a": "3"]])
    // It was staged more often than published.
    try setSerial(40, in: FolderStore(root: third))
    try expectFault("returned other bytes", kind: .failed) {
      try publish(third, to: DamagingStore(store: store, catalogueBut: before))
    }
    #expect(try rollBack(store) { $0.renews = true }.serial == 4)
    #expect(try rollBack(store).serial == 5)
  }

  @Test func `an expired catalogue is not renewed without the site`() throws {
    let store = newStore()
    try fill(store)
    let late = try publishOptions("2027-06-01").clock
    try expectRefusals(
      [{ try rollBack(store) { ($0.renews, $0.clock) = (true, late) } }], store, "it may be an old one")
  }

  @Test func `a site that was only staged is not renewed`() throws {
    let staged = FolderStore(root: try site("staged", ["2612": ["a": "1"]]))
    try expectRefusals(
      [{ try rollBack(staged) { ($0.renews, $0.key) = (true, nil) } }], staged, "its catalogue has no term")
  }

  @Test func `an unsigned catalogue does not make the serial jump`() throws {
    let store = newStore()
    try fill(store, signed: false)
    try setSerial(5_000_000, in: store)
    try expectRefusals(ways(store) { $0.adoptsUnsigned = true }, store, "makes no sense")
  }

  @Test func `a site that was published before is trusted as far as it is signed`() throws {
    let (store, folder) = (newStore(), folder.file("target"))
    try fill(store)
    #expect(try publish(folder, to: newStore("copy")).serial > 0)
    try forge(store)
    try expectRefusals([{ try publish(folder, to: newStore("other")) }], newStore("other"), "not verified")
    try removeSignatures(store)
    try expectRefusals([{ try publish(folder, to: newStore("other")) }], newStore("other"), "not signed")
    #expect(try publish(folder, to: newStore("other")) { $0.adoptsUnsigned = true }.serial > 0)
  }
}
