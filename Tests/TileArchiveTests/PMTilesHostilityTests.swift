import ArchiveIO
import Core
import Foundation
import Pipeline
import TestSupport
import Testing
import TileArchive

/// Damaged and malicious files: each error names the problem, and none crashes the program.
@Suite struct PMTilesHostilityTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// An uncompressed PMTiles file in which all values may be invalid.
  struct Handmade {
    var root: [UInt8] = [1, 0, 1, 3, 1]
    var metadata = Array("{}".utf8)
    var leaves: [UInt8] = []
    var tiles: [UInt8] = [1, 2, 3]
    /// Bytes to replace in the header, by position.
    var header: [Int: UInt8] = [:]

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
    let bytes = [UInt8](try Data(contentsOf: good))
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
    } catch is UserError {
      return false
    }
  }

  private func open(_ file: Handmade) throws -> PMTilesReader { try open(file.bytes) }

  private func open(_ bytes: [UInt8]) throws -> PMTilesReader {
    let file = folder.file("hostile.pmtiles")
    try Data(bytes).write(to: file)
    return try PMTilesReader(opening: file)
  }
}
