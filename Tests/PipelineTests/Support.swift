import Foundation
import Geo
import Pipeline
import TestSupport
import Testing

/// The families of the repository's own definitions.
func family(_ name: String) throws -> ChartFamily {
  let file = repositoryRoot.appending(path: "pipelines/\(name).json5")
  guard case .charts(let family) = try PipelineDefinition(contentsOf: file).content else {
    throw NoCharts(name: name)
  }
  return family
}

private struct NoCharts: Error {
  let name: String
}

/// A sheet of the FAA's, as far as it is known without its image: the projection and the four edges.
///
/// The standard parallels are 1°20' within the band of eight degrees in which the sheet lies; the central meridian is
/// near the middle of it.
struct NominalSheet {
  private let projection: LambertConformal
  /// Metres on the sheet, where an edge is a cut.
  private var columns = -Double.infinity...Double.infinity
  private var rows = -Double.infinity...Double.infinity
  private var west: Double?
  private var south = -90.0

  init(_ neatline: NeatlineDefinition) throws {
    let places = try neatline.outline.map { try #require($0.place) }
    // The southern edge may lie some minutes below the band.
    let band = ((places[3].latitude - 2) / 8).rounded(.down) * 8
    let reach = (places[2].longitude - places[0].longitude).remainder(dividingBy: 360)
    projection = LambertConformal(
      standardParallels: (band + 20.0 / 3, band + 4.0 / 3),
      origin: GeoPoint(longitude: places[0].longitude + reach / 2, latitude: band + 4))
    let metres = places.map(projection.project)
    var (left, bottom) = (columns.lowerBound, rows.lowerBound)
    if case .meridian(let longitude) = neatline.outline[0] { west = longitude } else { left = metres[0].x }
    if case .parallel(let latitude) = neatline.outline[1] { south = latitude } else { bottom = metres[1].y }
    columns = left...metres[2].x
    rows = bottom...metres[3].y
  }

  /// Whether a place lies within all four edges.
  func contains(_ place: GeoPoint) -> Bool {
    guard place.latitude >= south else { return false }
    if let west, (place.longitude - west).remainder(dividingBy: 360) < 0 { return false }
    let (x, y) = projection.project(place)
    return columns.contains(x) && rows.contains(y)
  }
}

extension NeatlineDefinition.Edge {
  /// A place on it, of which only the coordinate that the edge fixes counts where it is a line of the graticule.
  var place: GeoPoint? {
    switch self {
    case .meridian(let value): GeoPoint(longitude: value, latitude: 0)
    case .parallel(let value): GeoPoint(longitude: 0, latitude: value)
    case .columnThrough(let place), .rowThrough(let place): place
    case .column, .row, .straight: nil
    }
  }
}
