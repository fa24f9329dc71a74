internal import CryptoIO
internal import Foundation
internal import Geo
internal import ImageIO
internal import Pipeline
internal import RasterIO

/// Pieces of the sheet in one picture beside each other, for a product that is to prove where its tiles lie.
struct ControlStrip {
  let control: Product.Control
  /// Nil where there are no pieces.
  let png: [UInt8]?

  /// Pixels of the largest zoom that a piece should have along a side, so that its place can be told.
  private static let wantedSide = 48
  /// Of the sheet's, where that is far finer than the tiles.
  private static let sideLimit = 192

  init(_ image: SheetImage, neatline: Neatline, plan: UnitPlan) throws {
    let scale = plan.scales.largest << (plan.deepest - plan.maxZoom)
    let side = min(ControlStrip.wantedSide * scale / RowScales.unit, ControlStrip.sideLimit)
    let projection = try SpatialReference(wkt: image.projection).lambertConformal
    let pieces =
      projection == nil ? [] : try ControlSurvey(image, neatline: neatline, side: side).pieces()
    control = Product.Control(
      projection: projection.map { Product.Control.Projection($0) }, placing: image.placing.six, side: side,
      points: pieces.map { Product.Control.Point(column: $0.column, row: $0.row) })
    var strip = RGBAImage(width: side * pieces.count, height: side)
    for (number, piece) in pieces.enumerated() {
      strip.paste(piece.picture, column: number * side, row: 0)
    }
    png = pieces.isEmpty ? nil : try PNG.encode(strip)
  }

  /// Gives the file that was written, as the product lists it.
  func write(to scratch: URL, as name: String) throws -> Product.File? {
    guard let png else { return nil }
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
