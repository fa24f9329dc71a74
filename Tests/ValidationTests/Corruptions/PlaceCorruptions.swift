import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Charts, tiles and sheets in the wrong place.
@Suite(.slow) struct PlaceCorruptions {
  @Test(arguments: control + inks + sheet + airports + evidence)
  func `catches misplaced charts`(corruption: Corruption) throws { try corruption.expectCaught() }

  private static let west = CleanBuild.west
  private static let east = CleanBuild.east
  private static let bay = CleanBuild.bay
  private static let rule = "place-control"

  /// Corruptions of single tiles, and of the whole chart.
  private static let control: [Corruption] = [
    .forged("a tile of the largest zoom is moved by one pixel", caughtBy: rule, isAlone: false) { forger in
      let tile = try #require(try forger.witnessed().first)
      try forger.put(try forger.image(tile).moved(east: 1, south: 0), at: tile)
    },
    .forged(
      "a tile and all above it are moved southward by one pixel", caughtBy: rule, isAlone: false, of: bay
    ) { forger in
      let tile = try #require(try forger.witnessed().last)
      try forger.putWithAncestors(try forger.image(tile).moved(east: 0, south: 1), at: tile)
    },
    .forged("two tiles are swapped", caughtBy: rule, isAlone: false) { forger in
      let tiles = try forger.witnessed()
      let (one, other) = (try #require(tiles.first), try #require(tiles.last))
      let (first, last) = (try forger.bytes(one), try forger.bytes(other))
      try forger.put(last, at: one)
      try forger.put(first, at: other)
    },
    .forged("a tile has red for blue, and so have those above it", caughtBy: rule, isAlone: false, of: east) {
      forger in
      let tile = try #require(try forger.witnessed().first)
      try forger.putWithAncestors(try forger.image(tile).recoloured(), at: tile)
    },
    .forged("the whole chart is moved by one pixel", caughtBy: rule, isAlone: false, of: bay) { forger in
      try forger.shiftAll(east: 1, south: 0)
    },
    .forged("the chart was warped on another datum", caughtBy: rule, isAlone: false, of: bay) { forger in
      // In the west NAD27 lies some 95 m from NAD83.
      try forger.shiftAll(east: 6, south: -1)
    },
    .forged("the tiles are of another edition of the sheet", caughtBy: rule, isAlone: false, of: bay) {
      forger in
      let zoom = try forger.maxZoom
      try forger.putAll(try forger.tileIDs().filter { $0.zoom == zoom }) { try forger.image($0).reprinted() }
    },
    Corruption("two charts are exchanged", caughtBy: rule, isAlone: false) { build in
      let (one, other) = (try build.file(west), try build.file(east))
      let (tiles, others) = (try one.data, try other.data)
      try others.write(to: one)
      try tiles.write(to: other)
      let boxes = (try build.product(west).boundingBox, try build.product(east).boundingBox)
      try build.describe(west) { $0.boundingBox = boxes.1 }
      try build.describe(east) { $0.boundingBox = boxes.0 }
      for id in [west, east] { try Forger(build, id).signFiles() }
    },
  ]

  /// Corruptions of the sheet's colours.
  private static let inks: [Corruption] = [
    .forged("magenta is blue on all tiles", caughtBy: "tiles-inks", isAlone: false) { forger in
      try forger.putAll(try forger.tileIDs()) { try forger.image($0).withBlueForMagenta() }
    },
    .forged("magenta is purple on all tiles", caughtBy: "tiles-inks", isAlone: false) { forger in
      try forger.putAll(try forger.tileIDs()) { try forger.image($0).withPurpleForMagenta() }
    },
    .forged("magenta is blue on every fourth tile", caughtBy: "tiles-inks", isAlone: false) { forger in
      let tiles = try forger.tileIDs().filter { $0.column % 2 == 0 && $0.row % 2 == 0 }
      try forger.putAll(tiles) { try forger.image($0).withBlueForMagenta() }
    },
    Corruption("the places of the inks are removed", caughtBy: "tiles-inks", isAlone: false) { build in
      try build.describe(west) { $0.control?.inkPoints = nil }
    },
  ]

  /// Corruptions of the reference patches.
  private static let sheet: [Corruption] = [
    Corruption("the reference patches are removed", caughtBy: "sheet-evidence") { build in
      try build.file(west, role: .control).remove()
      try build.describe(west) { $0.files.removeAll { $0.role == .control } }
    },
    Corruption("the reference patches and their description are removed", caughtBy: "sheet-evidence") {
      build in
      try build.file(west, role: .control).remove()
      try build.describe(west) {
        $0.files.removeAll { $0.role == .control }
        $0.control = nil
      }
    },
    Corruption("the reference patches are another chart's", caughtBy: rule, isAlone: false) { build in
      let own = try build.file(west, role: .control)
      try own.remove()
      try FileManager.default.copyItem(at: try build.file(east, role: .control), to: own)
      let points = try build.product(east).control?.points
      try build.describe(west) { $0.control?.points = points ?? [] }
      try Forger(build, west).signFiles()
    },
    Corruption("the reference patches are cut short", caughtBy: rule, isAlone: false) { build in
      let file = try build.file(bay, role: .control)
      let bytes = try file.data
      try bytes.prefix(bytes.count / 2).write(to: file)
      try Forger(build, bay).signFiles()
    },
    Corruption("the description places the sheet nowhere", caughtBy: rule) { build in
      try build.describe(bay) { $0.control?.placing = [0, 0, 0, 1e300, 0, 0] }
    },
    Corruption("the description places the patches off the chart", caughtBy: rule, isAlone: false) { build in
      try build.describe(bay) { $0.control?.placing[0] += 1_000_000 }
    },
    Corruption("a patch is on no possible sheet", caughtBy: rule, isAlone: false) { build in
      try build.describe(bay) { $0.control?.points[0].column = .min }
    },
    wrongly(placed: 6, caughtBy: "place-graticule"), wrongly(placed: 20, caughtBy: "place-graticule"),
    wrongly(placed: 50, caughtBy: "place-graticule"),
    // So far off that no print is found; then a person must check.
    wrongly(placed: 120, caughtBy: "place-evidence"),
  ]

  @Test func `rejects a sheet with an edge and a graticule that contradict its place`() throws {
    let build = try CleanBuild()
    try Self.misplace(120, in: build)
    try build.describe(Self.bay) { product in
      guard var edge = product.cut?.edges[0] else { return }
      (edge.offset, edge.evidence) = (-120, .frame)
      product.cut?.edges[0] = edge
    }
    let errors = try build.findings().filter { $0.severity == .error }
    #expect(errors.contains { $0.rule == "place-evidence" && $0.message.contains("120.0 pixels from") })
  }

  /// A sheet whose georeference, page and world file are all wrong in the same way, by pixels of the tiles.
  private static func wrongly(placed pixels: Int, caughtBy rule: String) -> Corruption {
    Corruption("the sheet itself was placed \(pixels) pixels off", caughtBy: rule, isAlone: false) {
      try misplace(pixels, in: $0)
    }
  }

  private static func misplace(_ pixels: Int, in build: CleanBuild) throws {
    let forger = Forger(build, bay)
    try forger.shiftAll(east: 0, south: pixels)
    try forger.sign()
    let product = try build.product(bay)
    let metres = try #require(product.boundingBox).metresPerPixel(zoom: try forger.maxZoom)
    try build.describe(bay) { $0.control?.placing[3] -= Double(pixels) * metres }
  }

  private static let evidence: [Corruption] = [
    Corruption("only the graticule gives the place, in a frame of columns", caughtBy: "place-evidence") {
      build in
      try build.folder.appending(path: "sample-nasr").remove()
      try build.describe(bay) { product in
        for index in product.cut?.edges.indices ?? 0..<0 where product.cut?.edges[index].kind == "meridian" {
          product.cut?.edges[index].kind = "column"
        }
      }
    }
  ]

  private static let airports: [Corruption] = [
    Corruption(
      "all airports are moved by a hundredth of a degree", caughtBy: "place-airports", isAlone: false
    ) {
      build in
      let forger = Forger(build, "sample-nasr/aviation")
      try forger.alter("UPDATE airports SET longitude = longitude + 0.01", role: .database)
      try forger.alter(
        "UPDATE airports_rtree SET minLon = minLon + 0.01, maxLon = maxLon + 0.01", role: .database)
      try forger.signFiles()
    }
  ]
}

extension GeoBox {
  /// On the ground, in the middle.
  fileprivate func metresPerPixel(zoom: Int) -> Double {
    WebMercator.resolution(zoom: zoom) * cos(center.latitude * .pi / 180)
  }
}
