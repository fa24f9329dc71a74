internal import Foundation
internal import Geo
public import Pipeline

/// A chart of a definition as a sheet seen from afar: in a projection of its own, with the map inside the definition's
/// outline and the collar as the FAA leaves it: broad in the west, narrow in the south, cut off in the east and north.
extension SheetDesign {
  /// Of the shorter side of the map. A chart of a small place is drawn at a larger scale instead.
  private static let fewestPixels = 300.0
  private static let collar = (west: 90_000.0, south: 25_000.0)
  /// Pixels of paper beyond the cuts in the east and north.
  private static let rim = 4.0

  /// Nil for a chart of which the definition does not tell four edges and nobody else does.
  public init?(_ chart: ChartDefinition, metresPerPixel: Double, edition: Edition) {
    guard let outline = chart.neatline?.outline ?? SheetDesign.pacificOutlines[chart.id],
      let box = SheetDesign.box(of: outline)
    else { return nil }
    let middle = box.center
    let band = (middle.latitude / 8).rounded(.down) * 8
    let metres = min(metresPerPixel, box.shorterSide / SheetDesign.fewestPixels)
    self.init(
      name: chart.name, series: .sectional,
      projection: LambertConformal(standardParallels: (band + 20.0 / 3, band + 4.0 / 3), origin: middle),
      metresPerPixel: metres, width: 0, height: 0, originX: 0, originY: 0,
      neatline: NeatlineDefinition(outline: outline), edition: edition,
      features: SheetFeatures(airports: [], navaids: [], airspace: [:]))
    scenery.isFromAfar = true
    frame()
  }

  /// Lays the image around the map.
  private mutating func frame() {
    let border = MapBorder(self).rings[0]
    let (xs, ys) = (border.map(\.x), border.map(\.y))
    let left = (xs.min() ?? 0) - (SheetDesign.collar.west / metresPerPixel).rounded(.up)
    let top = (ys.min() ?? 0) - SheetDesign.rim
    let right = (xs.max() ?? 0) + SheetDesign.rim
    let bottom = (ys.max() ?? 0) + (SheetDesign.collar.south / metresPerPixel).rounded(.up)
    width = Int((right - left).rounded(.up))
    height = Int((bottom - top).rounded(.up))
    originX = (left * metresPerPixel).rounded()
    originY = (-top * metresPerPixel).rounded()
  }

  /// The extent that four edges tell, its east beyond 180 where it lies across.
  private static func box(of outline: [NeatlineDefinition.Edge]) -> GeoBox? {
    guard outline.count == 4 else { return nil }
    let told = outline.map(\.told)
    guard let west = told[0].longitude, let south = told[1].latitude, let east = told[2].longitude,
      let north = told[3].latitude
    else { return nil }
    return GeoBox(west: west, south: south, east: east < west ? east + 360 : east, north: north)
  }

  /// About where the charts lie whose neatlines the build has to find.
  private static let pacificOutlines: [String: [NeatlineDefinition.Edge]] = [
    "Hawaiian_Islands": GeoBox(west: -161, south: 18.5, east: -154.11, north: 23.6),
    "Honolulu_Inset": GeoBox(west: -158.5, south: 20.75, east: -157.35, north: 21.6),
    "Mariana_Islands_Inset": GeoBox(west: 143, south: 12.75, east: 146.54, north: 16.1),
    "Samoan_Islands_Inset": GeoBox(west: -172.75, south: -14.75, east: -169.35, north: -13.2),
  ].mapValues { box in
    [
      .meridian(box.west), .parallel(box.south),
      .columnThrough(GeoPoint(longitude: box.east, latitude: box.north)),
      .rowThrough(GeoPoint(longitude: box.west, latitude: box.north)),
    ]
  }
}

extension NeatlineDefinition.Edge {
  /// What an edge tells of the extent.
  fileprivate var told: (longitude: Double?, latitude: Double?) {
    switch self {
    case .meridian(let degrees): (degrees, nil)
    case .parallel(let degrees): (nil, degrees)
    case .columnThrough(let place), .rowThrough(let place): (place.longitude, place.latitude)
    case .column, .row, .straight: (nil, nil)
    }
  }
}

extension GeoBox {
  /// In metres, roughly.
  fileprivate var shorterSide: Double {
    let degree = 111_000.0
    return min(north - south, (east - west) * cos(center.latitude * .pi / 180)) * degree
  }
}
