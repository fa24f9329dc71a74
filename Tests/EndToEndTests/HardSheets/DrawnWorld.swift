import Charts
import Core
import CryptoIO
import Foundation
import Pipeline
import SyntheticSheet
import TestSupport
import Testing

/// Sheets of one world, that overlap and touch. Meridians and parallels bound them all, so on Web Mercator each is a
/// rectangle.
struct DrawnWorld: Sendable {
  let sheets: [(box: GeoBox, pack: ChartPack)]
  let family: ChartFamily
  private let folders: [TemporaryFolder]

  static let zooms = 8...11

  /// An east beyond 180 is the place a turn farther west.
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
  /// What the sheets show together, which is a rectangle too.
  var union: GeoBox { sheets.dropFirst().reduce(sheets[0].box) { $0.union($1.box) } }

  /// Two sheets side by side that overlap, and one of another projection that touches both from the south.
  static let bay = Task {
    try DrawnWorld([
      SheetPlan("Bay West", GeoBox(west: -122.4, south: 37.52, east: -122.22, north: 37.66)),
      SheetPlan("Bay East", GeoBox(west: -122.28, south: 37.52, east: -122.1, north: 37.66)),
      SheetPlan("Bay South", GeoBox(west: -122.4, south: 37.4, east: -122.1, north: 37.52), band: 24),
    ])
  }

  /// Both lie across 180 degrees, and so does what they have in common.
  static let isles = Task {
    try DrawnWorld([
      SheetPlan("Isles West", GeoBox(west: 179.75, south: 51.6, east: 180.07, north: 51.75), band: 48),
      SheetPlan("Isles East", GeoBox(west: 179.9, south: 51.6, east: 180.2, north: 51.75), band: 48),
    ])
  }

  func mosaic(jobs: Int = 2) throws -> DrawnChart.Built {
    let folder = try TemporaryFolder()
    let archive = folder.file("World.mbtiles")
    let product = try MosaicBuilder.build(
      MosaicDefinition(id: "World", name: "World"), of: family, from: packs,
      definition: try SHA256Hex(of: []), to: archive, jobs: jobs, progress: SilentProgress(),
      step: "drawn/World")
    return DrawnChart.Built(product: product, archive: archive, folder: folder)
  }

  /// Each pack with its edge tiles completed from the others.
  func filled() throws -> [DrawnChart.Built] {
    var filled: [DrawnChart.Built] = []
    for (number, sheet) in sheets.enumerated() {
      let folder = try TemporaryFolder()
      let archive = folder.file(sheet.pack.product.files[0].path)
      let others = packs.indices.filter { $0 != number }.map { packs[$0] }
      for other in others { #expect(MosaicBuilder.areNeighbours(sheet.pack, other)) }
      let product = try MosaicBuilder.fill(
        sheet.pack, from: others, settings: family.tiles, to: archive, jobs: 2, progress: SilentProgress(),
        step: "seams")
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

  func design(_ edition: Edition) -> SheetDesign {
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
