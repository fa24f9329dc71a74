internal import Core
internal import Foundation

/// The chart to draw: its archive, neatline, bounds and zooms.
struct PictureSubject {
  let painter: TilePainter
  let name: String
  let zooms: [ZoomSummary]
  /// A chart across 180 degrees extends beyond that line, and so do its bounds.
  let neatline: MercatorNeatline
  let hasNeatline: Bool
  let bounds: PlaneBox

  init(_ source: any TileSource) throws {
    let metadata = try source.metadata()
    zooms = try source.summary().zooms.filter { (0...29).contains($0.zoom) }
    let extent = DeclaredExtent(metadata)
    guard !zooms.isEmpty, let box = extent.adjusted ?? extent.bounds else {
      throw UserError(
        .badInput, operation: "drawing", path: source.url.relativePath,
        reason: "it has no tile, or no bounds that are a box on the earth",
        suggestion: "See what `chartpipe validate` says of it.")
    }
    name = metadata["name"] ?? source.url.lastPathComponent
    bounds = PlaneBox(mercator: box)
    let cut = MercatorNeatline(metadata: metadata)
    hasNeatline = cut != nil
    neatline = cut?.unrolled(from: bounds.minX) ?? MercatorNeatline(around: bounds)
    painter = try TilePainter(source)
  }

  var smallest: Int { zooms.first?.zoom ?? 0 }
  var largest: Int { zooms.last?.zoom ?? 0 }

  func grid(_ zoom: Int) -> PixelGrid { PixelGrid(zoom: zoom, tileSize: painter.tileSize) }
}

/// The middle of an edge of a chart, where a wrong cut would show.
struct CropPlace {
  let name: String
  /// In metres of Web Mercator.
  let point: PlanePoint
  /// The side of the chart, eastward and southward: -1, 0 or 1.
  let side: (x: Int, y: Int)

  /// Returns the edges from north to south. All places lie on the chart's edge, for any form of the chart.
  static func all(of neatline: MercatorNeatline, in box: PlaneBox) -> [CropPlace] {
    let middle = box.center
    let ys = neatline.crossings(\.x, at: middle.x, \.y)
    let xs = neatline.crossings(\.y, at: middle.y, \.x)
    return [
      CropPlace(name: "North edge", point: PlanePoint(x: middle.x, y: ys.max() ?? box.maxY), side: (0, -1)),
      CropPlace(name: "West edge", point: PlanePoint(x: xs.min() ?? box.minX, y: middle.y), side: (-1, 0)),
      CropPlace(name: "East edge", point: PlanePoint(x: xs.max() ?? box.maxX, y: middle.y), side: (1, 0)),
      CropPlace(name: "South edge", point: PlanePoint(x: middle.x, y: ys.min() ?? box.minY), side: (0, 1)),
    ]
  }
}
