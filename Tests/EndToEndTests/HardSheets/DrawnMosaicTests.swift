import Charts
import Core
import Foundation
import ImageIO
import Pipeline
import Testing
import TileArchive

/// Drawn sheets of one world, joined: what a person would look for along the seams, counted.
struct DrawnMosaicTests {
  @Test(arguments: [DrawnWorld.bay, DrawnWorld.isles])
  func aMosaicShowsTheUnionAndOfEachPlaceTheDeepestSheet(world: Task<DrawnWorld, any Error>) async throws {
    let world = try await world.value
    let built = try world.mosaic()
    #expect(try built.findings() == [])
    for zoom in DrawnWorld.zooms { try expectWhole(WorldPicture(built.archive, zoom: zoom), world.union) }
    let zoom = DrawnWorld.zooms.upperBound
    let picture = try WorldPicture(built.archive, zoom: zoom)
    let sheets = try world.sheets.map { sheet in
      (frame: Frame(sheet.box, picture), picture: try WorldPicture(sheet.pack.archive, zoom: zoom))
    }
    var (seen, mixed) = (0, 0)
    Frame(world.union, picture).forEachPixel { column, row, depth in
      let depths = sheets.map { $0.frame.depth(column, row) }
      let order = depths.indices.sorted { depths[$0] > depths[$1] }
      // Within a pixel of the seam either may win.
      guard depth > 1, depths[order[0]] > 1, depths[order[0]] - depths[order[1]] > 1 else { return }
      seen += 1
      mixed += difference(picture[column, row], sheets[order[0]].picture[column, row]) > 48 ? 1 : 0
    }
    #expect(seen > 50_000)
    #expect(mixed == 0)
  }

  @Test(arguments: [DrawnWorld.bay, DrawnWorld.isles])
  func filledPacksSideBySideLeaveNoHoleWhicheverComesFirst(world: Task<DrawnWorld, any Error>) async throws {
    let world = try await world.value
    let filled = try world.filled()
    for built in filled {
      let findings = try built.findings()
      #expect(findings == [], "\(findings)")
    }
    for zoom in DrawnWorld.zooms {
      let pictures = try filled.map { try WorldPicture($0.archive, zoom: zoom) }
      for first in pictures.indices {
        let order = pictures[first...] + pictures[..<first]
        try expectWhole(WorldPicture(stackedFromTop: Array(order)), world.union)
      }
    }
  }

  @Test func theNumberOfWorkersChangesNoByte() async throws {
    let world = try await DrawnWorld.isles.value
    let one = try world.mosaic(jobs: 1)
    let three = try world.mosaic(jobs: 3)
    #expect(one.product == three.product)
  }

  @Test func aMosaicAcross180DegreesTellsWhereItIs() async throws {
    let built = try await DrawnWorld.isles.value.mosaic()
    let metadata = try built.metadata()
    #expect(metadata["bounds"] == "-180,51.6,180,51.75")
    #expect(metadata["antimeridian_adjusted_bounds"] == "179.75,51.6,180.2,51.75")
    #expect(metadata["center"] == "179.975,51.675,9")
    #expect(built.product.boundingBoxes?.count == 2 && built.product.cut == nil)
  }

  /// Every pixel of the union is there, and none beyond it; at the edge a pixel may be either.
  private func expectWhole(_ picture: WorldPicture, _ union: GeoBox) throws {
    var (holes, strays) = (0, 0)
    Frame(union, picture).forEachPixel { column, row, depth in
      let alpha = picture[column, row].alpha
      if depth > 1, alpha < 255 { holes += 1 }
      if depth < -1, alpha > 0 { strays += 1 }
    }
    #expect(holes == 0 && strays == 0, "zoom \(picture.zoom): \(holes) holes, \(strays) strays")
  }

  private typealias Pixel = (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8)

  private func difference(_ a: Pixel, _ b: Pixel) -> Int {
    [(a.red, b.red), (a.green, b.green), (a.blue, b.blue)].map { abs(Int($0.0) - Int($0.1)) }.max() ?? 0
  }
}

/// A box of the earth on a picture.
private struct Frame {
  private let west: Double
  private let north: Double
  private let east: Double
  private let south: Double

  init(_ box: GeoBox, _ picture: WorldPicture) {
    (west, north) = picture.pixel(of: GeoPoint(longitude: box.west, latitude: box.north))
    (east, south) = picture.pixel(of: GeoPoint(longitude: box.east, latitude: box.south))
  }

  /// Pixels from the middle of one to the nearest side; negative outside.
  func depth(_ column: Int, _ row: Int) -> Double {
    let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
    return min(min(x - west, east - x), min(y - north, south - y))
  }

  /// With some around it.
  func forEachPixel(_ body: (_ column: Int, _ row: Int, _ depth: Double) -> Void) {
    for row in Int(north) - 20...Int(south) + 20 {
      for column in Int(west) - 20...Int(east) + 20 { body(column, row, depth(column, row)) }
    }
  }
}
