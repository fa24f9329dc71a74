internal import Geo

/// A drawn sheet: one palette index a pixel, row by row from the north.
public struct SheetDrawing: Sendable {
  public let width: Int
  public let height: Int
  public let pixels: [UInt8]

  /// Draws the design, from the ground up.
  public init(_ design: SheetDesign) {
    let terrain = Terrain(airports: design.features.airports)
    let settlements = Settlements(in: design.envelope, terrain: terrain)
    var canvas = Canvas(width: design.width, height: design.height, area: MapArea(design))
    var labels = LabelField(width: design.width, height: design.height)
    let culture = CulturePainter(design: design, terrain: terrain, settlements: settlements)
    let graticule = GraticulePainter(design: design, terrain: terrain)
    let airspace = AirspacePainter(design: design)
    let airports = AirportPainter(design: design)

    TerrainPainter(design, terrain: terrain, settlements: settlements).paint(&canvas)
    culture.paintLines(&canvas)
    airspace.paintAirways(&canvas)
    airspace.paintRings(&canvas)
    graticule.reserve(&labels)
    graticule.paintElevationFigures(&canvas, &labels)
    airports.paintSymbols(&canvas, &labels)
    airspace.paintRoses(&canvas, &labels)
    airports.paintData(&canvas, &labels)
    culture.paintNames(&canvas, &labels)
    culture.paintWaterNames(&canvas)
    graticule.paintLines(&canvas)
    graticule.paintControlMarks(&canvas)
    CollarPainter(design: design).paint(&canvas)

    width = design.width
    height = design.height
    pixels = canvas.indices()
  }
}

extension Canvas {
  /// The two planes as one of palette indices.
  func indices() -> [UInt8] {
    var indices = [UInt8](repeating: 0, count: ground.count)
    for index in indices.indices {
      indices[index] = SheetPalette.index(ground: ground[index], ink: ink[index])
    }
    return indices
  }
}
