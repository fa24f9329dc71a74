internal import Core

/// Places along the rings of a neatline: of each one that is surely within the chart, and one that is surely beyond it.
struct EdgePlaces {
  struct Place {
    let ring: Int
    let inside: PlanePoint
    let outside: PlanePoint
  }

  private(set) var places: [Place] = []
  private let neatline: Neatline
  private let pixel: Double

  /// Pixels from the edge, and around each place: the edge may be a pixel or two beside where it is told.
  private static let distance = 6.0
  private static let clearance = 2.0
  private static let most = 1024.0
  private static let fewestOfRing = 32.0

  /// - Parameter pixel: in metres of Web Mercator.
  init(_ neatline: Neatline, pixel: Double) {
    self.neatline = neatline
    self.pixel = pixel
    let rings = neatline.polygons.flatMap { [$0.outline] + $0.holes }
    let total = rings.reduce(0) { $0 + $1.length }
    for (number, ring) in rings.enumerated() where ring.length > 0 {
      let share = max(EdgePlaces.fewestOfRing, (EdgePlaces.most * ring.length / total).rounded())
      walk(ring, number, step: ring.length / share)
    }
  }

  private mutating func walk(_ ring: PlaneRing, _ number: Int, step: Double) {
    guard step > 0, step.isFinite, var a = ring.points.last else { return }
    var ahead = step / 2
    for b in ring.points {
      let length = a.distance(to: b)
      while ahead < length {
        add(a, b, share: ahead / length, number)
        ahead += step
      }
      ahead -= length
      a = b
    }
  }

  /// On which side of a line the chart lies is asked, since rings may run either way.
  private mutating func add(_ a: PlanePoint, _ b: PlanePoint, share: Double, _ ring: Int) {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let reach = EdgePlaces.distance * pixel / a.distance(to: b)
    let sides = [1.0, -1.0].map {
      PlanePoint(x: a.x + share * dx - $0 * reach * dy, y: a.y + share * dy + $0 * reach * dx)
    }
    let relations = sides.map { relation($0) }
    guard let inside = relations.firstIndex(of: .inside), let outside = relations.firstIndex(of: .outside)
    else { return }
    places.append(Place(ring: ring, inside: sides[inside], outside: sides[outside]))
  }

  /// What is beyond 180 degrees belongs to the other side of the chart.
  private func relation(_ point: PlanePoint) -> PlaneRelation {
    let spot = PlaneBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
      .grown(by: EdgePlaces.clearance * pixel)
    let isOnMap = max(abs(point.x), abs(point.y)) < WebMercator.halfWorld
    return isOnMap ? neatline.relation(to: spot) : .crossing
  }
}
