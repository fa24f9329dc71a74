internal import ChartpipeKit
internal import Core

/// The pixels within the border: for every row the pieces that are on the map, and the same for every column.
struct MapArea: Sendable {
  let width: Int
  let height: Int
  private let rows: Spans
  private let columns: Spans

  init(_ design: SheetDesign) {
    width = design.width
    height = design.height
    let rings = MapBorder(design).rings
    rows = Spans(lines: height, rings: rings.map { $0.map { (across: $0.x, along: $0.y) } })
    columns = Spans(lines: width, rings: rings.map { $0.map { (across: $0.y, along: $0.x) } })
  }

  /// Whether a point is on the map with this horizontal and vertical distance from the edges. With a negative margin: whether
  /// it is on the map or not farther away.
  func contains(_ pixel: PixelPoint, margin: Double = 0) -> Bool {
    guard pixel.x >= 0, pixel.y >= 0, pixel.x < Double(width), pixel.y < Double(height) else { return false }
    let isInRow = rows.hold(pixel.x, line: Int(pixel.y), margin: margin)
    // A point beyond the upper edge is in no piece of its row, but near to one of its column.
    return margin < 0
      ? isInRow || columns.hold(pixel.y, line: Int(pixel.x), margin: margin)
      : isInRow && columns.hold(pixel.y, line: Int(pixel.x), margin: margin)
  }

  /// Whether the centre of a pixel is on the map.
  @inline(__always)
  func contains(column: Int, row: Int) -> Bool { rows.hold(Double(column) + 0.5, line: row) }
}

/// The interior of some rings, line by line through the middles of the pixels.
private struct Spans: Sendable {
  /// For each line, the index of its first bound; one more at the end.
  private var starts: [Int32] = [0]
  /// The positions where a line alternately enters and leaves the rings.
  private var bounds: [Double] = []

  init(lines: Int, rings: [[(across: Double, along: Double)]]) {
    var crossings: [[Double]] = Array(repeating: [], count: lines)
    for ring in rings {
      for (index, end) in ring.enumerated() {
        let start = ring[(index + ring.count - 1) % ring.count]
        let first = max(0, (min(start.along, end.along) - 0.5).rounded(.up))
        let last = min(Double(lines), (max(start.along, end.along) - 0.5).rounded(.up))
        guard first < last else { continue }
        for line in Int(first)..<Int(last) {
          let part = (Double(line) + 0.5 - start.along) / (end.along - start.along)
          crossings[line].append(start.across + part * (end.across - start.across))
        }
      }
    }
    for line in crossings {
      bounds += line.sorted()
      starts.append(Int32(bounds.count))
    }
  }

  @inline(__always)
  func hold(_ value: Double, line: Int) -> Bool {
    var index = Int(starts[line])
    let end = Int(starts[line + 1])
    while index + 1 < end {
      if value < bounds[index] { return false }
      if value < bounds[index + 1] { return true }
      index += 2
    }
    return false
  }

  func hold(_ value: Double, line: Int, margin: Double) -> Bool {
    stride(from: Int(starts[line]), to: Int(starts[line + 1]) - 1, by: 2).contains {
      value >= bounds[$0] + margin && value <= bounds[$0 + 1] - margin
    }
  }
}

/// The lines around the map in pixels: the outline, and a ring for each mask. It uses `LambertConformal` only.
struct MapBorder: Sendable {
  let rings: [[PixelPoint]]

  init(_ design: SheetDesign) {
    let solver = EdgeSolver(design: design)
    rings = ([design.neatline.outline] + design.neatline.masks).map(solver.ring)
  }
}

/// Computes the edges of a design and their intersections.
struct EdgeSolver {
  let design: SheetDesign

  typealias Edge = NeatlineDefinition.Edge

  func ring(_ edges: [Edge]) -> [PixelPoint] {
    let corners = edges.indices.map { corner(edges[($0 + edges.count - 1) % edges.count], edges[$0]) }
    return edges.indices.flatMap { side in
      line(edges[side], from: corners[side], to: corners[(side + 1) % edges.count])
    }
  }

  /// Newton's method. The projection is so nearly linear over a sheet that a few rounds are exact.
  func corner(_ first: Edge, _ second: Edge) -> PixelPoint {
    var point = PixelPoint(x: Double(design.width) / 2, y: Double(design.height) / 2)
    for _ in 0..<12 {
      let (f, g) = (gradient(first, point), gradient(second, point))
      let determinant = f.x * g.y - f.y * g.x
      precondition(determinant != 0, "two edges of the design run side by side")
      point = point.offset(
        (g.value * f.y - f.value * g.y) / determinant, (f.value * g.x - g.value * f.x) / determinant)
    }
    return point
  }

  private func gradient(_ edge: Edge, _ point: PixelPoint) -> (value: Double, x: Double, y: Double) {
    let value = distance(edge, point)
    return (value, distance(edge, point.offset(1, 0)) - value, distance(edge, point.offset(0, 1)) - value)
  }

  /// Zero on the edge: the distance in degrees or pixels.
  private func distance(_ edge: Edge, _ point: PixelPoint) -> Double {
    switch edge {
    case .meridian(let value): (design.place(of: point).longitude - value).remainder(dividingBy: 360)
    case .parallel(let value): design.place(of: point).latitude - value
    case .column(let value): point.x - value
    case .row(let value): point.y - value
    case .columnThrough(let place): point.x - design.pixel(of: place).x
    case .rowThrough(let place): point.y - design.pixel(of: place).y
    case .straight(let a, let b): beside(point, design.pixel(of: a), design.pixel(of: b))
    }
  }

  private func beside(_ point: PixelPoint, _ a: PixelPoint, _ b: PixelPoint) -> Double {
    ((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)) / a.distance(to: b)
  }

  /// All edges except parallels are straight on the sheet. Parallels have a point every four pixels, where the chord is off by
  /// less than a ten-thousandth.
  private func line(_ edge: Edge, from start: PixelPoint, to end: PixelPoint) -> [PixelPoint] {
    guard case .parallel(let latitude) = edge else { return [start] }
    let pieces = max(1, Int(start.distance(to: end) / 4))
    let west = design.place(of: start).longitude
    let reach = (design.place(of: end).longitude - west).remainder(dividingBy: 360)
    return (0..<pieces).map { piece in
      let longitude = west + reach * Double(piece) / Double(pieces)
      return design.pixel(of: GeoPoint(longitude: longitude, latitude: latitude))
    }
  }
}
