import Core
import ImageIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Tiles that were damaged after the build, in archives with correct hashes.
@Suite(.slow) struct SheetCorruptions {
  @Test(arguments: colors + print + evidence)
  func `catches damaged tiles and missing evidence`(corruption: Corruption) throws {
    try corruption.expectCaught()
  }

  @Test func `accepts the difference that the palette may have`() throws {
    let build = try CleanBuild()
    let forger = Forger(build, Self.bay)
    let tile = try forger.middle()
    try forger.putWithAncestors(try forger.image(tile).lit(by: -8), at: tile)
    try forger.sign()
    let findings = try build.findings().filter { $0.rule == "tiles-show-sheet" }
    #expect(findings == [], "\(findings)")
  }

  private static let west = CleanBuild.west
  private static let bay = CleanBuild.bay

  /// Changes a tile of the largest zoom in the middle of the map, and all above it to match.
  private static func spoiled(
    _ name: String, caughtBy rule: String = "tiles-show-sheet", alone: Bool = true,
    _ change: @escaping @Sendable (RGBAImage) -> RGBAImage
  ) -> Corruption {
    .forged(name, caughtBy: rule, isAlone: alone, of: bay) { forger in
      let tile = try forger.middle()
      try forger.putWithAncestors(change(try forger.image(tile)), at: tile)
    }
  }

  /// Changes all tiles of some zooms.
  private static func zooms(
    _ name: String, caughtBy rule: String, alone: Bool = true, _ wanted: @escaping @Sendable (Int) -> Bool,
    _ change: @escaping @Sendable (RGBAImage) -> RGBAImage
  ) -> Corruption {
    .forged(name, caughtBy: rule, isAlone: alone) { forger in
      let tiles = try forger.tileIDs().filter { wanted($0.zoom) }
      let images = Dictionary(uniqueKeysWithValues: try tiles.map { ($0, change(try forger.image($0))) })
      try forger.putAll(tiles) { try #require(images[$0]) }
    }
  }

  private static let colors: [Corruption] = [
    spoiled("a white stripe of 16 rows") { $0.painted(rows: 96..<112, white) },
    spoiled("a white stripe of 16 columns") { $0.painted(columns: 64..<80, white) },
    spoiled("a patch is wiped to white") { $0.painted(rows: 60..<160, columns: 40..<140, white) },
    spoiled("a tile is 10 levels darker") { $0.lit(by: -10) },
    spoiled("a tile is 10 levels lighter") { $0.lit(by: 10) },
    spoiled("a tile is grey", alone: false) { $0.grey() },
    spoiled("a patch is transparent", alone: false) {
      $0.painted(rows: 60..<160, columns: 40..<140, [0, 0, 0, 0])
    },
    zooms("all is 10 levels darker", caughtBy: "tiles-show-sheet", alone: false, { _ in true }) {
      $0.lit(by: -10)
    },
    zooms("all is 4 levels darker", caughtBy: "tiles-show-sheet", alone: false, { _ in true }) {
      $0.lit(by: -4)
    },
  ]

  /// Changes the most printed tile of the largest zoom, and all above it to match.
  private static func printed(
    _ name: String, _ change: @escaping @Sendable (RGBAImage) -> RGBAImage
  ) -> Corruption {
    .forged(name, caughtBy: "tiles-show-sheet", isAlone: false) { forger in
      let tile = try forger.mostPrinted()
      try forger.putWithAncestors(change(try forger.image(tile)), at: tile)
    }
  }

  private static let print: [Corruption] = [
    printed("a tile and all above it are blurred") { $0.blurred().blurred() },
    printed("a tile and all above it have half their contrast") { $0.faded() },
    printed("a tile is mirrored, with all above it") { $0.mirrored() },
    zooms("the largest zoom is blurred", caughtBy: "tiles-sharp", alone: false, { $0 == 12 }) {
      $0.blurred()
    },
    zooms("a zoom in between is shifted by a pixel", caughtBy: "tiles-agree", alone: false, { $0 == 11 }) {
      $0.movedEastByAPixel()
    },
    zooms("a zoom in between is blurred", caughtBy: "tiles-sharp", alone: false, { $0 == 10 }) {
      $0.blurred()
    },
    .forged("a tile of the largest zoom is blurred", caughtBy: "tiles-sharp", isAlone: false) { forger in
      let tile = try forger.mostPrinted()
      try forger.put(try forger.image(tile).blurred(), at: tile)
    },
  ]

  private static func described(
    _ name: String, _ change: @escaping @Sendable (inout Product) -> Void
  ) -> Corruption { Corruption(name, caughtBy: "sheet-evidence") { try $0.describe(west, change) } }

  private static let evidence: [Corruption] = [
    described("the control is missing") { product in
      product.control = nil
      product.files.removeAll { $0.role == .control }
    },
    described("the control is missing, and the version is older") { product in
      product.control = nil
      product.files.removeAll { $0.role == .control }
      product.build.version = "0.1.0"
    },
    described("control, cut and picture are missing") { product in
      (product.control, product.cut, product.reference, product.family) = (nil, nil, nil, nil)
      product.files.removeAll { $0.role != .tiles }
    },
    described("the control is emptied") { product in
      product.control?.points = []
      product.files.removeAll { $0.role == .control }
    },
    described("the cut is missing") { $0.cut = nil },
    described("half of the edges are missing") { product in
      product.cut = product.cut.map { cut in
        Product.Cut(source: cut.source, edges: Array(cut.edges.prefix(cut.edges.count / 2)))
      }
    },
    described("a file that places the sheet elsewhere is listed as agreeing") { product in
      product.placement?[0].pixels = 12.5
    },
    described("the picture of the sheet is missing") { product in
      product.reference = nil
      product.files.removeAll { $0.role == .reference }
    },
    described("the picture of the sheet is not named") { product in
      product.files.removeAll { $0.role == .reference }
    },
  ]

  private static let white: [UInt8] = [255, 255, 255, 255]
}

extension Forger {
  /// A tile of the largest zoom in the middle of the chart.
  func middle() throws -> TileID {
    let box = try #require(try build.product(id).boundingBox)
    return TileID(zoom: try maxZoom, containing: box.center)
  }

  /// The opaque tile of the largest zoom that takes the most bytes.
  func mostPrinted() throws -> TileID {
    let zoom = try maxZoom
    let tiles = try tileIDs().filter { $0.zoom == zoom }
    let sizes = try tiles.map { (tile: $0, bytes: try bytes($0).count) }.sorted { $0.bytes > $1.bytes }
    return try #require(try sizes.first { try image($0.tile).isOpaque }?.tile)
  }
}
