import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Errors in the files of a product, and in a cycle compared with the last one.
@Suite(.slow) struct ProductCorruptions {
  @Test(arguments: files + descriptions + cycles) func `catches each corruption`(corruption: Corruption)
    throws
  { try corruption.expectCaught() }

  private static let west = CleanBuild.west
  private static let east = CleanBuild.east
  private static let joined = "sample-mosaic/Sample_West"

  /// Changes bytes of a file, and corrects only its size and hash.
  private static func bytes(
    _ name: String, caughtBy rule: String, alone: Bool = true, of id: String = joined,
    role: Product.Role = .pmtiles,
    _ change: @escaping @Sendable (inout Data) throws -> Void
  ) -> Corruption {
    Corruption(name, caughtBy: rule, isAlone: alone) { build in
      let file = try build.file(id, role: role)
      var data = try file.data
      try change(&data)
      try data.write(to: file)
      try Forger(build, id).signFiles()
    }
  }

  private static let files: [Corruption] = [
    bytes(
      "a page of the database is overwritten", caughtBy: "archive-integrity", alone: false, of: west,
      role: .tiles
    ) { $0.replaceSubrange(2048..<3072, with: [UInt8](repeating: 0xA5, count: 1024)) },
    bytes(
      "the end of the database is lost", caughtBy: "readable", alone: false, of: west, role: .tiles
    ) { $0 = $0.prefix($0.count * 3 / 4) },
    bytes("an error page was saved as the archive", caughtBy: "readable", of: west, role: .tiles) {
      $0 = Data("<html><body>403 Forbidden</body></html>".utf8)
    },
    bytes("PMTiles count one tile too few", caughtBy: "pmtiles-structure") { $0[72] -= 1 },
    bytes("the directory of PMTiles is damaged", caughtBy: "readable", alone: false) { $0[140] ^= 0xFF },
    bytes("PMTiles are cut short", caughtBy: "readable", alone: false) { $0 = $0.prefix($0.count / 2) },
    Corruption("PMTiles are those of another chart", caughtBy: "product-archives") { build in
      let twin = try build.file(joined, role: .pmtiles)
      try twin.remove()
      try FileManager.default.copyItem(
        at: try build.file("sample-mosaic/Sample_East", role: .pmtiles), to: twin)
      try Forger(build, joined).signFiles()
    },
    Corruption("two charts are exchanged", caughtBy: "product-bounds", isAlone: false) { build in
      let (one, other) = (try build.file(west), try build.file(east))
      let aside = one.appendingPathExtension("aside")
      for (from, to) in [(one, aside), (other, one), (aside, other)] {
        try FileManager.default.moveItem(at: from, to: to)
      }
      try Forger(build, west).signFiles()
      try Forger(build, east).signFiles()
    },
  ]

  private static func described(
    _ name: String, caughtBy rule: String, alone: Bool = true,
    _ change: @escaping @Sendable (inout Product) -> Void
  ) -> Corruption {
    Corruption(name, caughtBy: rule, isAlone: alone) { build in try build.describe(west, change) }
  }

  private static let descriptions: [Corruption] = [
    described("the size is wrong", caughtBy: "product-hash") { $0.files[0].bytes += 1 },
    described("the hash is another file's", caughtBy: "product-hash") {
      $0.files[0].sha256 = $0.sources[0].sha256
    },
    described("the largest zoom is wrong", caughtBy: "product-bounds", alone: false) { $0.maxZoom = 13 },
    described("the smallest zoom is wrong", caughtBy: "product-bounds") { $0.minZoom = 5 },
    described("the stated tile size is too large", caughtBy: "product-tile-size") { $0.tileSize = 512 },
    described("the box is moved", caughtBy: "product-bounds", alone: false) { $0.boundingBox?.west -= 0.2 },
    described("the dates are those of the last edition", caughtBy: "product-dates", alone: false) {
      ($0.edition, $0.effectiveDate) = ("2023-02-23", "2023-02-23T10:01:00Z")
    },
    described("an edge is in blank paper", caughtBy: "neatline-cut") {
      $0.cut = $0.cut.map { cut in
        let paper = Product.Cut.Shares(ink: 0.004, paper: 0.996, tint: 0)
        let edge = Product.Cut.Edge(
          name: "eastern edge", edge: .column(2990), offset: nil, shift: 0, evidence: .unclear, inside: paper,
          outside: paper, flags: [.collarLeft])
        return Product.Cut(source: cut.source, edges: cut.edges + [edge])
      }
    },
    described("an enroute chart shows a listed inset", caughtBy: "neatline-cut", alone: false) {
      $0.control?.symbols = [.navaids, .fixes]
      $0.cut?.insets = [
        Product.Cut.Inset(
          name: "Elsewhere", verdict: .missing, columns: nil, rows: nil,
          box: GeoBox(west: -122, south: 37, east: -121, north: 38),
          evidence: nil)
      ]
    },
    Corruption("the definition promises more than the charts cover", caughtBy: "charts-cover") { build in
      for id in [west, east] {
        try build.describe(id) { $0.family = Product.Family(charts: 2, covers: [[-123, 37, -120, 38.5]]) }
      }
    },
  ]

  /// The product as it would have been eight weeks before, with the same tiles; of another sheet if another source is given.
  private static func before(_ build: CleanBuild, _ id: String, source: String? = nil) throws -> PlacedProduct
  {
    var product = try build.product(id)
    (product.cycle, product.edition) = ("2302", "2023-02-23")
    if let source {
      product.sources[0].sha256 = try #require(SHA256Hex(String(repeating: source, count: 64)))
      product.reference?.sheetSha256 = product.sources[0].sha256
    }
    let folder = build.description(id).deletingLastPathComponent()
    let before = folder.deletingLastPathComponent().deletingLastPathComponent().appending(path: "before")
    try before.makeFolder()
    for file in product.files {
      try? FileManager.default.copyItem(
        at: folder.appending(path: file.path), to: before.appending(path: file.path))
    }
    return PlacedProduct(product, in: before)
  }

  private static let cycles: [Corruption] = [
    Corruption("the last edition's file was built again", caughtBy: "source-stale", isAlone: false) {
      build in
      build.against = [try before(build, west)]
    },
    Corruption("the last edition of another chart has the same sheet", caughtBy: "source-stale") { build in
      var last = try before(build, west, source: "a").product
      last.reference?.sheetSha256 = try build.product(west).reference?.sheetSha256
      (last.id, last.files) = ("other-charts/North", [])
      build.against = [PlacedProduct(last, in: build.folder)]
    },
    Corruption("the last edition has another file name", caughtBy: "tiles-changed") { build in
      build.against = [try before(build, west, source: "a")]
    },
    Corruption("the last edition's archive is missing", caughtBy: "tiles-changed") { build in
      let last = try before(build, west, source: "a")
      build.against = [last]
      try last.folder.appending(path: last.product.files[0].path).remove()
    },
    Corruption("the last edition's picture is missing", caughtBy: "areas-changed", isAlone: false) { build in
      let last = try before(build, west, source: "a")
      build.against = [last]
      let picture = try #require(last.product.files.first { $0.role == .reference })
      try last.folder.appending(path: picture.path).remove()
    },
    Corruption("one tile differs from the last edition's", caughtBy: "tiles-changed") { build in
      let last = try before(build, west, source: "a")
      build.against = [last]
      let file = last.folder.appending(path: last.product.files[0].path)
      try file.execute(
        """
        UPDATE map SET tile_id = (SELECT min(tile_id) FROM map) WHERE tile_id = (SELECT max(tile_id) FROM map)
        """)
    },
    .forged("a chart lost a third of its map", caughtBy: "tiles-changed", isAlone: false) { forger in
      forger.build.against = [try before(forger.build, west, source: "b")]
      for tile in try forger.tileIDs() where tile.zoom == 12 && tile.row % 3 == 0 { try forger.remove(tile) }
    },
    Corruption("a chart of the last cycle is missing", caughtBy: "charts-vanished") { build in
      var gone = try before(build, west, source: "c").product
      gone.id = "sample-sectional/Sample_North"
      build.against = [PlacedProduct(gone, in: build.folder)]
    },
  ]
}

@Suite(.slow) struct MaskedInsetTests {
  /// The area of the corruption, with an inset of the paper chart over the missing part.
  @Test func `accepts a masked inset in the covered area`() throws {
    let build = try CleanBuild()
    let box = GeoBox(west: -124, south: 36, east: -119, north: 39)
    for (verdict, isFound) in [(Product.Cut.Inset.Verdict.masked, false), (.unclear, true)] {
      for id in [CleanBuild.west, CleanBuild.east] {
        try build.describe(id) {
          $0.family = Product.Family(charts: 2, covers: [[-123, 37, -120, 38.5]])
          $0.cut?.insets = [
            Product.Cut.Inset(name: "Bay", verdict: verdict, columns: nil, rows: nil, box: box, evidence: nil)
          ]
        }
      }
      #expect(try build.findings().contains { $0.rule == "charts-cover" } == isFound)
    }
  }
}
