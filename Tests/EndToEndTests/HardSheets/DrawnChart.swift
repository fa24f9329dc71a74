import Core
import CryptoIO
import Foundation
import ImageIO
import SyntheticSheet
import TestSupport
import Testing

@testable import ChartpipeKit
@testable import SyntheticSheet

/// A drawn sheet in its zip.
struct DrawnChart: Sendable {
  let design: SheetDesign
  private let folder = TemporaryFolder()

  init(_ design: SheetDesign, _ drawing: SheetDrawing? = nil) throws {
    self.design = design
    try SheetFiles(design, drawing, scratch: folder.url).writeZip(to: folder.file(design.zipName))
  }

  static let cycle = Result { () throws -> AiracCycle in
    let day = try #require(CalendarDay(SheetDesign.sampleCycleDay))
    return try #require(AiracCycle(effective: day))
  }

  static let hard = Result { () throws -> [DrawnChart] in
    try SheetDesign.hard(Edition(of: cycle.get())).map { try DrawnChart($0) }
  }

  static func hard(_ id: String) throws -> DrawnChart {
    try #require(try hard.get().first { $0.design.id == "Hard_\(id)" })
  }

  struct Built {
    let product: Product
    let archive: URL
    /// Keeps the files.
    let folder: TemporaryFolder

    var pack: ChartPack { ChartPack(product: product, archive: archive) }

    func metadata() throws -> [String: String] {
      let reader = try MBTilesReader(opening: archive)
      defer { try? reader.close() }
      return try reader.metadata()
    }

    /// The validator's findings, without missing evidence of placement: some sheets are too small for it.
    func findings() throws -> [Finding] { try allFindings().filter { $0.rule != "place-evidence" } }

    /// - Parameters:
    ///   - beside: products of the same cycle.
    ///   - against: products of earlier cycles.
    func allFindings(beside: [PlacedProduct] = [], against: [PlacedProduct] = []) throws -> [Finding] {
      try CanonicalJSON.pretty(product).write(to: folder.file("chart.product.json"))
      let request = ValidationRequest([folder.url], beside: beside, against: against)
      return try Validator().validate(request, progress: SilentProgress()).findings
    }
  }

  /// Builds the sheet as a family of one chart. `neatline` replaces the definition's; nil keeps the design's.
  func build(
    zooms: ClosedRange<Int>, format: TileSettings.Format = .png, size: Int = 256, jobs: Int = 2,
    neatline: NeatlineDefinition?? = nil
  ) throws -> Built {
    var family = try DrawnChart.family([design], zooms: zooms)
    family.tiles.format = format
    family.tiles.size = size
    if let neatline { family.charts[0].neatline = neatline }
    let request = ChartRequest(
      chart: family.charts[0], family: family, definitionSha256: try SHA256Hex(of: []),
      source: try SourceFolder.file(folder.file(design.zipName)), cycle: try DrawnChart.cycle.get())
    let output = TemporaryFolder()
    let archive = output.file(request.fileName)
    let product = try ChartBuilder.build(
      request, to: archive, control: output.file(request.controlName),
      reference: output.file(request.referenceName), jobs: jobs, progress: SilentProgress(), step: design.id)
    return Built(product: product, archive: archive, folder: output)
  }

  /// The definition as the pipeline reads it.
  static func family(_ designs: [SheetDesign], zooms: ClosedRange<Int>) throws -> ChartFamily {
    let folder = TemporaryFolder()
    let file = folder.file("drawn.json5")
    try CanonicalJSON.pretty(SheetPipeline("drawn", designs, zooms: zooms)).write(to: file)
    guard let family = try PipelineLibrary.read(file) as? ChartFamily else { throw NoCharts() }
    return family
  }

  private struct NoCharts: Error {}
}

/// The border of a drawn sheet's map, by the formulas that drew it.
final class SheetTruth {
  let design: SheetDesign
  private let area: MapArea
  /// The lines around the map that come near a cell of the sheet.
  private var sides: [Cell: [(from: SyntheticSheet.PixelPoint, to: SyntheticSheet.PixelPoint)]] = [:]

  private struct Cell: Hashable {
    let column: Int
    let row: Int
  }

  private static let cell = 16.0
  /// Distances beyond this count as equal.
  static let reach = 12.0

  init(_ design: SheetDesign) {
    self.design = design
    area = MapArea(design)
    for ring in MapBorder(design).rings {
      for (index, to) in ring.enumerated() { add(ring[(index + ring.count - 1) % ring.count], to) }
    }
  }

  private func add(_ from: SyntheticSheet.PixelPoint, _ to: SyntheticSheet.PixelPoint) {
    func cells(_ a: Double, _ b: Double) -> ClosedRange<Int> {
      let low = ((min(a, b) - SheetTruth.reach) / SheetTruth.cell).rounded(.down)
      return Int(low)...Int(((max(a, b) + SheetTruth.reach) / SheetTruth.cell).rounded(.down))
    }
    for row in cells(from.y, to.y) {
      for column in cells(from.x, to.x) {
        sides[Cell(column: column, row: row), default: []].append((from, to))
      }
    }
  }

  /// Where the edges of the outline begin.
  var corners: [SyntheticSheet.PixelPoint] {
    let (edges, solver) = (design.neatline.outline, EdgeSolver(design: design))
    return edges.indices.map { solver.corner(edges[($0 + edges.count - 1) % edges.count], edges[$0]) }
  }

  /// The box around the map; its east runs on beyond 180 where the map does.
  var extent: GeoBox? {
    let ring = MapBorder(design).rings[0]
    guard let box = GeoBox(around: ring.map { design.place(of: $0) }) else { return nil }
    let turn = box.west < -180 ? 360.0 : 0
    return GeoBox(west: box.west + turn, south: box.south, east: box.east + turn, north: box.north)
  }

  /// Pixels of the sheet from a place to the nearest edge of the map; negative outside of it.
  func depth(_ place: GeoPoint) -> Double {
    let pixel = design.pixel(of: place)
    let cell = Cell(
      column: Int((pixel.x / SheetTruth.cell).rounded(.down)),
      row: Int((pixel.y / SheetTruth.cell).rounded(.down)))
    let nearest = (sides[cell] ?? []).map { pixel.distance(toLineFrom: $0.from, to: $0.to) }
      .reduce(SheetTruth.reach, min)
    return area.contains(pixel) ? nearest : -nearest
  }
}

extension SyntheticSheet.PixelPoint {
  fileprivate func distance(toLineFrom a: SyntheticSheet.PixelPoint, to b: SyntheticSheet.PixelPoint)
    -> Double
  {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let share = square > 0 ? min(1, max(0, ((x - a.x) * dx + (y - a.y) * dy) / square)) : 0
    return distance(to: a.offset(share * dx, share * dy))
  }
}

/// Compares a chart's pixels with its sheet's true border, in pixels of the sheet.
struct CutCheck {
  /// The largest distance of a visible pixel outside the map.
  private(set) var collar = -Double.infinity
  /// The largest distance of an invisible pixel inside the map.
  private(set) var hole = -Double.infinity
  private(set) var seen = 0
  private let picture: WorldPicture
  private let truth: SheetTruth

  /// A block of this many pixels a side counts as its middle where that is far enough from the border.
  private static let block = 8

  init(_ picture: WorldPicture, _ truth: SheetTruth) {
    self.picture = picture
    self.truth = truth
    run()
  }

  /// Every pixel of the extent and of a tile around it, in blocks that lie in one tile each.
  private mutating func run() {
    guard let extent = truth.extent else { return }
    let (west, north) = picture.pixel(of: GeoPoint(longitude: extent.west, latitude: extent.north))
    let (east, south) = picture.pixel(of: GeoPoint(longitude: extent.east, latitude: extent.south))
    let margin = picture.tileSize
    let (left, top) = (
      Int(west) / CutCheck.block * CutCheck.block, Int(north) / CutCheck.block * CutCheck.block
    )
    for row in stride(from: top - margin, to: Int(south) + margin, by: CutCheck.block) {
      for column in stride(from: left - margin, to: Int(east) + margin, by: CutCheck.block) {
        look(column, row)
      }
    }
  }

  private mutating func look(_ column: Int, _ row: Int) {
    let half = Double(CutCheck.block) / 2
    let middle = picture.place(x: Double(column) + half, y: Double(row) + half)
    let depth = truth.depth(middle)
    let isFar = abs(depth) >= half * 2.0.squareRoot() * picture.sheetPixels(truth.design, at: middle) + 2
    if isFar, let isVisible = picture.isVisible(column, row, side: CutCheck.block) {
      seen += CutCheck.block * CutCheck.block
      if isVisible { collar = max(collar, -depth) } else { hole = max(hole, depth) }
      return
    }
    for y in row..<row + CutCheck.block {
      for x in column..<column + CutCheck.block {
        let own = isFar ? depth : truth.depth(picture.place(x: Double(x) + 0.5, y: Double(y) + 0.5))
        let alpha = picture[x, y].alpha
        seen += 1
        if alpha > 127 { collar = max(collar, -own) } else { hole = max(hole, own) }
      }
    }
  }
}

/// All tiles of one zoom. Pixels count from the north-western corner of the world, and columns wrap around it.
struct WorldPicture {
  let zoom: Int
  let tileSize: Int
  let tiles: [TileID: RGBAImage]

  init(_ archive: URL, zoom: Int) throws {
    var tiles: [TileID: RGBAImage] = [:]
    let reader = try MBTilesReader(opening: archive)
    try reader.forEachTile { if $0.id.zoom == zoom { tiles[$0.id] = try TileImage.decode($0.data) } }
    try reader.close()
    self.zoom = zoom
    self.tiles = tiles
    tileSize = tiles.values.first?.width ?? 256
  }

  /// Archives on top of each other: each tile comes from the first archive that has it.
  init(stackedFromTop pictures: [WorldPicture]) {
    zoom = pictures[0].zoom
    tileSize = pictures[0].tileSize
    tiles = pictures.reduce(into: [:]) { tiles, picture in tiles.merge(picture.tiles) { upper, _ in upper } }
  }

  /// Transparent where there is no tile.
  subscript(column: Int, row: Int) -> (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
    let around = (column + worldSize) % worldSize
    let id = TileID(zoom: zoom, column: around / tileSize, row: row / tileSize)
    return tiles[id]?[around % tileSize, row % tileSize] ?? (0, 0, 0, 0)
  }

  /// Whether the pixels of a square in one tile are visible; nil if only some of them are.
  func isVisible(_ column: Int, _ row: Int, side: Int) -> Bool? {
    let around = (column + worldSize) % worldSize
    let id = TileID(zoom: zoom, column: around / tileSize, row: row / tileSize)
    guard let tile = tiles[id] else { return false }
    var visible = 0
    for y in row % tileSize..<row % tileSize + side {
      let start = (y * tileSize + around % tileSize) * 4
      for alpha in stride(from: start + 3, to: start + side * 4, by: 4) where tile.pixels[alpha] > 127 {
        visible += 1
      }
    }
    return visible == side * side ? true : visible == 0 ? false : nil
  }

  var worldSize: Int { tileSize << zoom }

  /// The pixel of a place.
  func pixel(of place: GeoPoint) -> (x: Double, y: Double) {
    let (x, y) = WebMercator.project(place)
    let size = Double(worldSize)
    return ((x / WebMercator.halfWorld + 1) / 2 * size, (1 - y / WebMercator.halfWorld) / 2 * size)
  }

  func place(x: Double, y: Double) -> GeoPoint {
    let size = Double(worldSize)
    return WebMercator.unproject(
      x: (x / size * 2 - 1) * WebMercator.halfWorld, y: (1 - y / size * 2) * WebMercator.halfWorld)
  }

  /// Pixels of a sheet for one of the picture.
  func sheetPixels(_ design: SheetDesign, at place: GeoPoint) -> Double {
    let metres = 2 * WebMercator.halfWorld / Double(worldSize) * cos(place.latitude * .pi / 180)
    return metres / design.metresPerPixel
  }

  /// The offset of the centre of a control mark's black disc from its place, in pixels. The mark's ring is excluded.
  func error(of mark: GeoPoint, whiteRadius: Double) -> (x: Double, y: Double) {
    let center = pixel(of: mark)
    let reach = Int(whiteRadius.rounded(.up))
    var sum = (weight: 0.0, x: 0.0, y: 0.0)
    for row in Int(center.y) - reach...Int(center.y) + reach {
      for column in Int(center.x) - reach...Int(center.x) + reach {
        let (dx, dy) = (Double(column) + 0.5 - center.x, Double(row) + 0.5 - center.y)
        guard dx * dx + dy * dy <= whiteRadius * whiteRadius else { continue }
        let weight = 255 - Double(self[column, row].green)
        sum = (sum.weight + weight, sum.x + weight * dx, sum.y + weight * dy)
      }
    }
    return (sum.x / sum.weight, sum.y / sum.weight)
  }
}
