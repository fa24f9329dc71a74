internal import Foundation

/// How a line is drawn.
struct Pen {
  var ink: Ink
  var width: Double
  /// Pixels on, pixels off.
  var dash: (on: Double, off: Double)?
  /// Takes ink away instead, so that lettering stands clear.
  var erases = false
  /// With `erases`, the ground that is laid down in its place.
  var ground: UInt8?

  init(_ ink: Ink, _ width: Double, dash: (on: Double, off: Double)? = nil) {
    self.ink = ink
    self.width = width
    self.dash = dash
  }

  /// A broader pen that clears the way for this one.
  func halo(_ margin: Double) -> Pen {
    var pen = self
    pen.width += 2 * margin
    pen.dash = nil
    pen.erases = true
    return pen
  }
}

extension Canvas {
  mutating func stroke(_ points: [PixelPoint], _ pen: Pen) {
    guard let dash = pen.dash else {
      if points.count == 1 { segment(points[0], points[0], pen) }
      for (start, end) in zip(points, points.dropFirst()) { segment(start, end, pen) }
      return
    }
    strokeDashed(points, pen, on: dash.on, period: dash.on + dash.off)
  }

  mutating func circle(_ center: PixelPoint, radius: Double, _ pen: Pen) {
    stroke(Canvas.ring(center, radius: radius), pen)
  }

  mutating func box(x: Double, y: Double, width: Double, height: Double, _ pen: Pen) {
    let corner = PixelPoint(x: x, y: y)
    stroke(
      [
        corner, corner.offset(width, 0), corner.offset(width, height), corner.offset(0, height), corner,
      ], pen)
  }

  static func ring(_ center: PixelPoint, radius: Double) -> [PixelPoint] {
    let steps = max(24, Int(radius / 2))
    return (0...steps).map { step in
      let angle = Double(step) / Double(steps) * 2 * .pi
      return center.offset(radius * cos(angle), radius * sin(angle))
    }
  }

  private mutating func strokeDashed(_ points: [PixelPoint], _ pen: Pen, on: Double, period: Double) {
    var travelled = 0.0
    for (start, end) in zip(points, points.dropFirst()) {
      let length = start.distance(to: end)
      guard length > 0 else { continue }
      func at(_ distance: Double) -> PixelPoint {
        start.offset((end.x - start.x) * distance / length, (end.y - start.y) * distance / length)
      }
      var position = 0.0
      while position < length {
        let phase = (travelled + position).truncatingRemainder(dividingBy: period)
        let next = min(length, position + max(1e-6, phase < on ? on - phase : period - phase))
        if phase < on { segment(at(position), at(next), pen) }
        position = next
      }
      travelled += length
    }
  }

  /// A straight piece with round ends, walked along its longer axis.
  private mutating func segment(_ start: PixelPoint, _ end: PixelPoint, _ pen: Pen) {
    let dx = end.x - start.x
    let dy = end.y - start.y
    let reach = pen.width / 2 + 1
    let isLevel = abs(dx) >= abs(dy)
    let (from, to) = isLevel ? (start.x, end.x) : (start.y, end.y)
    let (along, across) = isLevel ? (dx, dy) : (dy, dx)
    let base = isLevel ? start.y : start.x
    let length = (dx * dx + dy * dy).squareRoot()
    // The band is wider across the walk where the line is oblique.
    let band = reach * (abs(along) > 0 ? length / abs(along) : 1)
    let limit = Double(isLevel ? width : height)
    let low = max(-1, min(from, to) - reach)
    let high = min(limit, max(from, to) + reach)
    guard low <= high else { return }
    for major in Int(low.rounded(.down))...Int(high.rounded(.up)) {
      let part = abs(along) > 0 ? min(1, max(0, (Double(major) + 0.5 - from) / along)) : 0
      let middle = base + across * part
      for minor in Int((middle - band).rounded(.down))...Int((middle + band).rounded(.up)) {
        let column = isLevel ? major : minor
        let row = isLevel ? minor : major
        let px = Double(column) + 0.5 - start.x
        let py = Double(row) + 0.5 - start.y
        let t = length > 0 ? min(1, max(0, (px * dx + py * dy) / (length * length))) : 0
        let ex = px - t * dx
        let ey = py - t * dy
        let cover = pen.width / 2 + 0.5 - (ex * ex + ey * ey).squareRoot()
        guard cover > 0 else { continue }
        if pen.erases {
          if cover >= 0.5 { clear(column, row, ground: pen.ground) }
        } else {
          put(pen.ink.code(min(1, cover)), column, row)
        }
      }
    }
  }
}
