import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The families of the repository's own definitions.
func family(_ name: String) throws -> ChartFamily {
  let file = repositoryRoot.appending(path: "pipelines/\(name).json5")
  guard let family = try PipelineLibrary.read(file) as? ChartFamily else { throw NoCharts(name: name) }
  return family
}

private struct NoCharts: Error {
  let name: String
}

/// A sheet of the FAA's, as far as it is known without its image: the projection and the outline.
///
/// The standard parallels are 1°20' within the band of eight degrees in which the sheet lies; the central meridian is
/// near the middle of it.
struct NominalSheet {
  private typealias Point = (x: Double, y: Double)

  private let projection: LambertConformal
  /// In metres on the sheet.
  private let edges: [(one: Point, other: Point)]
  private let frame: (x: ClosedRange<Double>, y: ClosedRange<Double>)
  /// Metres. A place on an edge lies on the sheet, and the chords of a parallel run beside it.
  private static let tolerance = 300.0
  private static let chords = 16

  init(_ neatline: NeatlineDefinition) throws {
    let outline = neatline.outline
    let places = try outline.map { try #require($0.place) }
    let longitudes = outline.indices.filter { !outline[$0].isParallel }.map { places[$0].longitude }
    let latitudes = outline.indices.filter { !outline[$0].isMeridian }.map { places[$0].latitude }
    let (north, west) = (try #require(latitudes.max()), longitudes[0])
    // The southern edge may lie some minutes below the band.
    let band = ((north - 2) / 8).rounded(.down) * 8
    let reach = longitudes.map { ($0 - west).remainder(dividingBy: 360) }.max() ?? 0
    let cone = LambertConformal(
      standardParallels: (band + 20.0 / 3, band + 4.0 / 3),
      origin: GeoPoint(longitude: west + reach / 2, latitude: band + 4))
    let corners = outline.indices.map { index in
      NominalSheet.corner(outline[(index + outline.count - 1) % outline.count], outline[index], cone)
    }
    projection = cone
    let ring = outline.indices.flatMap { index in
      NominalSheet.points(from: corners[index], to: corners[(index + 1) % corners.count], cone)
    }
    edges = Array(zip(ring, ring.dropFirst() + ring.prefix(1)))
    let (xs, ys, rim) = (ring.map(\.x).sorted(), ring.map(\.y).sorted(), NominalSheet.tolerance)
    frame = (xs[0] - rim...xs[xs.count - 1] + rim, ys[0] - rim...ys[ys.count - 1] + rim)
  }

  /// Where two edges meet. From one to the other only the coordinate that each of them fixes is kept.
  private static func corner(
    _ one: NeatlineDefinition.Edge, _ other: NeatlineDefinition.Edge, _ cone: LambertConformal
  ) -> GeoPoint {
    var place = cone.origin
    for _ in 0..<40 {
      for edge in [one, other] {
        let (x, y) = cone.project(place)
        switch edge {
        case .meridian(let longitude): place.longitude = longitude
        case .parallel(let latitude): place.latitude = latitude
        case .columnThrough(let through): place = cone.unproject(x: cone.project(through).x, y: y)
        case .rowThrough(let through): place = cone.unproject(x: x, y: cone.project(through).y)
        case .column, .row, .straight: break
        }
      }
    }
    return place
  }

  /// Points from a corner up to the next one, which is excluded. An edge follows the graticule if its ends have the same
  /// longitude or latitude; otherwise it is straight on the sheet.
  private static func points(from start: GeoPoint, to end: GeoPoint, _ cone: LambertConformal) -> [Point] {
    let reach = (end.longitude - start.longitude).remainder(dividingBy: 360)
    let isGraticule = abs(reach) < 1e-6 || abs(end.latitude - start.latitude) < 1e-6
    let (from, to) = (cone.project(start), cone.project(end))
    return (0..<chords).map { step in
      let share = Double(step) / Double(chords)
      guard isGraticule else { return (from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)) }
      let place = GeoPoint(
        longitude: start.longitude + share * reach,
        latitude: start.latitude + share * (end.latitude - start.latitude))
      return cone.project(place)
    }
  }

  /// Whether a place lies within the outline or on it.
  func contains(_ place: GeoPoint) -> Bool {
    guard abs((place.longitude - projection.origin.longitude).remainder(dividingBy: 360)) < 20,
      abs(place.latitude - projection.origin.latitude) < 10
    else { return false }
    let (x, y) = projection.project(place)
    guard frame.x.contains(x), frame.y.contains(y) else { return false }
    // Loops over indexes are many times as fast as closures in debug builds.
    var isInside = false
    for index in 0..<edges.count {
      let (one, other) = edges[index]
      if (one.y > y) != (other.y > y), x < one.x + (y - one.y) * (other.x - one.x) / (other.y - one.y) {
        isInside.toggle()
      }
    }
    return isInside || edges.contains { isNear(Point(x, y), $0, $1) }
  }

  private func isNear(_ point: Point, _ one: Point, _ other: Point) -> Bool {
    let (dx, dy) = (other.x - one.x, other.y - one.y)
    let along = (point.x - one.x) * dx + (point.y - one.y) * dy
    let share = min(1, max(0, along / max(1, dx * dx + dy * dy)))
    return hypot(point.x - one.x - share * dx, point.y - one.y - share * dy) < NominalSheet.tolerance
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

  fileprivate var isMeridian: Bool { if case .meridian = self { true } else { false } }
  fileprivate var isParallel: Bool { if case .parallel = self { true } else { false } }
}
