import Core
import CryptoIO
import Foundation
import ImageIO
import SyntheticSheet
import TestSupport
import Testing

@testable import ChartpipeKit

/// A mosaic and filled archives of drawn sheets, compared with the sheets pixel by pixel.
@Suite(.slow) struct DrawnMosaicTests {
  @Test(arguments: [DrawnWorld.bay, DrawnWorld.isles])
  func `a mosaic covers the union and shows the sheet whose middle is nearest`(
    world: Task<DrawnWorld, any Error>
  ) async throws {
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
      // Within a pixel of an edge, and within about a pixel of a seam, either may win.
      guard depth > 1, depths.allSatisfy({ abs($0) > 1 }) else { return }
      let order = depths.indices.filter { depths[$0] > 1 }
        .map { (sheet: $0, offset: sheets[$0].frame.offset(column, row)) }.sorted { $0.offset < $1.offset }
      guard order.count == 1 || order[1].offset - order[0].offset > 0.02 else { return }
      seen += 1
      mixed += difference(picture[column, row], sheets[order[0].sheet].picture[column, row]) > 48 ? 1 : 0
    }
    #expect(seen > 50_000)
    #expect(mixed == 0)
  }

  @Test(arguments: [DrawnWorld.bay, DrawnWorld.isles])
  func `filled archives leave no hole in any order`(world: Task<DrawnWorld, any Error>) async throws {
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

  @Test func `a mosaic across 180 degrees declares its extent`() async throws {
    let built = try await DrawnWorld.isles.value.mosaic()
    let metadata = try built.metadata()
    #expect(metadata["bounds"] == "-180,51.6,180,51.75")
    #expect(metadata["antimeridian_adjusted_bounds"] == "179.75,51.6,180.2,51.75")
    #expect(metadata["center"] == "179.975,51.675,9")
    #expect(built.product.boundingBoxes?.count == 2 && built.product.cut == nil)
  }

  /// Exactly the pixels of the union are opaque; a pixel at the edge may be either.
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

  /// The distance of a pixel's centre from the nearest side; negative outside.
  func depth(_ column: Int, _ row: Int) -> Double {
    let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
    return min(min(x - west, east - x), min(y - north, south - y))
  }

  /// The sum of the squares of the distances from the middle, in half widths and half heights.
  func offset(_ column: Int, _ row: Int) -> Double {
    let x = (2 * (Double(column) + 0.5) - west - east) / (east - west)
    let y = (2 * (Double(row) + 0.5) - north - south) / (south - north)
    return x * x + y * y
  }

  /// Includes 20 pixels around the box.
  func forEachPixel(_ body: (_ column: Int, _ row: Int, _ depth: Double) -> Void) {
    for row in Int(north) - 20...Int(south) + 20 {
      for column in Int(west) - 20...Int(east) + 20 { body(column, row, depth(column, row)) }
    }
  }
}

/// Sheets that overlap and touch. Meridians and parallels bound them, so each is a rectangle in Web Mercator.
struct DrawnWorld: Sendable {
  let sheets: [(box: GeoBox, pack: ChartPack)]
  let family: ChartFamily
  private let folders: [TemporaryFolder]

  static let zooms = 8...11

  /// An east beyond 180 means 360 degrees less.
  private init(_ plans: [SheetPlan]) throws {
    let charts = try plans.map { try DrawnChart($0.design(Edition(of: DrawnChart.cycle.get()))) }
    var sheets: [(GeoBox, ChartPack)] = []
    var folders: [TemporaryFolder] = []
    for (plan, chart) in zip(plans, charts) {
      let built = try chart.build(zooms: DrawnWorld.zooms)
      sheets.append((plan.box, built.pack))
      folders.append(built.folder)
    }
    self.sheets = sheets
    self.folders = folders
    family = try DrawnChart.family(charts.map(\.design), zooms: DrawnWorld.zooms)
  }

  var packs: [ChartPack] { sheets.map(\.pack) }
  /// The union of the sheets, which is a rectangle too.
  var union: GeoBox { sheets.dropFirst().reduce(sheets[0].box) { $0.union($1.box) } }

  /// Two sheets that overlap, and one of another projection that touches both from the south.
  static let bay = Samples.shared {
    try DrawnWorld([
      SheetPlan("Bay West", GeoBox(west: -122.4, south: 37.52, east: -122.22, north: 37.66)),
      SheetPlan("Bay East", GeoBox(west: -122.28, south: 37.52, east: -122.1, north: 37.66)),
      SheetPlan("Bay South", GeoBox(west: -122.4, south: 37.4, east: -122.1, north: 37.52), band: 24),
    ])
  }

  /// Both sheets and their overlap lie across 180 degrees.
  static let isles = Samples.shared {
    try DrawnWorld([
      SheetPlan("Isles West", GeoBox(west: 179.75, south: 51.6, east: 180.07, north: 51.75), band: 48),
      SheetPlan("Isles East", GeoBox(west: 179.9, south: 51.6, east: 180.2, north: 51.75), band: 48),
    ])
  }

  func mosaic() throws -> DrawnChart.Built {
    let folder = TemporaryFolder()
    let archive = folder.file("World.mbtiles")
    let product = try MosaicBuilder.build(
      MosaicDefinition(id: "World", name: "World"), of: family, from: packs,
      definition: try SHA256Hex(of: []), to: archive, jobs: 2, progress: SilentProgress(),
      step: "drawn/World"
    ).product
    return DrawnChart.Built(product: product, archive: archive, folder: folder)
  }

  /// Each archive with its edge tiles completed from the others.
  func filled() throws -> [DrawnChart.Built] {
    var filled: [DrawnChart.Built] = []
    for (number, sheet) in sheets.enumerated() {
      let folder = TemporaryFolder()
      let archive = folder.file(sheet.pack.product.files[0].path)
      let others = packs.indices.filter { $0 != number }.map { packs[$0] }
      for other in others { #expect(MosaicBuilder.areNeighbours(sheet.pack, other)) }
      let product = try MosaicBuilder.fill(
        sheet.pack, from: others, settings: family.tiles, to: archive, jobs: 2, progress: SilentProgress(),
        step: "seams"
      ).product
      for file in product.files.dropFirst() {
        let own = sheet.pack.archive.deletingLastPathComponent().appending(path: file.path)
        try FileManager.default.copyItem(at: own, to: folder.file(file.path))
      }
      filled.append(DrawnChart.Built(product: product, archive: archive, folder: folder))
    }
    return filled
  }
}

/// A sheet around a box, with a narrow collar.
private struct SheetPlan {
  let name: String
  let box: GeoBox
  let band: Double

  init(_ name: String, _ box: GeoBox, band: Double = 32) {
    (self.name, self.box, self.band) = (name, box, band)
  }

  func design(_ edition: SyntheticSheet.Edition) -> SheetDesign {
    let projection = LambertConformal(
      standardParallels: (band + 20.0 / 3, band + 4.0 / 3),
      origin: GeoPoint(longitude: box.east > 180 ? -177.5 : -121.4, latitude: band + 4))
    let corners = [
      (box.west, box.south), (box.west, box.north), (box.east, box.south), (box.east, box.north),
    ]
    .map { projection.project(GeoPoint(longitude: $0.0, latitude: $0.1)) }
    let (metres, margin) = (42.333, 40.0)
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
    let (bottom, top) = (ys.min() ?? 0, ys.max() ?? 0)
    var design = SheetDesign(
      name: name, series: .sectional, projection: projection, metresPerPixel: metres,
      width: Int((right - left) / metres + 2 * margin), height: Int((top - bottom) / metres + 2 * margin),
      originX: left - margin * metres, originY: top + margin * metres,
      neatline: NeatlineDefinition(outline: [
        .meridian(box.west), .parallel(box.south), .meridian(box.east > 180 ? box.east - 360 : box.east),
        .parallel(box.north),
      ]), edition: edition, features: SheetFeatures(airports: [], navaids: [], airspace: [:]))
    design.scenery.markStep = 0.05
    // East of its middle meridian a sheet's longitudes are those that the ground there has.
    if box.east > 180 { design.scenery.shift = (180 - 122.2, 37.6 - 51.7) }
    return design
  }
}
