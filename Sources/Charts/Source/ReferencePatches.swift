internal import Core
internal import CryptoIO
internal import Foundation
internal import ImageIO
internal import Pipeline
internal import RasterIO

/// Chooses the places of a sheet by which the placing of its tiles can be proved: one in each cell of a grid over the map,
/// where it is least like what lies a pixel beside it. All in whole numbers, so that every machine chooses the same.
struct ControlSurvey {
  let image: SheetImage
  let neatline: Neatline
  /// Pixels along a side of a piece.
  let side: Int
  private let lights: [Int]

  struct Piece {
    let column: Int
    let row: Int
    let strength: Int
    let indexes: [UInt8]
  }

  /// Cells along each side of the map.
  private static let cells = 5
  /// Places that are looked at along each side of a cell; of an empty cell more, where the first look found few pieces.
  private static let tries = 3
  private static let moreTries = 7
  private static let few = 9
  /// Pixels to the neatline: beyond it the tiles are transparent, and a kernel mixes both.
  private static let margin = 16
  /// So wide that a piece on the inks' grid of blocks fits too.
  private static let room = 32
  /// The mean square of what lies between two pixels. Open water and bare land have less; every line of print has more.
  private static let leastStrength = 40

  init(_ image: SheetImage, neatline: Neatline, side: Int) {
    self.image = image
    self.neatline = neatline
    self.side = side
    lights = image.colors.map { color in
      let channels = withUnsafeBytes(of: color) { $0.prefix(3).map { Int($0) } }
      return (2 * channels[0] + 5 * channels[1] + channels[2]) / 8
    }
  }

  /// Whether a piece fits into the map at any of the places that are looked at, with room around it.
  var hasRoom: Bool {
    guard let box = PlaneBox(around: neatline.ring.map(\.pixel.plane)) else { return false }
    let columns = starts(from: box.minX, to: box.maxX, tries: ControlSurvey.moreTries).joined()
    let rows = starts(from: box.minY, to: box.maxY, tries: ControlSurvey.moreTries).joined()
    return rows.contains { row in columns.contains { isMap($0, row, margin: ControlSurvey.room) } }
  }

  /// From north to south and from west to east; those of cells that have none are left out.
  func pieces() throws -> [Piece] {
    guard let box = PlaneBox(around: neatline.ring.map(\.pixel.plane)) else { return [] }
    var cells = try bestPieces(in: box, tries: ControlSurvey.tries)
    if cells.joined().count(where: { $0 != nil }) < ControlSurvey.few {
      let more = try bestPieces(in: box, tries: ControlSurvey.moreTries)
      cells = zip(cells, more).map { zip($0, $1).map { $0 ?? $1 } }
    }
    return cells.joined().compactMap(\.self)
  }

  /// One for each cell, row by row; nil for a cell that has none.
  private func bestPieces(in box: PlaneBox, tries: Int) throws -> [[Piece?]] {
    let columns = starts(from: box.minX, to: box.maxX, tries: tries)
    return try starts(from: box.minY, to: box.maxY, tries: tries).map {
      try bestPieces(rows: $0, columns)
    }
  }

  /// For each cell, where pieces in it may begin.
  private func starts(from low: Double, to high: Double, tries: Int) -> [[Int]] {
    let (first, length) = (Int(low), Int(high) - Int(low))
    return (0..<ControlSurvey.cells).map { cell in
      let start = first + cell * length / ControlSurvey.cells
      let room = first + (cell + 1) * length / ControlSurvey.cells - start - side
      guard room > 0 else { return [start + room / 2] }
      return (0..<tries).map { start + $0 * room / (tries - 1) }
    }
  }

  /// Of one row of cells. Its rows are decoded once for all of them.
  private func bestPieces(rows: [Int], _ columns: [[Int]]) throws -> [Piece?] {
    var best = [Piece?](repeating: nil, count: columns.count)
    for row in rows {
      let open = columns.map { $0.filter { isMap($0, row) } }
      guard open.contains(where: { !$0.isEmpty }) else { continue }
      let band = try image.rows(row..<row + side)
      for (cell, starts) in open.enumerated() {
        for column in starts {
          let strength = strength(of: band, column)
          guard strength > best[cell]?.strength ?? ControlSurvey.leastStrength * side * side else { continue }
          best[cell] = Piece(
            column: column, row: row, strength: strength,
            indexes: band.square(column: column, row: row, side: side))
        }
      }
    }
    return best
  }

  private func isMap(_ column: Int, _ row: Int, margin: Int = ControlSurvey.margin) -> Bool {
    let window = PixelWindow(
      column: column - margin, row: row - margin, width: side + 2 * margin, height: side + 2 * margin)
    let isOnSheet =
      window.column >= 0 && window.row >= 0 && window.column + window.width <= image.width
      && window.row + window.height <= image.height
    return isOnSheet && neatline.relation(to: window) == .inside
  }

  /// By how much a piece differs from itself when it is moved in the direction in which that shows least, about: the
  /// determinant of its structure tensor over the trace.
  private func strength(of band: SheetRows, _ column: Int) -> Int {
    var (acrossAcross, downDown, acrossDown) = (0, 0, 0)
    for row in 0..<side - 1 {
      for start in row * band.width + column..<row * band.width + column + side - 1 {
        let light = lights[Int(band.indexes[start])]
        let across = lights[Int(band.indexes[start + 1])] - light
        let down = lights[Int(band.indexes[start + band.width])] - light
        acrossAcross += across * across
        downDown += down * down
        acrossDown += across * down
      }
    }
    let trace = acrossAcross + downDown
    return trace > 0 ? (acrossAcross * downDown - acrossDown * acrossDown) / trace : 0
  }
}

extension SheetRows {
  /// A square of the sheet, row by row. All of it must be among the rows.
  func square(column: Int, row: Int, side: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: side * side) { buffer, count in
      for line in 0..<side {
        let start = (row + line - range.lowerBound) * width + column
        _ = buffer[line * side..<(line + 1) * side].initialize(fromContentsOf: indexes[start..<start + side])
      }
      count = side * side
    }
  }
}

/// Pieces of the sheet in one picture beside each other, for a product that is to prove where its tiles lie.
struct ControlStrip {
  private(set) var control: Product.Control
  private let colors: [UInt32]
  /// Each as indexes of the sheet's colours.
  private var pieces: [[UInt8]]

  /// Pixels of the largest zoom that a piece should have along a side, so that its place can be told.
  private static let wantedSide = 48
  /// Of the sheet's, where that is far finer than the tiles.
  private static let sideLimit = 192
  /// In a smaller piece there is too little to compare.
  private static let leastSide = 16

  init(_ image: SheetImage, neatline: Neatline, plan: UnitPlan) throws {
    let scale = plan.scales.largest << (plan.deepest - plan.maxZoom)
    let wanted = min(ControlStrip.wantedSide * scale / RowScales.unit, ControlStrip.sideLimit)
    let survey = ControlStrip.survey(image, neatline, side: wanted)
    let side = survey.side
    let projection = try SpatialReference(wkt: image.projection).lambertConformal
    let pieces = projection == nil ? [] : try survey.pieces()
    control = Product.Control(
      projection: projection.map { Product.Control.Projection($0) }, placing: image.placing.six, side: side,
      points: pieces.map { Product.Control.Point(column: $0.column, row: $0.row) })
    colors = image.colors
    self.pieces = pieces.map(\.indexes)
  }

  /// With smaller pieces where the map is too small for any of the wanted side.
  private static func survey(_ image: SheetImage, _ neatline: Neatline, side: Int) -> ControlSurvey {
    let survey = ControlSurvey(image, neatline: neatline, side: side)
    guard !survey.hasRoom, side / 2 >= leastSide else { return survey }
    return self.survey(image, neatline, side: side / 2)
  }

  /// Adds pieces that show each colour of the sheet, where the sheet's place on the earth is known.
  mutating func add(_ inks: InkSurvey) {
    guard control.projection != nil else { return }
    let chosen = inks.chosen()
    control.inkPoints = chosen.map { Product.Control.Point(column: $0.column, row: $0.row) }
    pieces += chosen.map(\.indexes)
  }

  /// Gives the file that was written, as the product lists it.
  func write(to scratch: URL, as name: String) throws -> Product.File? {
    guard !pieces.isEmpty else { return nil }
    let side = control.side
    let rows = (0..<side).flatMap { row in
      pieces.flatMap { $0[row * side..<(row + 1) * side] }
    }
    let png = try PNG.encode(indexes: rows, of: colors, width: side * pieces.count, height: side)
    try Data(png).write(to: scratch)
    return Product.File(
      path: name, sha256: try SHA256Hex(of: png), bytes: png.count, mediaType: "image/png",
      role: Product.Control.role)
  }
}

extension Product.Control.Projection {
  fileprivate init(_ parameters: LambertParameters) {
    self.init(
      standardParallels: [parameters.standardParallels.0, parameters.standardParallels.1],
      origin: GeoPoint(longitude: parameters.longitude, latitude: parameters.latitude),
      falseEasting: parameters.falseEasting, falseNorthing: parameters.falseNorthing)
  }
}
