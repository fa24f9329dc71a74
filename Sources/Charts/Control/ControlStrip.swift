internal import Core
internal import CryptoIO
internal import Foundation
internal import ImageIO
internal import Pipeline
internal import RasterIO

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
