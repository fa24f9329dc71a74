internal import Core
internal import Foundation

/// A drawn sheet: one palette index a pixel, row by row from the north.
public struct SheetDrawing: Sendable {
  public let width: Int
  public let height: Int
  public let pixels: [UInt8]

  /// Draws the design, from the ground up.
  public init(_ design: SheetDesign) {
    var canvas = Canvas(width: design.width, height: design.height, area: MapArea(design))
    if design.scenery.isFromAfar {
      AtlasPainter(design).paint(&canvas)
    } else {
      SheetDrawing.paintCloseUp(design, &canvas)
    }
    CollarPainter(design: design).paint(&canvas)

    for patch in design.patches { PatchPainter(patch: patch).paint(&canvas) }

    width = design.width
    height = design.height
    let printed = canvas.indices(with: design.insets)
    pixels =
      design.scenery.isBlurred
      ? BlurredPrint(of: design.scenery).blurred(printed, width: width, height: height) : printed
  }

  private static func paintCloseUp(_ design: SheetDesign, _ canvas: inout Canvas) {
    let terrain = Terrain(
      fields: design.features.airports.map { (design.spot(of: $0.position), $0.elevation) })
    let settlements = Settlements(from: design.stretch.low, to: design.stretch.high, terrain: terrain)
    var labels = LabelField(width: design.width, height: design.height)
    let culture = CulturePainter(design: design, terrain: terrain, settlements: settlements)
    let graticule = GraticulePainter(design: design, terrain: terrain)
    let airspace = AirspacePainter(design: design)
    let airports = AirportPainter(design: design)

    TerrainPainter(design, terrain: terrain, settlements: settlements).paint(&canvas)
    let detail = DetailPainter(design: design, terrain: terrain)
    if design.scenery.isDense { detail.paintTracks(&canvas) }
    culture.paintLines(&canvas)
    airspace.paintAirways(&canvas)
    airspace.paintRings(&canvas)
    graticule.reserve(&labels)
    graticule.paintElevationFigures(&canvas, &labels)
    airports.paintSymbols(&canvas, &labels)
    airspace.paintRoses(&canvas, &labels)
    airports.paintData(&canvas, &labels)
    culture.paintNames(&canvas, &labels)
    if design.scenery.isDense { detail.paintHeights(&canvas, &labels) }
    culture.paintWaterNames(&canvas)
    graticule.paintLines(&canvas)
    graticule.paintControlMarks(&canvas)
  }
}

extension Canvas {
  /// The two planes as one of palette indices, and the insets in their places.
  func indices(with insets: [SheetInset]) -> [UInt8] {
    var indices = [UInt8](repeating: 0, count: ground.count)
    for index in indices.indices {
      indices[index] = SheetPalette.index(ground: ground[index], ink: ink[index])
    }
    for inset in insets { print(inset, on: &indices) }
    return indices
  }

  private func print(_ inset: SheetInset, on indices: inout [UInt8]) {
    let drawing = SheetDrawing(inset.design)
    let band = inset.band
    let (sine, cosine) = (sin(inset.turn * .pi / 180), cos(inset.turn * .pi / 180))
    let middle = (x: Double(drawing.width) / 2, y: Double(drawing.height) / 2)
    let reach = band + Int(abs(sine) * Double(max(drawing.width, drawing.height)))
    for row in max(0, inset.row - reach)..<min(height, inset.row + drawing.height + reach) {
      for column in max(0, inset.column - reach)..<min(width, inset.column + drawing.width + reach) {
        let x = Double(column - inset.column) + 0.5 - middle.x
        let y = Double(row - inset.row) + 0.5 - middle.y
        let across = Int((middle.x + x * cosine + y * sine).rounded(.down))
        let down = Int((middle.y + y * cosine - x * sine).rounded(.down))
        if (0..<drawing.width).contains(across), (0..<drawing.height).contains(down) {
          indices[row * width + column] = drawing.pixels[down * drawing.width + across]
        } else if (-band..<drawing.width + band).contains(across),
          (-band..<drawing.height + band).contains(down), area.contains(column: column, row: row)
        {
          indices[row * width + column] = 0
        }
      }
    }
  }
}
