internal import Core
internal import Foundation
internal import Pipeline

/// A chart of a definition as a sheet seen from afar: in a projection of its own, with the map inside the definition's
/// outline and the collar as the FAA leaves it: broad in the west, narrow in the south, cut off in the east and north.
extension SheetDesign {
  private static let collar = (west: 90_000.0, south: 25_000.0)
  /// Pixels of paper beyond the cuts in the east and north.
  private static let rim = 4.0

  /// Nil for an outline whose edges do not tell an extent.
  init?(
    _ chart: ChartDefinition, _ outline: [NeatlineDefinition.Edge], metresPerPixel: Double,
    fewestPixels: Int, edition: Edition
  ) {
    guard let box = SheetDesign.box(of: outline) else { return nil }
    let middle = box.center
    let band = (middle.latitude / 8).rounded(.down) * 8
    let metres = min(metresPerPixel, box.shorterSide(of: outline) / Double(fewestPixels))
    self.init(
      name: chart.name, series: .sectional,
      projection: LambertConformal(standardParallels: (band + 20.0 / 3, band + 4.0 / 3), origin: middle),
      metresPerPixel: metres, width: 0, height: 0, originX: 0, originY: 0,
      neatline: NeatlineDefinition(outline: outline), edition: edition,
      features: SheetFeatures(airports: [], navaids: [], airspace: [:]))
    givenStem = chart.tif.hasSuffix(".tif") ? String(chart.tif.dropLast(4)) : chart.tif
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

  /// The extent that the edges tell, its east beyond 180 where it lies across.
  private static func box(of outline: [NeatlineDefinition.Edge]) -> GeoBox? {
    let told = outline.map(\.told)
    let latitudes = told.flatMap(\.latitudes)
    guard let first = told.flatMap(\.longitudes).first, let south = latitudes.min(),
      let north = latitudes.max()
    else { return nil }
    // Counted from the first one, so that they run on across 180 degrees.
    let longitudes = told.flatMap(\.longitudes).map { first + ($0 - first).remainder(dividingBy: 360) }
    guard let west = longitudes.min(), let east = longitudes.max(), west < east, south < north else {
      return nil
    }
    return GeoBox(west: west, south: south, east: east, north: north)
  }
}

extension NeatlineDefinition.Edge {
  /// What an edge tells of the extent: of a cut, only what it is a cut of.
  fileprivate var told: (longitudes: [Double], latitudes: [Double]) {
    switch self {
    case .meridian(let degrees): ([degrees], [])
    case .parallel(let degrees): ([], [degrees])
    case .columnThrough(let place): ([place.longitude], [])
    case .rowThrough(let place): ([], [place.latitude])
    case .straight(let a, let b): ([a.longitude, b.longitude], [a.latitude, b.latitude])
    case .column, .row: ([], [])
    }
  }
}

extension GeoBox {
  /// Of a map in metres, roughly. A map between straight edges is tilted, and narrower than the box around it.
  fileprivate func shorterSide(of outline: [NeatlineDefinition.Edge]) -> Double {
    let degree = 111_000.0
    let shrink = cos(center.latitude * .pi / 180)
    let straights = outline.compactMap { edge -> Double? in
      guard case .straight(let from, let to) = edge else { return nil }
      return hypot(to.latitude - from.latitude, (to.longitude - from.longitude) * shrink)
    }
    return ([north - south, (east - west) * shrink] + straights).min().map { $0 * degree } ?? 0
  }
}
