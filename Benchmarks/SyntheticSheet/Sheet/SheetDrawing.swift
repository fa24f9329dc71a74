internal import Geo

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

    width = design.width
    height = design.height
    pixels = canvas.indices(with: design.insets)
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
    for inset in insets {
      let drawing = SheetDrawing(inset.design)
      for row in 0..<drawing.height {
        let start = (inset.row + row) * width + inset.column
        indices.replaceSubrange(
          start..<start + drawing.width,
          with: drawing.pixels[row * drawing.width..<(row + 1) * drawing.width])
      }
    }
    return indices
  }
}
