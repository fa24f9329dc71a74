internal import Core
internal import Foundation
internal import ImageIO
internal import RasterIO

/// Chooses the reference patches that verify the position of the tiles: in each cell of a grid over the map, the square that
/// differs most from its surroundings one pixel away. It uses integers only, so that all machines choose the same.
struct ReferencePatchSearch {
  let image: SheetImage
  let neatline: Neatline
  /// Pixels along a side of a patch.
  let side: Int
  private let lights: [Int]

  /// Cells along each side of the map.
  private static let cells = 5
  /// Positions tried along each side of a cell. Empty cells get more tries if the first search found few patches.
  private static let tries = 3
  private static let moreTries = 7
  private static let few = 9
  /// Pixels to the neatline. Beyond it the tiles are transparent, and a kernel mixes both sides.
  private static let margin = 16
  /// Wide enough for a patch on the block grid of the inks, too.
  private static let room = 32
  /// The least mean square of differences of neighbouring pixels. Open water and bare land have less, every printed line has
  /// more.
  private static let leastStrength = 40

  init(_ image: SheetImage, neatline: Neatline, side: Int) {
    self.image = image
    self.neatline = neatline
    self.side = side
    lights = image.sheet.lights
  }

  /// Whether a patch with a margin fits into the map at any of the positions tried.
  var hasRoom: Bool {
    guard let box = PlaneBox(around: neatline.ring.map(\.pixel.plane)) else { return false }
    let columns = starts(from: box.minX, to: box.maxX, tries: ReferencePatchSearch.moreTries).joined()
    let rows = starts(from: box.minY, to: box.maxY, tries: ReferencePatchSearch.moreTries).joined()
    return rows.contains { row in columns.contains { isMap($0, row, margin: ReferencePatchSearch.room) } }
  }

  /// The patches from north to south and from west to east, without cells that have none.
  func patches() throws -> [SheetPatch] {
    guard let box = PlaneBox(around: neatline.ring.map(\.pixel.plane)) else { return [] }
    var cells = try bestPatches(in: box, tries: ReferencePatchSearch.tries)
    if cells.joined().count(where: { $0 != nil }) < ReferencePatchSearch.few {
      let more = try bestPatches(in: box, tries: ReferencePatchSearch.moreTries)
      cells = zip(cells, more).map { zip($0, $1).map { $0 ?? $1 } }
    }
    return cells.joined().compactMap(\.self)
  }

  /// One patch for each cell, row by row; nil for a cell without one.
  private func bestPatches(in box: PlaneBox, tries: Int) throws -> [[SheetPatch?]] {
    let columns = starts(from: box.minX, to: box.maxX, tries: tries)
    return try starts(from: box.minY, to: box.maxY, tries: tries).map {
      try bestPatches(rows: $0, columns)
    }
  }

  /// For each cell, where its patches may begin.
  private func starts(from low: Double, to high: Double, tries: Int) -> [[Int]] {
    let (first, length) = (Int(low), Int(high) - Int(low))
    return (0..<ReferencePatchSearch.cells).map { cell in
      let start = first + cell * length / ReferencePatchSearch.cells
      let room = first + (cell + 1) * length / ReferencePatchSearch.cells - start - side
      guard room > 0 else { return [start + room / 2] }
      return (0..<tries).map { start + $0 * room / (tries - 1) }
    }
  }

  /// Returns the best patches of one row of cells. The rows are decoded once for all of them.
  private func bestPatches(rows: [Int], _ columns: [[Int]]) throws -> [SheetPatch?] {
    let least = ReferencePatchSearch.leastStrength * side * side
    var best = [(patch: SheetPatch?, strength: Int)](repeating: (nil, least), count: columns.count)
    for row in rows {
      let open = columns.map { $0.filter { isMap($0, row) } }
      guard open.contains(where: { !$0.isEmpty }) else { continue }
      let band = try image.rows(row..<row + side)
      for (cell, starts) in open.enumerated() {
        for column in starts {
          let strength = patchStrength(
            band.indexes, width: band.width, column: column, side: side, lights: lights)
          guard strength > best[cell].strength else { continue }
          best[cell] = (SheetPatch(of: band, column: column, row: row, side: side), strength)
        }
      }
    }
    return best.map(\.patch)
  }

  private func isMap(_ column: Int, _ row: Int, margin: Int = ReferencePatchSearch.margin) -> Bool {
    let window = PixelWindow(column: column, row: row, width: side, height: side).grown(by: margin)
    return image.sheet.contains(window) && neatline.relation(to: window) == .inside
  }
}

/// The reference patches of a sheet, side by side in one picture.
struct ReferencePatches {
  private(set) var control: Product.Control
  private let colors: [UInt32]
  /// Each patch as palette indexes.
  private var patches: [[UInt8]]

  /// The preferred side of a patch in pixels of the largest zoom, large enough to be located.
  private static let wantedSide = 48
  /// In pixels of the sheet, for sheets that are far finer than the tiles.
  private static let sideLimit = 192
  /// Smaller patches have too little content to compare.
  private static let leastSide = 16

  init(_ image: SheetImage, neatline: Neatline, plan: UnitPlan) throws {
    let scale = plan.scales.largest << (plan.deepest - plan.maxZoom)
    let wanted = min(ReferencePatches.wantedSide * scale / RowScales.unit, ReferencePatches.sideLimit)
    let survey = ReferencePatches.survey(image, neatline, side: wanted)
    let side = survey.side
    let projection = try SpatialReference(wkt: image.projection).lambertConformal
    let patches = projection == nil ? [] : try survey.patches()
    control = Product.Control(
      projection: projection.map {
        Product.Control.Projection(
          standardParallels: $0.standardParallels,
          origin: GeoPoint(longitude: $0.longitude, latitude: $0.latitude), falseEasting: $0.falseEasting,
          falseNorthing: $0.falseNorthing)
      }, placing: image.placing.six, side: side, points: patches.map(\.point))
    colors = image.colors
    self.patches = patches.map(\.indexes)
  }

  /// Uses smaller patches if the map is too small for the preferred side.
  private static func survey(_ image: SheetImage, _ neatline: Neatline, side: Int) -> ReferencePatchSearch {
    let survey = ReferencePatchSearch(image, neatline: neatline, side: side)
    guard !survey.hasRoom, side / 2 >= leastSide else { return survey }
    return self.survey(image, neatline, side: side / 2)
  }

  /// Adds patches that show each colour of the sheet. Skipped if the sheet's position is unknown.
  mutating func add(_ inks: InkPatches) {
    guard control.projection != nil else { return }
    let chosen = inks.chosen()
    control.inkPoints = chosen.map(\.point)
    patches += chosen.map(\.indexes)
  }

  /// Writes the picture and returns the file as the product lists it; nil without patches.
  func write(to scratch: URL, as name: String) throws -> Product.File? {
    guard !patches.isEmpty else { return nil }
    let side = control.side
    let rows = (0..<side).flatMap { row in
      patches.flatMap { $0[row * side..<(row + 1) * side] }
    }
    let png = try PNG.encode(indexes: rows, of: colors, width: side * patches.count, height: side)
    return try Product.File(writing: png, to: scratch, named: name, role: .control)
  }
}
