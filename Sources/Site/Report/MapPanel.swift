internal import Core
internal import Foundation

/// A part of the earth that a map shows on its own, since one map of Alaska, Hawaii and Guam would shrink the 48 states to nothing.
enum MapRegion: CaseIterable {
  case mainland
  case alaska
  case hawaii
  case pacific
  case southPacific
  case caribbean

  /// Nil for the main map.
  var title: String? {
    switch self {
    case .mainland: nil
    case .alaska: "Alaska"
    case .hawaii: "Hawaii"
    case .pacific: "Western Pacific"
    case .southPacific: "South Pacific"
    case .caribbean: "Caribbean"
    }
  }

  /// - Parameter place: with a longitude from -180 to 180.
  init(of place: GeoPoint) {
    let (longitude, latitude) = (place.longitude, place.latitude)
    if latitude > 49.5, longitude < -129 || longitude > 160 {
      self = .alaska
    } else if latitude < 0, longitude < -120 || longitude > 140 {
      self = .southPacific
    } else if longitude > 120 {
      self = .pacific
    } else if longitude < -140, latitude < 40 {
      self = .hawaii
    } else if latitude < 23.5, longitude > -92, longitude < -55 {
      self = .caribbean
    } else {
      self = .mainland
    }
  }
}

/// The projection of a panel: an equidistant conic whose two standard parallels lie within the panel. Distances and shapes are nearly
/// right over a continent.
struct PanelProjection {
  private let cone: Double
  private let apex: Double
  private let middle: GeoPoint

  /// - Parameter box: its east is beyond 180 for a panel across that meridian.
  init(_ box: GeoBox) {
    middle = GeoPoint(longitude: (box.west + box.east) / 2, latitude: (box.south + box.north) / 2)
    let height = box.north - box.south
    let (low, high) = ((box.south + height / 6) * .pi / 180, (box.north - height / 6) * .pi / 180)
    let slope = high - low < 1e-6 ? sin(low) : (cos(low) - cos(high)) / (high - low)
    // Near the equator the cone is as good as a cylinder.
    cone = abs(slope) < 0.01 ? 0 : slope
    apex = cone == 0 ? 0 : cos(low) / cone + low
  }

  /// Radians east and south of the middle.
  func project(_ place: GeoPoint) -> PlanePoint {
    let east = (place.longitude - middle.longitude) * .pi / 180
    let (latitude, origin) = (place.latitude * .pi / 180, middle.latitude * .pi / 180)
    guard cone != 0 else { return PlanePoint(x: east * cos(origin), y: origin - latitude) }
    let radius = apex - latitude
    return PlanePoint(x: radius * sin(cone * east), y: radius * cos(cone * east) - (apex - origin))
  }

  /// Moves a ring by whole turns next to the middle and makes its longitudes continuous.
  func unwrapped(_ ring: [GeoPoint]) -> [GeoPoint] {
    guard var last = ring.first?.longitude else { return [] }
    var turned = ring.map { point in
      last = point.longitude - 360 * ((point.longitude - last) / 360).rounded()
      return GeoPoint(longitude: last, latitude: point.latitude)
    }
    guard let box = GeoBox(around: turned) else { return [] }
    let turn = 360 * (((box.west + box.east) / 2 - middle.longitude) / 360).rounded()
    for index in turned.indices { turned[index].longitude -= turn }
    return turned
  }
}

/// The drawing area of a panel: a projection scaled to a number of units.
struct MapPanel {
  let region: MapRegion
  let width: Double
  let height: Double
  private let box: GeoBox
  private let projection: PanelProjection
  private let scale: Double
  private let corner: PlanePoint
  private static let margin = 14.0
  /// The smallest distance between parallels, for which their labels have room.
  private static let spacing = 44.0
  /// Half a unit cannot be seen.
  private static let tolerance = 0.5

  /// - Parameters:
  ///   - rings: everything to show; nil is returned without points.
  ///   - size: the largest width and height in units.
  init?(_ region: MapRegion, showing rings: [[GeoPoint]], within size: (width: Double, height: Double)) {
    let boxes = rings.compactMap { ring -> GeoBox? in
      let level = PanelProjection(GeoBox(west: 0, south: 0, east: 0, north: 1)).unwrapped(ring)
      return GeoBox(around: level)
    }
    guard let box = GeoBox(aroundWorld: boxes) else { return nil }
    let projection = PanelProjection(box)
    let points = rings.flatMap { projection.unwrapped($0).map(projection.project) }
    guard let plane = PlaneBox(around: points) else { return nil }
    let room = (size.width - 2 * MapPanel.margin, size.height - 2 * MapPanel.margin)
    // A small island is not blown up beyond a degree for the whole panel.
    let extent = (max(plane.maxX - plane.minX, .pi / 180), max(plane.maxY - plane.minY, .pi / 180))
    scale = min(room.0 / extent.0, room.1 / extent.1)
    (self.region, self.box, self.projection) = (region, box, projection)
    width = (extent.0 * scale + 2 * MapPanel.margin).rounded(.up)
    height = (extent.1 * scale + 2 * MapPanel.margin).rounded(.up)
    corner = PlanePoint(
      x: plane.center.x - width / scale / 2, y: plane.center.y - height / scale / 2)
  }

  func place(_ point: GeoPoint) -> PlanePoint {
    let flat = projection.project(point)
    return PlanePoint(x: (flat.x - corner.x) * scale, y: (flat.y - corner.y) * scale)
  }

  /// The ring in the panel's units, without points that make no visible difference.
  func ring(_ ring: [GeoPoint]) -> PlaneRing {
    let points = projection.unwrapped(ring).map(place)
    return PlaneRing(Simplification.simplified(points, tolerance: MapPanel.tolerance))
  }

  /// The meridians and parallels of the panel, with the text of each and the place of the text.
  var graticule: [(line: [PlanePoint], label: String, at: PlanePoint)] {
    let step = [1.0, 2, 5, 10, 20].first { $0 * .pi / 180 * scale >= MapPanel.spacing } ?? 30
    let frame = PlaneBox(minX: 0, minY: 0, maxX: width, maxY: height)
    let (south, north) = (max(-88, box.south - 2 * step), min(88, box.north + 2 * step))
    let (west, east) = (box.west - 2 * step, box.east + 2 * step)
    let meridians = stride(from: (west / step).rounded(.up) * step, through: east, by: step).map { degrees in
      (
        line: samples(south, north, step).map { place(GeoPoint(longitude: degrees, latitude: $0)) },
        label: MapPanel.text(degrees: degrees, "E", "W"), isMeridian: true
      )
    }
    let parallels = stride(from: (south / step).rounded(.up) * step, through: north, by: step).map {
      degrees in
      (
        line: samples(west, east, step).map { place(GeoPoint(longitude: $0, latitude: degrees)) },
        label: MapPanel.text(degrees: degrees, "N", "S"), isMeridian: false
      )
    }
    return (meridians + parallels).compactMap { line, label, isMeridian in
      guard let at = MapPanel.entry(of: line, into: frame, fromBelow: isMeridian) else { return nil }
      return (line, label, PlanePoint(x: at.x + 3, y: at.y - 3))
    }
  }

  private func samples(_ from: Double, _ to: Double, _ step: Double) -> [Double] {
    let count = max(1, Int(((to - from) / (step / 2)).rounded(.up)))
    return (0...count).map { from + (to - from) * Double($0) / Double(count) }
  }

  /// Where a line enters the frame through its lower or its left side; nil if it enters elsewhere.
  private static func entry(of line: [PlanePoint], into frame: PlaneBox, fromBelow: Bool) -> PlanePoint? {
    for (from, to) in zip(line, line.dropFirst()) {
      guard let share = frame.share(from: from, to: to), !frame.contains(from) else { continue }
      let at = PlanePoint(
        x: from.x + (to.x - from.x) * share.lowerBound, y: from.y + (to.y - from.y) * share.lowerBound)
      let isEntry = fromBelow ? at.y > frame.maxY - 0.01 : at.x < 0.01
      return isEntry && at.x < frame.maxX - 30 && at.y > 14 ? at : nil
    }
    return nil
  }

  /// `120° W`, `180°`
  private static func text(degrees: Double, _ positive: String, _ negative: String) -> String {
    let turned = degrees.remainder(dividingBy: 360)
    let number = Int(abs(turned).rounded())
    guard number != 0, number != 180 else { return "\(number)°" }
    return "\(number)° \(turned > 0 ? positive : negative)"
  }
}

/// Leaves out points of a line that lie close to the line without them (Douglas and Peucker).
enum Simplification {
  /// The first point stays, and the farthest one from it, so that a ring remains a ring.
  static func simplified(_ ring: [PlanePoint], tolerance: Double) -> [PlanePoint] {
    var ring = ring
    if ring.count > 1, ring.first == ring.last { ring.removeLast() }
    guard ring.count > 4 else { return ring }
    let far = ring.indices.max { ring[$0].distance(to: ring[0]) < ring[$1].distance(to: ring[0]) } ?? 0
    guard far > 0 else { return [ring[0]] }
    let closed = ring + [ring[0]]
    return line(Array(closed[...far]), tolerance).dropLast()
      + line(Array(closed[far...]), tolerance).dropLast()
  }

  private static func line(_ points: [PlanePoint], _ tolerance: Double) -> [PlanePoint] {
    guard points.count > 2, let first = points.first, let last = points.last else { return points }
    let distances = points.map { distance(of: $0, from: first, last) }
    guard let far = distances.indices.max(by: { distances[$0] < distances[$1] }), distances[far] > tolerance
    else { return [first, last] }
    return line(Array(points[...far]), tolerance).dropLast() + line(Array(points[far...]), tolerance)
  }

  private static func distance(of point: PlanePoint, from a: PlanePoint, _ b: PlanePoint) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = dx * dx + dy * dy
    guard length > 0 else { return point.distance(to: a) }
    let share = min(max(((point.x - a.x) * dx + (point.y - a.y) * dy) / length, 0), 1)
    return point.distance(to: PlanePoint(x: a.x + share * dx, y: a.y + share * dy))
  }
}
