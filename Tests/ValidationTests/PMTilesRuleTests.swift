import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Rules about a PMTiles archive, alone and together with its MBTiles.
@Suite struct PMTilesRuleTests {
  let fixture: ProductFixture
  var archive: ArchiveFixture { fixture.archive }
  var twin: URL { archive.folder.file("Bay.pmtiles") }

  init() throws {
    fixture = try ProductFixture()
    _ = try PMTilesWriter.write(try MBTilesReader(opening: archive.file), to: twin)
  }

  @Test func `has no findings in good PMTiles`() throws {
    #expect(try found(in: twin) == [])
    try listTwin()
    #expect(try fixture.findings() == [])
  }

  @Test func `has the same findings about tiles as MBTiles`() throws {
    try archive.remove(ArchiveFixture.inner)
    try archive.rehash()
    try writeTwin()
    let findings = try found(in: twin)
    #expect(findings.map(\.rule) == ["tiles-inside-bounds"])
    #expect(findings.first?.where == "\(twin.path) tile \(ArchiveFixture.inner)")
  }

  /// Fields of the header, by their first byte, with wrong values.
  @Test(arguments: [
    (72, UInt8(1), "addressed tiles"), (80, 1, "entries"), (88, 1, "contents"), (96, 0, "clustered"),
    (100, 8, "the smallest zoom"), (101, 12, "the largest zoom"),
  ])
  func `finds a wrong header`(place: Int, byte: UInt8, words: String) throws {
    try change(place, to: byte)
    let structure = try found(in: twin).filter { $0.rule == "pmtiles-structure" }
    #expect(structure.count == 1 && structure[0].message.contains(words))
  }

  @Test func `reports a truncated file`() throws {
    try twin.data.prefix(200).write(to: twin)
    #expect(try found(in: twin).map(\.rule) == ["readable"])
  }

  @Test func `finds a changed tile by the hash`() throws {
    let offset = try PMTilesReader(opening: twin).header.tiles.offset
    try change(offset + 3, to: 0)
    #expect(Set(try found(in: twin).map(\.rule)) == ["tiles-decode", "tile-hash"])
  }

  @Test func `decodes equal tiles of one product once`() throws {
    try listTwin()
    let progress = RecordedProgress()
    _ = try Validator().validate([archive.folder.url], progress: progress)
    #expect(Set(progress.advancing.map { URL(filePath: $0).lastPathComponent }) == ["Bay.mbtiles"])
  }

  @Test func `finds a changed tile beside good MBTiles`() throws {
    let offset = try PMTilesReader(opening: twin).header.tiles.offset
    try change(offset + 3, to: 0)
    try listTwin()
    let findings = try fixture.findings()
    #expect(Set(findings.map(\.rule)) == ["tiles-decode", "tile-hash"])
    #expect(findings.allSatisfy { $0.where.contains("Bay.pmtiles") })
  }

  @Test func `finds PMTiles of another chart`() throws {
    try archive.set("name", "Another")
    try archive.set("agg_tiles_hash", "0")
    try writeTwin()
    try archive.file.remove()
    let good = try ArchiveFixture()
    try FileManager.default.copyItem(at: good.file, to: archive.file)
    try listTwin()
    let findings = try fixture.findings().filter { $0.rule == "product-archives" }
    #expect(
      findings.map(\.message) == [
        "`agg_tiles_hash` is not the same in its MBTiles and its PMTiles",
        "`name` is not the same in its MBTiles and its PMTiles",
      ])
  }

  @Test func `inspects the same zooms as MBTiles`() throws {
    let (one, other) = (try FileInspection(of: archive.file), try FileInspection(of: twin))
    #expect(other.kind == .pmtiles && other.zooms == one.zooms && other.metadata == one.metadata)
    #expect(other.text.contains("tile archive (PMTiles)"))
    #expect(other.text.contains("in force from 2026-10-29T09:01:00Z"))
  }

  private func writeTwin() throws {
    try twin.remove()
    _ = try PMTilesWriter.write(try MBTilesReader(opening: archive.file), to: twin)
  }

  private func listTwin() throws {
    try fixture.change { product in
      guard let data = try? twin.data, let hash = try? SHA256Hex(of: Array(data)) else { return }
      product.files.append(
        Product.File(
          path: "Bay.pmtiles", sha256: hash, bytes: data.count, mediaType: "application/vnd.pmtiles",
          role: .pmtiles))
    }
  }

  private func change(_ place: Int, to byte: UInt8) throws {
    var bytes = try twin.data
    bytes[place] = byte
    try bytes.write(to: twin)
  }
}
