import ArchiveIO
import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Damaged and malicious files: each error names the problem, and none crashes the program.
@Suite struct PMTilesHostilityTests {
  let folder = TemporaryFolder()

  /// An uncompressed PMTiles file in which all values may be invalid.
  struct Handmade {
    var root: [UInt8] = [1, 0, 1, 3, 1]
    var metadata = Array("{}".utf8)
    var leaves: [UInt8] = []
    var tiles: [UInt8] = [1, 2, 3]
    /// Bytes to replace in the header, by position.
    var header: [Int: UInt8] = [:]

    /// One tile that begins like a PNG image.
    static let png = Handmade(root: [1, 0, 1, 4, 1], tiles: [0x89, 0x50, 0x4E, 0x47], header: [99: 2])

    func write(to file: URL) throws -> URL {
      try Data(bytes).write(to: file)
      return file
    }

    var bytes: [UInt8] {
      var bytes = Array("PMTiles".utf8) + [3]
      var offset = 127
      for part in [root, metadata, leaves, tiles] {
        bytes += [offset, part.count].flatMap { number in (0..<8).map { UInt8(number >> (8 * $0) & 255) } }
        offset += part.count
      }
      bytes += [UInt8](repeating: 0, count: 24) + [1, 1, 1, 2, 0, 0]
      bytes += [UInt8](repeating: 0, count: 127 - bytes.count)
      for (place, byte) in header { bytes[place] = byte }
      return bytes + root + metadata + leaves + tiles
    }
  }

  private static let endless = [UInt8](repeating: 0xFF, count: 12)
  private static let huge: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]

  @Test func `the archive built in the test is valid`() throws {
    let reader = try open(Handmade())
    #expect(try reader.tile(TileID(zoom: 0, column: 0, row: 0)) == [1, 2, 3])
  }

  @Test(arguments: [
    (Handmade(root: []), "a directory ends too early"),
    (Handmade(root: [2, 0, 1]), "a directory ends too early"),
    (Handmade(root: huge), "a directory ends too early"),
    (Handmade(root: endless), "a directory holds a number that is too large"),
    (Handmade(root: [2, 4, 0, 1, 1, 1, 1, 1, 1]), "its directories are not ascending"),
    (Handmade(root: [2, 0, 1, 2, 1, 1, 1, 1, 2]), "its directories are not ascending"),
    (Handmade(root: [1, 0, 1, 0, 1]), "tile 0 of its directories is empty"),
    (Handmade(root: [1, 0, 1, 3, 0]), "a directory begins with no offset"),
    (Handmade(root: [1, 0, 1, 4, 1]), "its directories point outside the file"),
    (Handmade(root: [1, 0, 1, 3, 2]), "its directories point outside the file"),
    (Handmade(root: [1] + huge + [1, 3, 1]), "a number in it is too large"),
    (Handmade(root: [1, 0, 1, 3] + huge), "a number in it is too large"),
    (Handmade(root: [1, 0] + huge + [3, 1]), "a directory holds a number that is too large"),
    (
      Handmade(root: [1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 3, 1]),
      "it has more than 16777216 tiles, the largest supported number"
    ),
    (Handmade(metadata: Array("[1]".utf8)), "its metadata is not a JSON object"),
    (Handmade(header: [7: 2]), "it is PMTiles version 2; only version 3 is supported"),
    (Handmade(header: [0: 0]), "it is not a PMTiles archive"),
    (Handmade(header: [8: 126]), "two sections in its header overlap"),
    (Handmade(header: [64: 4]), "it ends too early"),
    (Handmade(header: [71: 0x80]), "a number in it is too large"),
    (Handmade(header: [70: 0x7F, 71: 0x7F]), "it ends too early"),
    (Handmade(header: [97: 3]), "its directories have an unsupported compression (brotli)"),
    (Handmade(header: [97: 2]), "its gzip data is damaged"),
    (Handmade(header: [98: 2]), "its images are compressed twice (gzip)"),
  ])
  func `reports invalid values`(file: Handmade, problem: String) {
    let fault = #expect(throws: UserError.self) { try open(file) }
    #expect(fault?.reason == problem && fault?.kind == .badInput)
  }

  @Test func `rejects leaf directories that form a loop or repeat tiles`() {
    let toLeaf: [UInt8] = [1, 0, 0, 5, 1]
    let circle = #expect(throws: UserError.self) { try open(Handmade(root: toLeaf, leaves: toLeaf)) }
    #expect(circle?.reason == "its directories form a loop")
    let twice: [UInt8] = [2, 0, 9, 0, 0, 5, 5, 1, 1]
    let repeated = #expect(throws: UserError.self) {
      try open(Handmade(root: twice, leaves: [1, 0, 1, 3, 1]))
    }
    #expect(repeated?.reason == "its directories form a loop")
    let early = #expect(throws: UserError.self) {
      try open(Handmade(root: [1, 9, 0, 5, 1], leaves: [1, 0, 1, 3, 1]))
    }
    #expect(early?.reason == "its directories are not ascending")
  }

  @Test func `limits the nesting of directories`() throws {
    func nested(_ depth: Int) -> Handmade {
      let chain = (1..<depth).flatMap { (level) -> [UInt8] in [1, 0, 0, 5, UInt8(1 + 5 * level)] }
      return Handmade(root: [1, 0, 0, 5, 1], leaves: chain + [1, 0, 1, 3, 1])
    }
    #expect(try open(nested(3)).counts.entries == 1)
    let fault = #expect(throws: UserError.self) { try open(nested(4)) }
    #expect(fault?.reason == "its directories are nested too deeply")
  }

  private static func varint(_ number: Int) -> [UInt8] {
    var (bytes, rest) = ([UInt8](), number)
    while rest > 127 {
      bytes.append(UInt8(rest & 127 | 128))
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// One entry of a small tile, repeated from the first tile of zoom 12 on.
  private func ocean(_ run: Int, tile: Int = 3, padding: Int = 0) -> Handmade {
    let id = TileID(zoom: 12, column: 0, row: 0).hilbert
    let root = [1, id, run, tile, 1].flatMap { (number) -> [UInt8] in PMTilesHostilityTests.varint(number) }
    return Handmade(root: root, tiles: [UInt8](repeating: 7, count: tile + padding))
  }

  @Test func `the size of a file limits how often it repeats a tile`() throws {
    let sea = try open(ocean(200_000))
    #expect(try sea.summary().zooms.map(\.tiles) == [200_000])
    for run in [300_000, 16_000_000] {
      let fault = #expect(throws: UserError.self) { try open(ocean(run)) }
      #expect(fault?.reason.hasPrefix("its directories repeat a few tiles too often: a file of 1") == true)
    }
    let bytes = #expect(throws: UserError.self) { try open(ocean(200_000, tile: 20_000)) }
    #expect(bytes?.reason.hasPrefix("its directories repeat a few tiles too often") == true)
    #expect(try open(ocean(1_200_000, padding: 1 << 20)).counts.addressedTiles == 1_200_000)
  }

  @Test func `does not write what it would not read`() throws {
    let out = folder.file("out.pmtiles")
    let source = RepeatedTile(count: 300_000)
    let fault = #expect(throws: UserError.self) { _ = try PMTilesWriter.write(source, to: out) }
    #expect(fault?.reason.hasPrefix("its directories repeat a few tiles too often") == true)
    #expect(out.kindOnDisk == nil)
  }

  @Test func `a small file cannot fill the memory`() throws {
    var bomb = Handmade(root: try Gzip.compress([UInt8](repeating: 0, count: (1 << 26) + 1)))
    bomb.metadata = []
    bomb.header = [97: 2]
    let fault = #expect(throws: UserError.self) { try open(bomb) }
    #expect(fault?.reason == "its gzip data holds more than is sensible")
  }

  @Test func `returns numbers and lists in foreign metadata as text`() throws {
    let reader = try open(Handmade(metadata: Array(#"{"name":"A","n":1.5,"b":true,"l":[1,{"x":"y"}]}"#.utf8)))
    let metadata = try reader.metadata()
    #expect(metadata["name"] == "A" && metadata["n"] == "1.5" && metadata["b"] == "true")
    #expect(metadata["l"] == #"[1,{"x":"y"}]"#)
  }

  /// After any change in header or directory, the file is rejected or can be read to its end.
  @Test func `no changed byte causes a crash`() throws {
    let good = folder.file("good.pmtiles")
    _ = try PMTilesWriter.write(
      MadeUpSource(ArchiveSamples.tiles.map { Tile(id: $0.id, data: Array($0.data.prefix(9))) }), to: good)
    let bytes = [UInt8](try good.data)
    let directories = try PMTilesReader(opening: good).header.tiles.offset
    var refused = 0
    for place in 0..<directories {
      for change: UInt8 in [0x01, 0x80, 0xFF] {
        var broken = bytes
        broken[place] ^= change
        if try !isReadable(broken) { refused += 1 }
      }
    }
    #expect(refused > directories, "most changes are seen")
    for count in stride(from: 0, to: directories, by: 7) {
      #expect(try !isReadable(Array(bytes.prefix(count))))
    }
  }

  private func isReadable(_ bytes: [UInt8]) throws -> Bool {
    do {
      let reader = try open(bytes)
      _ = try reader.metadata()
      _ = try reader.summary()
      try reader.forEachStored { _ in }
      return true
    } catch is UserError { return false }
  }

  private func open(_ file: Handmade) throws -> PMTilesReader { try open(file.bytes) }

  private func open(_ bytes: [UInt8]) throws -> PMTilesReader {
    let file = folder.file("hostile.pmtiles")
    try Data(bytes).write(to: file)
    return try PMTilesReader(opening: file)
  }
}

/// The same small tile everywhere on a part of zoom 10.
private final class RepeatedTile: TileSource {
  let url = URL(filePath: "/repeated")
  let count: Int

  init(count: Int) { self.count = count }

  func metadata() -> [String: String] { ["name": "R", "format": "png"] }
  func summary() -> ArchiveSummary { ArchiveSummary(zooms: [], distinctTiles: 1) }
  func tile(_ id: TileID) -> [UInt8]? { [1] }
  func tileIDs() -> [TileID] { [] }
  func anyTile() -> [UInt8]? { [1] }

  func forEachStored(_ body: (StoredTile) throws -> Void) throws {
    for place in 0..<count {
      try body(StoredTile(zoom: 10, column: place >> 10, tmsRow: place & 1023, data: [1]))
    }
  }
}
