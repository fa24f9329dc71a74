internal import Core
internal import Foundation
internal import RasterIO

/// Where an airport diagram lies on the earth according to its printed ticks.
///
/// A diagram is true to scale, so one scale and one direction must explain all ticks, of latitudes and of longitudes. A wrong place would
/// be worse than none. Over the few kilometres of a diagram, the curvature of the earth amounts to less than a metre.
struct TickPlacement {
  /// The ticks of latitudes or of longitudes, in degrees of latitude.
  private struct Family {
    var middle = PagePoint.zero
    var mean = 0.0
    /// The distance of the outer ticks, and how many there are.
    var (extent, count) = (0.0, 0)
    /// The ends of the strokes: what the scale is multiplied with, and the resulting difference to the mean.
    var ends: [(factors: PagePoint, rise: Double)] = []

    init(_ ticks: [PrintedTick], isLatitude: Bool, unit: Double) {
      let ends = ticks.filter { $0.label.isLatitude == isLatitude }.flatMap { tick in
        tick.strokes.flatMap { [$0.from, $0.to] }.map { (point: $0, value: tick.label.degrees * unit) }
      }
      let values = Set(ends.map(\.value)).sorted()
      guard let first = values.first, let last = values.last else { return }
      middle = ends.reduce(.zero) { $0 + $1.point } / Double(ends.count)
      mean = ends.reduce(0) { $0 + $1.value } / Double(ends.count)
      (extent, count) = (last - first, values.count)
      self.ends = ends.map { [middle, mean] point, value in
        let away = point - middle
        return (isLatitude ? [away.y, away.x] : [away.x, -away.y], value - mean)
      }
    }
  }

  /// How far ticks may be off: two pixels at 150 dots per inch, and a share of the distance between the outer ones.
  private static let most = (pixels: 2.0, share: 0.002)

  private let (parallels, meridians): (Family, Family)
  /// A degree of longitude in degrees of latitude, on WGS84.
  private let unit: Double
  /// How much longitude and latitude rise to the right, in degrees of latitude.
  private let scale: PagePoint

  init(_ ticks: [PrintedTick]) throws(PlateDefect) {
    parallels = Family(ticks, isLatitude: true, unit: 1)
    let sine = sin(parallels.mean * .pi / 180)
    unit = (1 - sine * sine).squareRoot() * (1 - 0.006_694_38 * sine * sine) / (1 - 0.006_694_38)
    meridians = Family(ticks, isLatitude: false, unit: unit)
    guard parallels.count >= 2, meridians.count >= 2 else {
      throw PlateDefect(
        "it has lines with labels for \(Counts.of(parallels.count, "latitude")) and \(Counts.of(meridians.count, "longitude")), and two of each are needed"
      )
    }
    let ends = parallels.ends + meridians.ends
    let square = ends.reduce(.zero) { $0 + $1.factors * $1.factors }
    let product = ends.reduce(0) { $0 + $1.factors.x * $1.factors.y }
    let rise = ends.reduce(.zero) { $0 + $1.factors * $1.rise }
    scale =
      PagePoint(rise.x * square.y - rise.y * product, rise.y * square.x - rise.x * product)
      / (square.x * square.y - product * product)
    let pixel = scale.length * 72 / 150
    let worst =
      ends.reduce(0) { [scale] in Double.maximum($0, ($1.factors.dot(scale) - $1.rise).magnitude) } / pixel
    let extent = min(parallels.extent, meridians.extent) / pixel
    guard worst <= min(TickPlacement.most.pixels, TickPlacement.most.share * extent) else {
      throw PlateDefect(
        "its ticks are up to \(String(format: "%.1f", worst)) pixels from those of a map true to scale, at 150 dots per inch"
      )
    }
  }

  func place(of point: PagePoint) -> GeoPoint {
    let (east, north) = (point - meridians.middle, point - parallels.middle)
    return GeoPoint(
      longitude: (meridians.mean + scale.dot([east.x, -east.y])) / unit,
      latitude: parallels.mean + scale.dot([north.y, north.x]))
  }
}

extension PlatePlacement {
  /// The place of an airport diagram by its printed ticks, with the corners of the page as control points.
  init(diagram page: PlatePage) throws {
    let content = try PageContent(page)
    let ticks = try TickPlacement(PrintedTick.all(in: PageDrawing(content.description)))
    // Rounded, so that the last digits of a sine, in which systems differ, have no effect.
    func rounded(_ degrees: Double) -> Double { (degrees * 1e10).rounded() / 1e10 }
    controlPoints = [[0, 0], [1, 0], [0, 1], [1, 1]].map { share in
      ControlPoint(across: share.x, down: share.y, place: ticks.place(of: content.point(share)))
    }
    let places = controlPoints.map(\.place)
    guard places.allSatisfy({ (-90...90).contains($0.latitude) && (-180...180).contains($0.longitude) })
    else {
      throw PlateDefect("its ticks would put it beyond the earth")
    }
    six = [places.map(\.longitude), places.map(\.latitude)].flatMap {
      [$0[0], $0[1] - $0[0], $0[2] - $0[0]].map(rounded)
    }
    (source, projection) = (.ticks, try SpatialReference(epsg: 4326).wkt)
  }
}
