internal import ChartpipeKit
internal import Core
internal import Foundation

/// A square of a dense sheet: relief, contour lines, symbols and lettering.
///
/// Drawing a dense sheet takes minutes, and a country has more than a hundred of them. A square that is drawn once and
/// repeated has the same density.
public struct SheetTexture: Sendable {
  static let side = 2048
  /// The grounds of the palette, in rows.
  let ground: [UInt8]
  let ink: [UInt8]

  /// Draws a square of the full-size sheet, in the foothills.
  public init(_ edition: Edition, _ features: SheetFeatures) {
    var square = SheetDesign.fullSize(.full, edition, features)
    let side = SheetTexture.side
    (square.width, square.height) = (side, side)
    (square.originX, square.originY) = (0, 60_000)
    square.neatline = NeatlineDefinition(outline: [
      .column(0), .row(Double(side)), .column(Double(side)), .row(0),
    ])
    var canvas = Canvas(width: side, height: side, area: MapArea(square))
    SheetDrawing.paintCloseUp(square, &canvas, hasGraticule: false)
    (ground, ink) = (canvas.ground, canvas.ink)
  }
}

/// Draws seas and heights as `AtlasPainter` does, with less sea, and the details of a texture on the land.
struct TexturePainter {
  private let design: SheetDesign
  private let texture: SheetTexture
  private let shades: Int
  /// Pixels between two computed heights. Heights between them are interpolated.
  private static let step = 8
  /// Raises the land, so that about as much of the charts is sea as on the FAA's.
  private static let lift = 0.25

  init(_ design: SheetDesign, _ texture: SheetTexture) {
    self.design = design
    self.texture = texture
    shades = SheetPalette.shades(of: design.scenery)
  }

  func paint(_ canvas: inout Canvas) {
    let step = TexturePainter.step
    var upper = heights(along: 0, width: canvas.width)
    for top in stride(from: 0, to: canvas.height, by: step) {
      let lower = heights(along: top + step, width: canvas.width)
      for row in top..<min(top + step, canvas.height) {
        let part = (Float(row - top) + 0.5) / Float(step)
        paint(row, zip(upper, lower).map { $0 + ($1 - $0) * part }, &canvas)
      }
      upper = lower
    }
    AtlasPainter(design).legend(&canvas)
    GraticulePainter(design: design, terrain: Terrain(fields: [])).paintLines(&canvas)
  }

  private func heights(along row: Int, width: Int) -> [Float] {
    let atlas = AtlasPainter(design)
    return stride(from: 0, through: width + TexturePainter.step, by: TexturePainter.step).map { column in
      let place = design.place(of: PixelPoint(x: Double(column), y: Double(row)))
      return Float(atlas.height(at: place) + TexturePainter.lift)
    }
  }

  private func paint(_ row: Int, _ heights: [Float], _ canvas: inout Canvas) {
    let side = SheetTexture.side
    let source = row % side * side
    for column in 0..<canvas.width where canvas.area.contains(column: column, row: row) {
      let cell = column / TexturePainter.step
      let part = (Float(column % TexturePainter.step) + 0.5) / Float(TexturePainter.step)
      let height = heights[cell] + (heights[cell + 1] - heights[cell]) * part
      let place = row * canvas.width + column
      if height < 0 {
        canvas.ground[place] = AtlasPainter.sea(Double(height))
        continue
      }
      let detail = source + column % side
      canvas.ground[place] = ground(height, texture.ground[detail])
      canvas.ink[place] = texture.ink[detail]
    }
  }

  /// Towns and lakes are the texture's. On land the tint is the atlas's and the light the texture's.
  @inline(__always)
  private func ground(_ height: Float, _ detail: UInt8) -> UInt8 {
    let land = SheetPalette.Ground.land
    guard detail >= land else { return detail }
    let shade = (detail - land) % UInt8(shades)
    return land + UInt8(AtlasPainter.tint(Double(height)) * shades) + shade
  }
}
